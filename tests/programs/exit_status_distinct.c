// SPDX-License-Identifier: MIT
// Distinct statuses are distinct findings, although one return gives them.
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 bugs=2 bug=exit message="exit status 1: returned by main"
// expect: bug=exit message="exit status 2: returned by main" complete=true
#include <pthread.h>

static _Atomic int winner;

static void *run(void *number) {
  int nobody = 0;
  __c11_atomic_compare_exchange_strong(&winner, &nobody, (int)(long)number, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, run, (void *)1);
  pthread_create(&t, NULL, run, (void *)2);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return winner;
}
