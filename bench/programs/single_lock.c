/* SPDX-License-Identifier: MIT
 *
 * Single lock, of the unfolding paper: THREADS threads access various shared variables, TIMES times each, and always
 * under the same lock; ONCE more threads do so once. The traces are the orders of the critical sections: 8!/2^4 = 2520
 * for 4 threads twice, 22680 with one more thread. With SOURCES=0 all of them only count up one variable: four
 * operations with those on the lock, instead of five.
 */
#include <pthread.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef TIMES
#define TIMES 2
#endif
#ifndef ONCE
#define ONCE 0
#endif
#ifndef SOURCES
#define SOURCES 1
#endif
#define VARIABLES 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int variables[VARIABLES];

static void move(long from, long to) {
  pthread_mutex_lock(&lock);
  if (SOURCES)
    variables[to % VARIABLES] += variables[from % VARIABLES] + 1;
  else
    variables[0]++;
  pthread_mutex_unlock(&lock);
}

static void *thread(void *argument) {
  const long self = (long)argument;
  const int times = self < THREADS ? TIMES : 1;
  for (int i = 0; i < times; i++) move(self + i, self + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS + ONCE];
  for (long t = 0; t < THREADS + ONCE; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < THREADS + ONCE; t++) pthread_join(threads[t], NULL);
  return 0;
}
