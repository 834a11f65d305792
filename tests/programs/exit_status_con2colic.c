// SPDX-License-Identifier: MIT
// con2colic looks for the value of a shared variable that makes main fail.
// heddle: --strategy con2colic
// expect: exit=1 bug=exit line=BUG message="exit status 1: returned by main"
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  const int before = counter;
  counter = before + 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, increment, NULL);
  pthread_create(&t, NULL, increment, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return counter != 2; /* BUG */
}
