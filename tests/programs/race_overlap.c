// SPDX-License-Identifier: MIT
// A copy of a whole structure races with a write of one byte in its middle, and not with what lies after it.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>
#include <string.h>

struct {
  char bytes[24];
  char behind;
} data;
char copy[24];

static void *copies(void *unused) {
  memcpy(copy, data.bytes, sizeof copy); // RACE
  return NULL;
}

static void *writes(void *unused) {
  data.bytes[13] = 1; // RACE
  data.behind = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, copies, NULL);
  pthread_create(&b, NULL, writes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
