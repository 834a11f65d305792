// SPDX-License-Identifier: MIT
// Terms go through calls: arguments and results, of static functions and others, through pointers, recursion,
// structures by value and in registers, musttail, threads. Each condition holds for one value of the input, so that
// there is a path for each, and one where none does.
// expect: exit=0 verdict=clean runs=15
#include "heddle.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

struct pair {
  long first, second;
};

struct large {
  int members[12];
};

static int hits;

static void is(int value, int wanted) {
  if (value == wanted) hits++;
}

static int plus_one(int x) {
  return x + 1;
}

int visible(int unused, short y) {
  return y - 3;
}

static int twice(int x) {
  return x * 2;
}

static unsigned recursive(unsigned n, unsigned x) {
  return n ? recursive(n - 1, x) + 1 : x;
}

static struct pair both(long a, long b) {
  return (struct pair){a + 1, b + 2};
}

static struct large fill(int x) {
  struct large large = {{0}};
  large.members[7] = x;
  return large;
}

static int member(struct large large, int index) {
  return large.members[index];
}

static int last(int x) {
  return x ^ 1;
}

int forwards(int x) {
  __attribute__((musttail)) return last(x);
}

static void *start(void *argument) {
  is((int)(long)argument, 9);
  return (char *)argument + 1;
}

static __int128 wide(__int128 x) {
  return x * 3;
}

static _Bool truth(_Bool x) {
  return !x;
}

static char through_pointer(const char *text, int (*function)(int), int x) {
  return (char)(function(x) + text[0]);
}

static int many(int a, int b, int c, int d, int e, int f, int g, int h, double i, int j) {
  return a + b + c + d + e + f + g + h + (int)i + j;
}

int main(void) {
  const int x = heddle_input_int("x");
  is(plus_one(x), 1);
  is(visible(0, (short)(x & 0x7f)), -2);
  int (*volatile function)(int) = twice;
  is(function(x & 0x7f), 4);
  is((int)recursive(3, (unsigned)x), 6);
  const struct pair pair = both(1, x);
  is((int)pair.second, 6);
  is((int)pair.first, 3); /* never */
  is(member(fill(x), 7), 5);
  is(forwards(x), 7);
  is((int)(wide(x) == 21), 1);
  is(truth(x != 8), 1);
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, start, (void *)(long)x);
  pthread_join(thread, &result);
  is((int)(long)result, 11);
  is(through_pointer("A", plus_one, x & 0x7f), (char)('A' + 12));
  is(many(1, 1, 1, 1, 1, 1, 1, x, 1.5, 1), 21);
  jmp_buf place;
  volatile int kept = 0;
  if (setjmp(place) == 0) {
    kept = x;
    longjmp(place, 1);
  }
  is(kept, 13);
  return 0;
}
