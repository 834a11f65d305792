// SPDX-License-Identifier: MIT
// Three threads that are the same read a variable and then count; another thread writes the variable. Each read comes
// before or after the write, and the additions have 3! orders: 48 traces. Reads do not tell threads apart unless the
// write comes between them, so renaming leaves 8: whether the first, second and third to add has read before the write.
// heddle: --strategy optimal --symmetry auto
// expect: exit=0 verdict=clean complete=true runs=8 blocked_runs=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int start, total;

static void *count(void *unused) {
  const int seen = atomic_load(&start);
  atomic_fetch_add(&total, 1 + seen);
  return NULL;
}

static void *begin(void *unused) {
  atomic_store(&start, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, count, NULL);
  pthread_create(&threads[3], NULL, begin, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
