/* SPDX-License-Identifier: MIT
 *
 * Last-zero, of Abdulla, Aronis, Jonsson and Sagonas' paper on optimal partial order reduction: thread k of N sets cell
 * k of an array to one more than the cell before it; another thread looks for the last cell that is zero, from the end.
 * (n + 3) * 2^(n - 2) traces.
 */
#include <pthread.h>

#ifndef N
#define N 5
#endif

static int cells[N + 1], last_zero;

static void *search(void *unused) {
  int i = N;
  while (cells[i] != 0) i--;
  last_zero = i;
  return NULL;
}

static void *increase(void *argument) {
  const long k = (long)argument;
  cells[k] = cells[k - 1] + 1;
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], NULL, search, NULL);
  for (long k = 1; k <= N; k++) pthread_create(&threads[k], NULL, increase, (void *)k);
  for (int k = 0; k <= N; k++) pthread_join(threads[k], NULL);
  return 0;
}
