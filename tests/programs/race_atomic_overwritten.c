// SPDX-License-Identifier: MIT
// A reader synchronises with the atomic write whose value it reads, not with one that another thread overwrote.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

static void *first(void *unused) {
  data = 1; // RACE
  ready = 1;
  return NULL;
}

static void *second(void *unused) {
  ready = 2;
  return NULL;
}

static void *reader(void *unused) {
  if (ready == 2) data = 2; // RACE
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, reader, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
