// SPDX-License-Identifier: MIT
//
// Two clients reserve blocks of a disk. How many each of them wants is an input.
//
// What is wrong: the blocks are counted under the lock and taken under the lock, but the lock is free in between. Most
// requests fit whatever happens; it takes two that fit alone and not together, and the wrong moment. reserve_fixed.c
// takes what it has counted before it lets go of the lock.
//
// expect: exit=1 bug=assertion runs<=200
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int free_blocks = 1000;

static int count_free(void) {
  pthread_mutex_lock(&mutex);
  const int count = free_blocks;
  pthread_mutex_unlock(&mutex);
  return count;
}

static void take(int blocks) {
  pthread_mutex_lock(&mutex);
  free_blocks -= blocks;
  assert(free_blocks >= 0);
  pthread_mutex_unlock(&mutex);
}

static void *reserve(void *wanted) {
  const int blocks = *(const int *)wanted;
  if (blocks > 0 && blocks <= count_free()) take(blocks);
  return NULL;
}

int main(void) {
  int wanted[2] = {heddle_input_int("first"), heddle_input_int("second")};
  pthread_t clients[2];
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, reserve, &wanted[i]);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  return 0;
}
