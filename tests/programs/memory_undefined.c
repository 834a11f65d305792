// SPDX-License-Identifier: MIT
// expect: exit=0 verdict=clean warnings=1 warning~uninitialised-read
#include <pthread.h>
#include <stdlib.h>

static int seen;

static void *reader(void *argument) {
  const int *numbers = argument;
  seen = numbers[0] + numbers[1]; // the second has no value
  return NULL;
}

int main(void) {
  int *numbers = malloc(2 * sizeof *numbers);
  numbers[0] = 1;
  reader(numbers);
  free(numbers);
  return 0;
}
