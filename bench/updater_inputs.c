/* SPDX-License-Identifier: MIT
 *
 * In the shape of the Updater of the unfolding paper: two threads update shared variables, each by inputs of its own;
 * two others read them and compute with what they read. All are protected by locks, so that most of the work is in the
 * conditions on inputs.
 */
#include "heddle.h"

#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int shared[2];

static void *update(void *argument) {
  const long which = (long)argument;
  for (int i = 0; i < ROUNDS; i++) {
    const int input = heddle_input_int("update");
    pthread_mutex_lock(&locks[which]);
    if (input > 100)
      shared[which] = input * 2;
    else if (input < shared[which])
      shared[which] += input;
    pthread_mutex_unlock(&locks[which]);
  }
  return NULL;
}

static void *compute(void *argument) {
  const long which = (long)argument;
  pthread_mutex_lock(&locks[which]);
  const int value = shared[which];
  pthread_mutex_unlock(&locks[which]);
  int result = 0;
  if (value > 1000) result = value % 7;
  if (value + result == 77) result++;
  if ((value ^ 0x55) < 20) result += 2;
  return result > 8 ? argument : NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long t = 0; t < 2; t++) pthread_create(&threads[t], NULL, update, (void *)t);
  for (long t = 0; t < 2; t++) pthread_create(&threads[2 + t], NULL, compute, (void *)t);
  for (int t = 0; t < 4; t++) pthread_join(threads[t], NULL);
  return 0;
}
