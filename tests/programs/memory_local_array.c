// SPDX-License-Identifier: MIT
// An index beyond a local array whose address stays in the function.
// expect: exit=1 bug=memory line=BUG message~"bytes past the end of a variable"
#include <pthread.h>

static int limit = 8;

int main(void) {
  int squares[8], sum = 0;
  for (int i = 0; i <= limit; i++) squares[i] = i * i; /* BUG */
  for (int i = 0; i < limit; i++) sum += squares[i];
  return sum == 140 ? 0 : 1;
}
