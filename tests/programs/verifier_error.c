// SPDX-License-Identifier: MIT
// The older name.
// expect: exit=1 bug=assertion line=BUG
#include <pthread.h>

extern void __VERIFIER_error(void);
int x;

static void *worker(void *unused) {
  if (x == 1) __VERIFIER_error(); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  x = 2;
  pthread_join(t, NULL);
  return 0;
}
