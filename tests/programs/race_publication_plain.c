// SPDX-License-Identifier: MIT
// The same with a plain flag: the flag and the data race.
// expect: exit=0 data_race_warnings=2 data_race_lines=RACE warning~ready warning~data
#include <pthread.h>

int data, ready, seen;

static void *writer(void *unused) {
  data = 42; // RACE
  ready = 1; // RACE
  return NULL;
}

static void *reader(void *unused) {
  if (ready)     // RACE
    seen = data; // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
