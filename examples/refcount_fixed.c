// SPDX-License-Identifier: MIT
//
// refcount.c repaired: the thread that takes the count to zero frees, and the result of the subtraction says which one
// that is.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
  atomic_int users;
  char bytes[64];
};

static void release(struct buffer *buffer) {
  if (atomic_fetch_sub(&buffer->users, 1) == 1) free(buffer);
}

static void *use(void *argument) {
  struct buffer *buffer = argument;
  release(buffer);
  return NULL;
}

int main(void) {
  struct buffer *buffer = malloc(sizeof *buffer);
  if (!buffer) return 1;
  buffer->users = 2;
  pthread_t users[2];
  for (int i = 0; i < 2; i++) pthread_create(&users[i], NULL, use, buffer);
  for (int i = 0; i < 2; i++) pthread_join(users[i], NULL);
  return 0;
}
