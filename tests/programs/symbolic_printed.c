// SPDX-License-Identifier: MIT
// What is only printed need not be followed: everything is explored. Where the number of characters matters it is not.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=2
// observe: seven=1
#include "heddle.h"
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char text[3] = "ab";
  const int x = heddle_input_int("x");
  heddle_input_bytes("text", text, 2);
  printf("%d %s\n", x, text);
  puts(text);
  fputc(x, stderr);
  fwrite(text, 1, 2, stdout);
  fflush(stdout);
  if (write(1, text, 2) != 2) return 1;
  if (x == 7) heddle_observe("seven", 1);
  return 0;
}
