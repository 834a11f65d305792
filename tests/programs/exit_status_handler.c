// SPDX-License-Identifier: MIT
// A handler of atexit that ends the process with a failing status: that call is named.
// expect: exit=1 bugs=1 bug=exit line=BUG function=check message="exit status 5: _exit called"
#include <stdlib.h>
#include <unistd.h>

static int failures = 1;

static void check(void) {
  if (failures) _exit(5); /* BUG */
}

int main(void) {
  atexit(check);
  return 0;
}
