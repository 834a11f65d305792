// SPDX-License-Identifier: MIT
// The nondet functions stay in the range of their types: two values of the bool times six schedules. Values that are
// observed are those of the run: others are not looked for.
// expect: exit=3 verdict=incomplete runs=12 observations=1
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int x;

static void *worker(void *argument) {
  x++;
  heddle_observe(argument ? "a" : "b", __VERIFIER_nondet_int());
  return NULL;
}

int main(void) {
  const _Bool truth = __VERIFIER_nondet_bool();
  assert(truth == 0 || truth == 1);
  heddle_observe("sum", __VERIFIER_nondet_char() + __VERIFIER_nondet_uchar() + __VERIFIER_nondet_short() +
                            __VERIFIER_nondet_ushort());
  heddle_observe("wide", (long long)(__VERIFIER_nondet_uint() ^ __VERIFIER_nondet_ulong() ^ __VERIFIER_nondet_long()));
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, (void *)1);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
