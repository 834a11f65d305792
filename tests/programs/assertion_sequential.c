// SPDX-License-Identifier: MIT
// Also without threads.
// expect: exit=1 bug=assertion line=BUG function=main
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc == 3); /* BUG */
  return 0;
}
