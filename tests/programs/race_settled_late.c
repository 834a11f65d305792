// SPDX-License-Identifier: MIT
// One of 170 runs writes to `value` at a place where the others do not. By then the races of the others are known, and
// nothing of their accesses is remembered any more: the run is made again, so that its own race is seen too.
// heddle: --strategy random --max-runs 5000
// expect: exit=3 runs=5000 data_race_warnings=3 data_race_lines=RACE
#include <pthread.h>

static int value;
static volatile int steps;

static void *writer(void *unused) {
  value = 1;                           // RACE
  for (int i = 0; i < 4; i++) steps++; // RACE
  return NULL;
}

static void *reader(void *unused) {
  if (steps == 3)             // RACE
    value = 2;                // RACE
  return (void *)(long)value; // RACE
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
