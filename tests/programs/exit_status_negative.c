// SPDX-License-Identifier: MIT
// A status of -1 is one of 255.
// expect: exit=1 bugs=1 bug=exit line=BUG message="exit status 255: exit called"
#include <stdlib.h>

int main(void) {
  exit(-1); /* BUG */
}
