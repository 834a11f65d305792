// SPDX-License-Identifier: MIT
// The wide nondet functions, 0 at first. Floating point is not followed.
// expect: exit=3 verdict=incomplete observations>=1
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern void *__VERIFIER_nondet_pointer(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

static atomic_int order;

static void *worker(void *unused) {
  order++;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("longlong", __VERIFIER_nondet_longlong());
  heddle_observe("ulonglong", (long long)__VERIFIER_nondet_ulonglong());
  heddle_observe("size", (long long)__VERIFIER_nondet_size_t());
  heddle_observe("pointer", (long long)__VERIFIER_nondet_pointer());
  const float f = __VERIFIER_nondet_float();
  const double d = __VERIFIER_nondet_double();
  heddle_observe("positive", heddle_input_float("f") >= 0 && heddle_input_double("d") >= 0);
  heddle_observe("float", *(const int *)&f);
  heddle_observe("double", *(const long long *)&d);
  return 0;
}
