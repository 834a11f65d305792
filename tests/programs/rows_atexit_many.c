// SPDX-License-Identifier: MIT
// atexit takes 256 handlers; __cxa_atexit, which C++ and libc use, passes an argument.
// expect: exit=0 verdict=clean runs=1
// observe: argument=5 called=255
#include "heddle.h"
#include <stdlib.h>

int __cxa_atexit(void (*function)(void *), void *argument, void *module);

static int argument = 5, called;

static void call(void) {
  called++;
}

static void last(void *passed) {
  heddle_observe("argument", *(int *)passed);
  heddle_observe("called", called);
}

int main(void) {
  int added = __cxa_atexit(last, &argument, NULL) == 0;
  while (added < 256 && atexit(call) == 0) added++;
  return 0;
}
