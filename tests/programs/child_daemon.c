// SPDX-License-Identifier: MIT
// The program would continue as another process.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"daemon: the program continues"
#include <unistd.h>

int main(void) {
  return daemon(0, 0); // HERE
}
