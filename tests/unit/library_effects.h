/* SPDX-License-Identifier: MIT
 *
 * TRY(function, arguments...) calls a function of the C library twice and compares what it changed with its row of
 * abi/effects.def. Memory for it: OUT, OUT2 and OUT3 are filled with patterns, IN and IN2 keep what they are given, up
 * to the end of the try.
 */
#ifndef HEDDLE_TESTS_LIBRARY_EFFECTS_H
#define HEDDLE_TESTS_LIBRARY_EFFECTS_H

#include "runtime/effect_rows.c"
#include "runtime/effect_spans.c"
#include "runtime/formats.c"
#include "unit.h"

#include <string.h>

#define OUT_BYTES 0x4000
#define MEMORY_BYTES 0x8000
static _Alignas(64) unsigned char memory[MEMORY_BYTES];
static unsigned char input[MEMORY_BYTES], before[MEMORY_BYTES], declared[MEMORY_BYTES], changed[MEMORY_BYTES];

#define OUT ((char *)memory)
#define OUT2 ((char *)memory + 0x1000)
#define OUT3 ((char *)memory + 0x2000)
#define IN ((char *)memory + OUT_BYTES) /* keeps what it is given, up to the end of the try */
#define IN2 (IN + 0x1000)

typedef uint64_t any_function(uint64_t first, ...);

static uint64_t all_readable(uint64_t address) {
  return UINT64_MAX;
}

static void note_read(void *context, uint64_t address, uint64_t bytes) {
  uint64_t *sum = context;
  for (uint64_t i = 0; i < bytes; i++) *sum += ((const volatile unsigned char *)address)[i];
}

static void declare(const struct span *span) {
  for (uint64_t i = 0; i < span->bytes; i++) {
    const uint64_t place = span->address + i - (uint64_t)memory;
    if (place < MEMORY_BYTES) declared[place] |= span->only_changes ? 1 : 2;
  }
}

static void compare(const char *name) {
  for (unsigned i = 0; i < MEMORY_BYTES; i++) {
    if (memory[i] == before[i]) continue;
    changed[i] = 1;
    if (!declared[i]) fail_msg("%s writes byte %#x, which its row does not say", name, i);
  }
}

__attribute__((no_sanitize("function"))) static void call_once(const struct effect_row *row, any_function *function,
                                                               uint64_t *a) {
  struct effect_call call = {.row = row, .stack = a + 6};
  struct spans spans = {0};
  uint64_t sum = 0;
  memcpy(call.general, a, sizeof call.general);
  effect_spans_read(&call, note_read, &sum, &spans);
  effect_spans_may_write(&call, all_readable, &spans);
  memcpy(before, memory, MEMORY_BYTES);
  call.result = function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  effect_spans_wrote(&call, &spans);
  assert_false(spans.incomplete);
  for (unsigned i = 0; i < spans.count; i++) declare(&spans.spans[i]);
  compare(row->name);
}

static void try(const struct effect_row *row, any_function *function, bool loose, const uint64_t *arguments) {
  memcpy(input, memory, MEMORY_BYTES);
  memset(changed, 0, sizeof changed);
  for (int round = 0; round < 2; round++) {
    uint64_t copy[8];
    memcpy(copy, arguments, sizeof copy);
    memset(memory, round ? 0x55 : 0xaa, OUT_BYTES);
    memcpy(IN, input + OUT_BYTES, MEMORY_BYTES - OUT_BYTES);
    memset(declared, 0, sizeof declared);
    call_once(row, function, copy);
  }
  for (unsigned i = 0; i < OUT_BYTES && !loose; i++)
    if (declared[i] == 2 && !changed[i]) fail_msg("%s does not write byte %#x, as its row says", row->name, i);
  memset(IN, 0, MEMORY_BYTES - OUT_BYTES);
}

#define WORD(x) (uint64_t)(x)
#define TRY_AS(name, function, loose, ...)                                                                             \
  try(&__heddle_effects_##name, (any_function *)(void *)(function), loose, (const uint64_t[8]){__VA_ARGS__})
#define TRY(name, ...) TRY_AS(name, name, false, __VA_ARGS__)
#define TRY_LOOSELY(name, ...) TRY_AS(name, name, true, __VA_ARGS__)
#define P(x) (uint64_t)(const void *)(x)

static char *text_at(char *to, const char *text) {
  return strcpy(to, text);
}

#endif
