/* SPDX-License-Identifier: MIT
 *
 * Readers, of Abdulla, Aronis, Jonsson and Sagonas' paper on optimal partial order reduction: one thread writes a
 * variable, READERS others read it. 2^n traces.
 */
#include <pthread.h>

#ifndef READERS
#define READERS 4
#endif

static int variable, seen[READERS];

static void *reader(void *argument) {
  seen[(long)argument] = variable;
  return NULL;
}

static void *writer(void *unused) {
  variable = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[READERS + 1];
  pthread_create(&threads[READERS], NULL, writer, NULL);
  for (long t = 0; t < READERS; t++) pthread_create(&threads[t], NULL, reader, (void *)t);
  for (int t = 0; t <= READERS; t++) pthread_join(threads[t], NULL);
  return 0;
}
