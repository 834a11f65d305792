// SPDX-License-Identifier: MIT
//
// A buffer with two users; the last one frees it.
//
// What is wrong: the count is atomic, but counting down and looking at it are two operations. Both users can count down
// first, and then both see zero: the buffer is freed twice. refcount_fixed.c looks at what the subtraction returned.
//
// expect: exit=1 bug=memory line=BUG runs<=200
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
  atomic_int users;
  char bytes[64];
};

static void release(struct buffer *buffer) {
  atomic_fetch_sub(&buffer->users, 1);
  if (atomic_load(&buffer->users) == 0) free(buffer); // BUG
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
