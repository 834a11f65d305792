// SPDX-License-Identifier: MIT
// A child would not see the file that the run has written, which is private to it.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"own, or changes one: private"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *file = fopen("private", "w");
  assert(file && fputs("words\n", file) >= 0 && fclose(file) == 0);
  assert(system("ls / > /dev/null") == 0);
  assert(system("grep -q words private") == 0); // HERE
  return 0;
}
