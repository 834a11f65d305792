// SPDX-License-Identifier: MIT
// main reads before one of the two joins: a race with the thread that is not joined yet, none with the other.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

int early, late, sum;

static void *first(void *unused) {
  early = 1;
  return NULL;
}

static void *second(void *unused) {
  late = 1; // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  early = late = 0;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  sum = early;
  sum += late; // RACE
  pthread_join(b, NULL);
  sum += late;
  return 0;
}
