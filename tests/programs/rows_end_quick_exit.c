// SPDX-License-Identifier: MIT
// quick_exit ends the run with its status and runs no atexit handlers; what follows it is not reached.
// heddle: --strategy exhaustive --exit-status any
// expect: exit=0 verdict=clean runs=1
// observe: main=1
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int order;

static void first(void) {
  heddle_observe("first", ++order);
}

static void second(void) {
  heddle_observe("second", ++order);
}

int main(void) {
  assert(atexit(first) == 0 && atexit(second) == 0);
  heddle_observe("main", 1);
  quick_exit(3);
  assert(!"reached");
}
