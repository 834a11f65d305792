/* SPDX-License-Identifier: MIT
 *
 * Pairs, of the unfolding paper (its Fig. 3): PAIRS independent pairs of threads, of which one reads and one writes the
 * pair's variable. 2^n traces, and an unfolding that grows linearly.
 */
#include <pthread.h>

#ifndef PAIRS
#define PAIRS 5
#endif

static int variables[PAIRS], seen[PAIRS];

static void *reader(void *argument) {
  const long pair = (long)argument;
  seen[pair] = variables[pair];
  return NULL;
}

static void *writer(void *argument) {
  variables[(long)argument] = 1;
  return NULL;
}

int main(void) {
  pthread_t readers[PAIRS], writers[PAIRS];
  for (long i = 0; i < PAIRS; i++) {
    pthread_create(&readers[i], NULL, reader, (void *)i);
    pthread_create(&writers[i], NULL, writer, (void *)i);
  }
  for (int i = 0; i < PAIRS; i++) {
    pthread_join(readers[i], NULL);
    pthread_join(writers[i], NULL);
  }
  return 0;
}
