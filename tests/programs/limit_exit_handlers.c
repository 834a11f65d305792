// SPDX-License-Identifier: MIT
// More handlers of atexit than heddle has room for: glibc would take them.
// expect: exit=3 verdict=incomplete bugs=0 output~"256 exit handlers"
#include <assert.h>
#include <stdlib.h>

static void call(void) {}

int main(void) {
  for (int i = 0; i < 300; i++) assert(atexit(call) == 0);
  return 0;
}
