// SPDX-License-Identifier: MIT
//
// Accesses that cross a multiple of eight, and copies of structures: what is made of inputs is followed through bytes
// that held concrete values before, and concrete values take its place again.
//
// expect: verdict=clean complete=true paths=4
// observe: first=0 second=0
// observe: first=0 second=1
// observe: first=1 second=0
// observe: first=1 second=1
#include "heddle.h"
#include <stdlib.h>

struct __attribute__((packed)) odd {
  char padding[5];
  long value;
  char more[30];
};

int main(void) {
  struct odd *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  *a = *b = (struct odd){.value = 1};
  a->value = b->value = 2;
  *b = *a;
  a->value = heddle_input_long("x");
  heddle_observe("first", a->value == 77);
  a->value = 3;
  if (a->value == 77) abort();
  *b = *a;
  a->value = heddle_input_long("y");
  *b = *a;
  a->value = 4;
  heddle_observe("second", b->value == 78);
  *b = *a;
  if (b->value == 78) abort();
  free(a);
  free(b);
  return 0;
}
