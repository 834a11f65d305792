// SPDX-License-Identifier: MIT
// memcmp and bcmp over bytes of inputs.
// paths: at least
#include "input.h"

#include <string.h>
#include <strings.h>

int main(void) {
  unsigned char a[2], b[2] = {7, 200};
  heddle_input_bytes("a", a, sizeof a);
  const int order = memcmp(a, b, 2);
  if (order < 0) LEAF(1);
  if (order > 0) LEAF(2);
  if (order == 0) LEAF(3);
  if (bcmp(a, "\377\001", 2) == 0) LEAF(4);
  if (memcmp(a, a + 1, 1) == 0) LEAF(5);
  return 0;
}
