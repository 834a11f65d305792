// SPDX-License-Identifier: MIT
//
// Accesses that cross a multiple of eight, of bytes that their thread has had to itself so far: they are seen once
// another thread uses them.
//
// expect: runs=2 verdict=clean complete=true
// observe: value=3
// observe: value=4
#include "heddle.h"
#include <pthread.h>
#include <stdlib.h>

struct __attribute__((packed)) odd {
  char padding[5];
  long value;
  char more[30];
};

static struct odd *odd;

static void *read_value(void *unused) {
  heddle_observe("value", odd->value);
  return NULL;
}

int main(void) {
  pthread_t thread;
  odd = malloc(sizeof *odd);
  *odd = (struct odd){.value = 1};
  odd->value = 2;
  odd->value++;
  pthread_create(&thread, NULL, read_value, NULL);
  odd->value = 4;
  pthread_join(thread, NULL);
  free(odd);
  return 0;
}
