// SPDX-License-Identifier: MIT
// The program becomes another one: nobody could follow it.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"exec: the program becomes"
#include <unistd.h>

int main(void) {
  execl("/bin/true", "true", (char *)NULL); // HERE
  return 0;
}
