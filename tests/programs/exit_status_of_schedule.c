// SPDX-License-Identifier: MIT
// A test that counts its failures and returns their number: some schedules fail.
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 bugs=1 bug=exit line=BUG message="exit status 1: returned by main" runs=model complete=true
// model: read x; write x | read x; write x
// replay: exit status 1: returned by main
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  const int before = counter;
  counter = before + 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  int failures = 0;
  pthread_create(&s, NULL, increment, NULL);
  pthread_create(&t, NULL, increment, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  failures += counter != 2;
  return failures; /* BUG */
}
