// SPDX-License-Identifier: MIT
// Blocks the program leaves, once per place of allocation; not those that a library keeps for itself.
// heddle: --leaks
// expect: exit=0 verdict=clean warnings=2 warning~leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

int main(void) {
  for (int i = 0; i < 3; i++) kept = malloc(10);
  free(malloc(20));
  kept = strdup("kept");
  printf("the buffer of stdout is allocated\n");
  return 0;
}
