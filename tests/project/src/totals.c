/* SPDX-License-Identifier: MIT
 *
 * A thread's counts are a block under a key; the key's destructor adds them up under a mutex.
 */
#include "totals.h"
#include "failure.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t counts_of_thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long totals[N_SEVERITIES];

static void add_up(void *counts) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < N_SEVERITIES; i++) totals[i] += ((long *)counts)[i];
  pthread_mutex_unlock(&mutex);
  free(counts);
}

void totals_initialise(void) {
  const int error = pthread_key_create(&counts_of_thread, add_up);
  if (error) fail("no key", error);
}

void totals_count(enum severity severity) {
  long *counts = pthread_getspecific(counts_of_thread);
  if (!counts) {
    counts = calloc(N_SEVERITIES, sizeof *counts);
    if (!counts) fail("no memory", ENOMEM);
    pthread_setspecific(counts_of_thread, counts);
  }
  counts[severity]++;
}

long totals_of(enum severity severity) {
  pthread_mutex_lock(&mutex);
  const long total = totals[severity];
  pthread_mutex_unlock(&mutex);
  return total;
}
