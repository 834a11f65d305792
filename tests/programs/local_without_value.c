// SPDX-License-Identifier: MIT
// Local variables that are used before they have a value: a branch on one, an index, an argument. The run continues,
// with zero, and the places are told.
// expect: exit=0 verdict=clean complete=true warnings=3 uninitialised_read_lines=UNSET
// expect: warning~"a local variable is read before it is written: flag"
#include <pthread.h>
#include <stdbool.h>

static int total, table[3] = {1, 2, 3};

static void add(int number) {
  total += number;
}

static void *branches(void *unused) {
  bool flag;
  if (flag) total = 1; // UNSET
  return NULL;
}

static void *computes(void *unused) {
  unsigned char index;
  int number;
  total += table[index]; // UNSET
  add(number);           // UNSET
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, branches, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, computes, NULL);
  pthread_join(thread, NULL);
  return total - 1;
}
