// SPDX-License-Identifier: MIT
//
// reserve.c, repaired: counting and taking are one critical section.
//
// expect: exit=0 verdict=clean warnings=0 runs=18
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int free_blocks = 1000;

static void *reserve(void *wanted) {
  const int blocks = *(const int *)wanted;
  pthread_mutex_lock(&mutex);
  if (blocks > 0 && blocks <= free_blocks) free_blocks -= blocks;
  assert(free_blocks >= 0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  int wanted[2] = {heddle_input_int("first"), heddle_input_int("second")};
  pthread_t clients[2];
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, reserve, &wanted[i]);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  return 0;
}
