// SPDX-License-Identifier: MIT
// The first store races with the loads of `shared` in two threads: 4 classes. The load of `counter` comes before,
// between or after three stores: 4 classes. With this seed a class was lost when a race was reversed only in the first
// run that had it, where a step that sleeps is a beginning of the reversal; in later runs it is not.
// heddle: --strategy optimal --seed 20
// expect: runs=16 verdict=clean complete=true
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int shared, counter, unchanged;

static void *load_both(void *unused) {
  (void)atomic_load(&shared);
  (void)atomic_load(&counter);
  return unused;
}

static void *load(void *unused) {
  (void)atomic_load(&shared);
  (void)atomic_load(&unchanged);
  return unused;
}

static void *store(void *unused) {
  atomic_store(&shared, 1);
  (void)atomic_load(&unchanged);
  return unused;
}

static void *count(void *unused) {
  for (int i = 1; i <= 3; i++) atomic_store(&counter, i);
  return unused;
}

int main(void) {
  void *(*const functions[])(void *) = {load_both, load, store, count};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
