// SPDX-License-Identifier: MIT
// Local variables that have a value where they are used, on whatever way they came by it, or of which only the part
// that has one is used.
// expect: exit=0 verdict=clean complete=true warnings=0
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct flags {
  unsigned a : 1, b : 3, c : 4;
};

struct pair {
  char small;
  long large;
};

static int sometimes(int condition) {
  int value;
  if (condition) value = 7;
  return condition ? value : 0;
}

static int later(int n) {
  int last;
  for (int i = 0; i < n; i++) {
    if (i > 0) assert(last == i - 1);
    last = i;
  }
  return n;
}

static int jumps(int n) {
  switch (n) {
    int value;
  case 1: value = 4; return value;
  default: value = 5; return value;
  }
}

static void set(int *value) {
  *value = 3;
}

static void *all(void *unused) {
  int value, itself = itself, sum = 0;
  struct flags flags;
  struct pair pair, copy;
  char text[8];
  flags.b = 2;
  pair.large = 1;
  copy = pair;
  memcpy(text, "abc", 4);
  set(&value);
  for (int i = 0; i < 2; i++) sum += sometimes(i) + later(i) + jumps(i);
  assert(sum == 7 + 1 + 9 && value == 3 && flags.b == 2 && copy.large == 1 && text[1] == 'b');
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, all, NULL);
  pthread_join(thread, NULL);
  return 0;
}
