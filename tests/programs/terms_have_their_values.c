// SPDX-License-Identifier: MIT
// The value of a term is what the program computes: operators, comparisons, intrinsics and casts on pseudo-random
// operands of many widths, and bytes through memory. The runtime compares a term that is stored with the bytes that
// are there, and warns where they differ (terms_differ.c).
// heddle: --strategy random --max-runs 20 --max-terms 1000000
// expect: exit=3 warnings=0
#include "heddle.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 bits;
typedef __int128 signed_bits;

/* abi/symbolic.h, as far as needed: this file is compiled like any program. */
enum {
  ADD = 2,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  DIVIDE_SIGNED,
  REMAINDER,
  REMAINDER_SIGNED,
  AND,
  OR,
  XOR,
  LEFT,
  RIGHT,
  RIGHT_SIGNED
};
enum { ZERO_EXTEND = 21, SIGN_EXTEND, EXTRACT };
enum {
  UMIN,
  UMAX,
  SMIN,
  SMAX,
  ABS,
  UADD_SAT,
  SADD_SAT,
  USUB_SAT,
  SSUB_SAT,
  UADD_O,
  SADD_O,
  USUB_O,
  SSUB_O,
  UMUL_O,
  SMUL_O,
  ONES,
  LEADING,
  TRAILING,
  SWAP,
  REVERSE,
  FUNNEL_LEFT,
  FUNNEL_RIGHT
};

struct symbolic_return {
  const void *from;
  uint32_t terms[2];
};
extern struct symbolic_return __heddle_return;
uint32_t __heddle_term_binary_wide(uint64_t, uint32_t, uint64_t, uint64_t, uint32_t, uint64_t, uint64_t);
uint32_t __heddle_term_compare_wide(uint64_t, uint32_t, uint64_t, uint64_t, uint32_t, uint64_t, uint64_t);
uint32_t __heddle_term_intrinsic_wide(uint64_t, uint32_t, uint64_t, uint64_t, uint32_t, uint64_t, uint64_t, uint32_t,
                                      uint64_t, uint64_t);
uint32_t __heddle_term_cast(uint64_t, uint32_t);
uint32_t __heddle_term_load(const void *, uint64_t);
void __heddle_term_store(void *, uint64_t, uint32_t);
void __heddle_term_copy(void *, const void *, uint64_t);

static bits random_bits(void) {
  static bits state = 1;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  state ^= state << 57 ^ state >> 71;
  const unsigned few = (unsigned)(state >> 100) % 128;
  return (unsigned)(state >> 96) % 3 ? state : state >> few;
}

static bits mask(unsigned width) {
  return width == 128 ? ~(bits)0 : ((bits)1 << width) - 1;
}

static signed_bits as_signed(bits value, unsigned width) {
  return (signed_bits)(value << (128 - width)) >> (128 - width);
}

/* The term is there, and has the value. */
static void expect(uint32_t term, unsigned width, bits value) {
  static bits place;
  place = value & mask(width);
  if (!term) __builtin_trap();
  __heddle_term_store(&place, sizeof place, term);
}

/* An input of the width, with the value. */
static uint32_t make(bits *value, unsigned width) {
  const unsigned __int128 input = heddle_input_uint128("x");
  /* 128 bits are returned in two registers, with a term for each. */
  const uint32_t low = __heddle_return.terms[0], high = __heddle_return.terms[1];
  const uint32_t upper =
      __heddle_term_binary_wide(LEFT | 128 << 8, __heddle_term_cast(ZERO_EXTEND | 128 << 8, high), 0, 0, 0, 64, 0);
  const uint32_t whole =
      __heddle_term_binary_wide(OR | 128 << 8, __heddle_term_cast(ZERO_EXTEND | 128 << 8, low), 0, 0, upper, 0, 0);
  const bits random = random_bits();
  const uint32_t mixed =
      __heddle_term_binary_wide(XOR | 128 << 8, whole, 0, 0, 0, (uint64_t)random, (uint64_t)(random >> 64));
  *value = (input ^ random) & mask(width);
  return __heddle_term_cast(EXTRACT | width << 8, mixed);
}

