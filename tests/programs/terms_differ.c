// SPDX-License-Identifier: MIT
// A term that is not what the program computed is noticed, dropped, and said.
// expect: exit=3 verdict=incomplete warnings=1 warning~"differs from its term"
#include "heddle.h"
#include <stdint.h>

struct symbolic_return {
  const void *from;
  uint32_t terms[2];
};
extern struct symbolic_return __heddle_return;
void __heddle_term_store(void *, uint64_t, uint32_t);
uint32_t __heddle_term_load(const void *, uint64_t);

static int place;

int main(void) {
  const int input = heddle_input_int("x");
  const uint32_t term = __heddle_return.terms[0];
  place = input + 1;
  __heddle_term_store(&place, sizeof place, term);
  if (__heddle_term_load(&place, sizeof place)) __builtin_trap();
  return 0;
}
