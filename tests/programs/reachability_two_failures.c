// SPDX-License-Identifier: MIT
//
// Three threads fail in every run, and each of them before the others in some. All of them are reported.
//
// heddle: --strategy reachability --keep-going
// expect: exit=1 bugs=3 complete=true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int numbers[3];

static void *first(void *unused) {
  assert(atomic_fetch_add(&numbers[0], 1) < 0);
  return unused;
}

static void *second(void *unused) {
  assert(atomic_fetch_add(&numbers[1], 1) < 0);
  return unused;
}

static void *third(void *unused) {
  assert(atomic_fetch_add(&numbers[2], 1) < 0);
  return unused;
}

static void *reader(void *unused) {
  for (int i = 0; i < 3; i++) (void)atomic_load(&numbers[i]);
  return unused;
}

int main(void) {
  void *(*const functions[])(void *) = {first, second, third, reader};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
