// SPDX-License-Identifier: MIT
// Arguments that are inputs come after the given ones.
// heddle: --sym-args 1 2
// args: given
// expect: exit=1 verdict=bug bug=assertion line=BUG paths=3
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 3 && strcmp(argv[1], "given") == 0 && !argv[3]);
  if (strcmp(argv[2], "-v") == 0) assert(0); /* BUG */
  return 0;
}
