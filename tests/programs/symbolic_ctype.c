// SPDX-License-Identifier: MIT
// <ctype.h> makes no decisions of its own: two ways for each test, and two more in the assertions.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=12
#include "heddle.h"
#include <assert.h>
#include <ctype.h>

int main(void) {
  const unsigned char c = heddle_input_uchar("c");
  switch (heddle_input_range("which", 0, 4)) {
  case 0:
    if (isdigit(c)) assert(c >= '0' && c <= '9');
    break;
  case 1:
    if (toupper(c) == 'Q') assert(c == 'q' || c == 'Q');
    break;
  case 2:
    if (!isxdigit(c)) assert(c != 'f' && c != 'A' && c != '7');
    break;
  case 3:
    if (isspace(c)) assert(c == ' ' || (c >= 9 && c <= 13));
    break;
  default:
    if (tolower(c) != c) assert(isupper(c));
    break;
  }
  return 0;
}
