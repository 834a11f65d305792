// SPDX-License-Identifier: MIT
// Structures copied, passed by value, returned, compared byte by byte, overlaid by unions.
// solver: check
#include "input.h"

#include <string.h>

struct pair {
  unsigned char a, b;
};
struct large {
  long before;
  struct pair pairs[3];
  int after;
};
union overlay {
  unsigned word;
  unsigned char bytes[4];
};

static struct pair swap(struct pair p) {
  return (struct pair){p.b, p.a};
}

static struct large enlarge(struct large l, struct pair p) {
  l.pairs[1] = p;
  l.after = p.a * 2;
  return l;
}

int main(void) {
  struct pair p = {heddle_input_uchar("a"), heddle_input_uchar("b")};
  struct pair q = swap(p);
  struct large l = {1, {{1, 2}, {3, 4}, {5, 6}}, 7}, copy;
  l = enlarge(l, q);
  memcpy(&copy, &l, sizeof l);
  if (q.a > 100) LEAF(1);
  if (copy.pairs[1].b == 7) LEAF(2);
  if (copy.after == 150) LEAF(3);
  union overlay overlay = {.word = 0x01020304};
  overlay.bytes[2] = p.a;
  if (overlay.word == 0x01990304) LEAF(4);
  if (copy.pairs[0].a == p.a) LEAF(5);
  return 0;
}
