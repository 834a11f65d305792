// SPDX-License-Identifier: MIT
// heddle: --strategy contextual
// expect: exit=0 complete=true
// observe: sum=0
// observe: sum=11
/* An atomic section is seen as a whole. */
#include "heddle.h"

#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *writer(void *argument) {
  (void)argument;
  __VERIFIER_atomic_begin();
  x = 1;
  y = 10;
  __VERIFIER_atomic_end();
  return NULL;
}

static void *reader(void *argument) {
  (void)argument;
  __VERIFIER_atomic_begin();
  const int sum = x + y;
  __VERIFIER_atomic_end();
  heddle_observe("sum", sum);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, writer, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