static bits divide_signed(bits a, bits b, unsigned width) {
  const signed_bits x = as_signed(a, width), y = as_signed(b, width);
  if (y == -1) return -a;
  return (bits)(x / y);
}

static bits remainder_signed(bits a, bits b, unsigned width) {
  const signed_bits x = as_signed(a, width), y = as_signed(b, width);
  return y == -1 ? 0 : (bits)(x % y);
}

static void operators(unsigned width) {
  bits a, b;
  const uint32_t left = make(&a, width), right = make(&b, width);
  const unsigned by = (unsigned)(b % width);
  const bits divisor = b ? b : 1;
  const struct {
    unsigned kind;
    bits b, expected;
  } cases[] = {{ADD, b, a + b},
               {SUBTRACT, b, a - b},
               {MULTIPLY, b, a * b},
               {DIVIDE, divisor, a / divisor},
               {DIVIDE_SIGNED, divisor, divide_signed(a, divisor, width)},
               {REMAINDER, divisor, a % divisor},
               {REMAINDER_SIGNED, divisor, remainder_signed(a, divisor, width)},
               {AND, b, a & b},
               {OR, b, a | b},
               {XOR, b, a ^ b},
               {LEFT, by, a << by},
               {RIGHT, by, a >> by},
               {RIGHT_SIGNED, by, (bits)(as_signed(a, width) >> by)}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint32_t operand = cases[i].b == b ? right : 0;
    expect(__heddle_term_binary_wide(cases[i].kind | width << 8, left, 0, 0, operand, (uint64_t)cases[i].b,
                                     (uint64_t)(cases[i].b >> 64)),
           width, cases[i].expected);
  }
}

static void comparisons(unsigned width) {
  bits a, b;
  const uint32_t left = make(&a, width), right = make(&b, width);
  const signed_bits x = as_signed(a, width), y = as_signed(b, width);
  const bool answers[] = {a == b, a != b, a > b, a >= b, a<b, a <= b, x> y, x >= y, x < y, x <= y};
  for (unsigned i = 0; i < 10; i++)
    expect(__heddle_term_compare_wide(i | width << 8, left, 0, 0, right, 0, 0), 1, answers[i]);
}

static void casts(unsigned width) {
  bits a;
  const uint32_t term = make(&a, width);
  const unsigned low = (unsigned)(random_bits() % width), rest = width - low;
  expect(__heddle_term_cast(ZERO_EXTEND | 128 << 8, term), 128, a);
  expect(__heddle_term_cast(SIGN_EXTEND | 128 << 8, term), 128, (bits)as_signed(a, width));
  expect(__heddle_term_cast(EXTRACT | rest << 8 | low << 16, term), rest, a >> low);
}

/* The sum, difference or product is not what it would be with more bits. */
static bool overflows(unsigned kind, bits a, bits b, unsigned width) {
  const signed_bits x = as_signed(a, width), y = as_signed(b, width);
  signed_bits wide;
  bits unsigned_wide;
  bool lost;
  switch (kind) {
  case UADD_O: return (__builtin_add_overflow(a, b, &unsigned_wide)) | (unsigned_wide > mask(width));
  case USUB_O: return a < b;
  case UMUL_O: return (__builtin_mul_overflow(a, b, &unsigned_wide)) | (unsigned_wide > mask(width));
  case SADD_O: lost = __builtin_add_overflow(x, y, &wide); break;
  case SSUB_O: lost = __builtin_sub_overflow(x, y, &wide); break;
  default: lost = __builtin_mul_overflow(x, y, &wide); break;
  }
  return lost || as_signed((bits)wide, width) != wide;
}

static bits saturated(unsigned kind, bits a, bits b, unsigned width) {
  const bits smallest = (bits)1 << (width - 1), end = as_signed(a, width) < 0 ? smallest : smallest - 1;
  switch (kind) {
  case UADD_SAT: return overflows(UADD_O, a, b, width) ? mask(width) : a + b;
  case USUB_SAT: return a < b ? 0 : a - b;
  case SADD_SAT: return overflows(SADD_O, a, b, width) ? end : a + b;
  default: return overflows(SSUB_O, a, b, width) ? end : a - b;
  }
}

