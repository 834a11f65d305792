// SPDX-License-Identifier: MIT
// Terms go through memory: copies of all sizes, overlapping ones, bit-fields, odd widths, unaligned places, parts of
// values, local variables that need no hooks. A path for each condition, and one where none holds.
// expect: exit=0 verdict=clean runs=16
#include "heddle.h"
#include <string.h>

struct fields {
  unsigned low : 3, middle : 13;
  int high : 16;
};

struct __attribute__((packed)) crooked {
  char first;
  int value;
  long other;
};

struct mixed {
  int number;
  float real;
  long more[9];
};

union parts {
  int whole;
  unsigned char bytes[4];
  unsigned short halves[2];
};

static int hits;
static int shared_numbers[8];
static struct mixed shared_mixed, shared_copy;
static struct crooked shared_crooked;
static struct fields shared_fields;
static _BitInt(33) shared_odd;
static unsigned _BitInt(100) shared_wide;
static char bytes[64];

static void is(int value, int wanted) {
  if (value == wanted) hits++;
}

static void in_structures(int x) {
  shared_mixed.number = x;
  shared_mixed.more[8] = x + 1L;
  shared_copy = shared_mixed;
  is(shared_copy.number, 1);
  is((int)shared_copy.more[8], 3);
  shared_crooked.value = x;
  shared_crooked.other = x;
  is(shared_crooked.value, 3);
  shared_fields.middle = (unsigned)x & 0x1fff;
  shared_fields.low = 7;
  is(shared_fields.middle, 4);
  shared_fields.high = (short)(x & 0x7fff);
  is(shared_fields.high, 5);
}

static void in_odd_widths(int x) {
  shared_odd = x;
  is(shared_odd == 6, 1);
  shared_wide = (unsigned)x;
  shared_wide <<= 60;
  is((int)(shared_wide >> 60), 7);
  volatile unsigned _BitInt(7) seven = (unsigned)x & 0x7f;
  is(seven, 8);
}

static void in_bytes(int x) {
  memcpy(bytes + 3, &x, sizeof x);
  memmove(bytes + 5, bytes + 3, 8);
  int back;
  memcpy(&back, bytes + 5, sizeof back);
  is(back, 9);
  volatile size_t length = 4;
  memmove(bytes + 6, bytes + 5, length);
  memcpy(&back, bytes + 6, sizeof back);
  is(back, 10);
  memset(bytes, x & 0xff, 16);
  memcpy(&back, bytes + 7, sizeof back);
  is(back, 0x0b0b0b0b);
  union parts parts = {x};
  is(parts.bytes[0], 12);
  parts.bytes[0] = 0;
  parts.bytes[1] = 0;
  is(parts.whole, 13); /* never: the low bytes are concrete now */
}

static void in_locals(int x) {
  int array[4] = {0, x, 2, 3};
  int copy[4];
  memcpy(copy, array, sizeof copy);
  copy[2] += copy[1];
  is(copy[2], 15);
  for (int i = 0; i < 8; i++) shared_numbers[i] = i ? shared_numbers[i - 1] + 1 : x;
  is(shared_numbers[7], 21);
  shared_numbers[7] = 3;
  is(shared_numbers[7], 4);
  int *volatile pointer = &array[1];
  is(*pointer, 16);
}

int main(void) {
  const int x = heddle_input_int("x");
  in_structures(x);
  in_odd_widths(x);
  in_bytes(x);
  in_locals(x);
  return 0;
}
