// SPDX-License-Identifier: MIT
// A child that would change a file: the run ends before it does, and the message names the file.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"or changes one: made-by-child"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  const int status = system("echo words > made-by-child"); // HERE
  assert(status == 1);
  return 0;
}
