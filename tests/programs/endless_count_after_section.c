// SPDX-License-Identifier: MIT
// heddle: --hang-time 1
// The same after an atomic section that made something shared in the run: nobody waits, so that it is not a deadlock.
// expect: exit=3 verdict=incomplete
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;
static unsigned long count;

static void *writer(void *unused) {
  x = 0;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  while (1) count++;
}
