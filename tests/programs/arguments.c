// SPDX-License-Identifier: MIT
// args: one "two words"
// expect: exit=0 verdict=clean
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 3);
  assert(strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two words") == 0 && argv[3] == NULL);
  return 0;
}
