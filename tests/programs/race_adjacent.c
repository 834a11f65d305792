// SPDX-License-Identifier: MIT
// Different bytes of one word do not race; shared ones (flags) and bit-fields of one byte do.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

struct {
  char a, b;
  short c;
  unsigned left : 3, right : 3;
} pair;

static void *one(void *unused) {
  pair.a = 1;
  pair.left = 1; // RACE
  return NULL;
}

static void *two(void *unused) {
  pair.b = 1;
  pair.right = 2; // RACE
  pair.c = 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