static bits reversed(bits a, unsigned width, unsigned size) {
  bits result = 0;
  for (unsigned i = 0; i < width; i += size) result = result << size | (a >> i & mask(size));
  return result;
}

static bits counted(unsigned kind, bits a, unsigned width) {
  bits count = 0;
  for (unsigned i = 0; i < width; i++) {
    const bool one = a >> (kind == LEADING ? width - 1 - i : i) & 1;
    if (kind != ONES && one) break;
    count += kind == ONES ? one : 1;
  }
  return count;
}

static void intrinsics(unsigned width) {
  bits a, b, c;
  const uint32_t first = make(&a, width), second = make(&b, width), third = make(&c, width);
  const signed_bits x = as_signed(a, width), y = as_signed(b, width);
  const unsigned by = (unsigned)(c % width);
  const bits left = by ? a << by | b >> (width - by) : a, right = by ? a << (width - by) | b >> by : b;
  const bits expected[] = {[UMIN] = a < b ? a : b,
                           [UMAX] = a < b ? b : a,
                           [SMIN] = x < y ? a : b,
                           [SMAX] = x < y ? b : a,
                           [ABS] = x < 0 ? -a : a,
                           [UADD_SAT] = saturated(UADD_SAT, a, b, width),
                           [SADD_SAT] = saturated(SADD_SAT, a, b, width),
                           [USUB_SAT] = saturated(USUB_SAT, a, b, width),
                           [SSUB_SAT] = saturated(SSUB_SAT, a, b, width),
                           [UADD_O] = overflows(UADD_O, a, b, width),
                           [SADD_O] = overflows(SADD_O, a, b, width),
                           [USUB_O] = overflows(USUB_O, a, b, width),
                           [SSUB_O] = overflows(SSUB_O, a, b, width),
                           [UMUL_O] = overflows(UMUL_O, a, b, width),
                           [SMUL_O] = overflows(SMUL_O, a, b, width),
                           [ONES] = counted(ONES, a, width),
                           [LEADING] = counted(LEADING, a, width),
                           [TRAILING] = counted(TRAILING, a, width),
                           [SWAP] = reversed(a, width, 8),
                           [REVERSE] = reversed(a, width, 1),
                           [FUNNEL_LEFT] = left,
                           [FUNNEL_RIGHT] = right};
  for (unsigned kind = UMIN; kind <= FUNNEL_RIGHT; kind++) {
    if (kind == SWAP && width % 16) continue;
    const unsigned result = kind >= UADD_O && kind <= SMUL_O ? 1 : width;
    expect(__heddle_term_intrinsic_wide(kind | width << 8, first, 0, 0, second, 0, 0, third, 0, 0), result,
           expected[kind]);
  }
}

/* Bytes of several terms, put together and moved over each other. */
static void memory(void) {
  static unsigned char bytes[32];
  bits a, b, whole = 0;
  const uint32_t left = make(&a, 64), right = make(&b, 32);
  memcpy(bytes, &a, 8);
  __heddle_term_store(bytes, 8, left);
  memcpy(bytes + 6, &b, 4);
  __heddle_term_store(bytes + 6, 4, right);
  expect(__heddle_term_load(bytes, 8), 64, (a & mask(48)) | b << 48);
  memmove(bytes + 1, bytes, 12);
  __heddle_term_copy(bytes + 1, bytes, 12);
  memcpy(&whole, bytes, 16);
  expect(__heddle_term_load(bytes, 16), 128, whole);
  bytes[3] ^= 1; /* seen by the write hook, if there is one: the byte has no term now */
  __heddle_term_store(bytes + 3, 1, 0);
  memcpy(&whole, bytes, 16);
  expect(__heddle_term_load(bytes, 16), 128, whole);
  if (__heddle_term_load(bytes + 16, 4)) __builtin_trap();
}

int main(void) {
  const unsigned char widths[] = {1, 2, 3, 7, 8, 13, 16, 24, 32, 33, 48, 63, 64, 65, 80, 96, 127, 128};
  for (unsigned i = 0; i < sizeof widths; i++) {
    operators(widths[i]);
    comparisons(widths[i]);
    casts(widths[i]);
    intrinsics(widths[i]);
  }
  memory();
  return 0;
}
