/* SPDX-License-Identifier: MIT
 *
 * Indexer, of Flanagan and Godefroid's paper on dynamic partial order reduction: THREADS threads insert INSERTIONS
 * words each into a hash table of CELLS cells, by compare-and-swap, and try the next cell where one is taken. With 128
 * cells and 4 insertions there are no collisions below 12 threads.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 12
#endif
#ifndef INSERTIONS
#define INSERTIONS 4
#endif
#ifndef CELLS
#define CELLS 128
#endif

static atomic_int table[CELLS];

static void insert(int word) {
  for (int cell = word * 7 % CELLS;; cell = (cell + 1) % CELLS) {
    int empty = 0;
    if (atomic_compare_exchange_strong(&table[cell], &empty, word)) return;
  }
}

static void *thread(void *argument) {
  for (int i = 1; i <= INSERTIONS; i++) insert(i * 11 + (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
