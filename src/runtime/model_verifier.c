/* SPDX-License-Identifier: MIT
 *
 * What include/heddle.h and the SV-COMP conventions offer to a program under test. Weak, so that a program that defines
 * one of them itself keeps its own.
 */
#include "additions.h"
#include "ends.h"
#include "input_values.h"
#include "models.h"
#include "process.h"

#include <stdlib.h>

OFFERED void reach_error(void);
OFFERED void reach_error(void) {
  if (!controlled) abort();
  finish_run(OUTCOME_ERROR_REACHED, take_site(), 0);
}

OFFERED void __VERIFIER_error(void);
OFFERED void __VERIFIER_error(void) {
  if (!controlled) abort();
  finish_run(OUTCOME_ERROR_REACHED, take_site(), 0);
}

#define ASSUME(name)                                                                                                   \
  OFFERED void name(int condition);                                                                                    \
  void name(int condition) {                                                                                           \
    const uint32_t term = call_take_term((const void *)name, 0);                                                       \
    input_assume(condition, term, take_site());                                                                        \
  }

ASSUME(__VERIFIER_assume)
ASSUME(assume_abort_if_not)

void __heddle_slow_section_enter(const struct site *site);
void __heddle_slow_section_leave(const struct site *site);

OFFERED void __VERIFIER_atomic_begin(void);
OFFERED void __VERIFIER_atomic_begin(void) {
  if (__heddle_in_run) __heddle_slow_section_enter((const struct site *)(uint64_t)take_site());
}

OFFERED void __VERIFIER_atomic_end(void);
OFFERED void __VERIFIER_atomic_end(void) {
  if (__heddle_in_run) __heddle_slow_section_leave((const struct site *)(uint64_t)take_site());
}

/* ---- inputs ---- */

#define NONDETERMINISTIC(NAME, function, type)                                                                         \
  OFFERED type function(void);                                                                                         \
  type function(void) {                                                                                                \
    type result;                                                                                                       \
    uint32_t term;                                                                                                     \
    const bits value = input_take(&(struct input){INPUT_##NAME, NULL, take_site()}, &term);                            \
    memcpy(&result, &value, sizeof result);                                                                            \
    call_return_term((const void *)function, term);                                                                    \
    return result;                                                                                                     \
  }

#define INPUT(NAME, name, type, width, is_signed) NONDETERMINISTIC(NAME, __VERIFIER_nondet_##name, type)
#define INPUT_BLOCK(NAME, type, width, is_signed)
#include "abi/inputs.def"
#undef INPUT

/* Other names that are in use. */
NONDETERMINISTIC(BOOL, __VERIFIER_nondet__Bool, _Bool)
NONDETERMINISTIC(POINTER, __VERIFIER_nondet_charp, char *)
NONDETERMINISTIC(POINTER, __VERIFIER_nondet_pchar, char *)
NONDETERMINISTIC(CHAR, __VERIFIER_nondet_s8, signed char)
NONDETERMINISTIC(SHORT, __VERIFIER_nondet_s16, short)
NONDETERMINISTIC(INT, __VERIFIER_nondet_s32, int)
NONDETERMINISTIC(LONG, __VERIFIER_nondet_s64, long)
NONDETERMINISTIC(UCHAR, __VERIFIER_nondet_u8, unsigned char)
NONDETERMINISTIC(USHORT, __VERIFIER_nondet_u16, unsigned short)
NONDETERMINISTIC(UINT, __VERIFIER_nondet_u32, unsigned)
NONDETERMINISTIC(ULONG, __VERIFIER_nondet_u64, unsigned long)
NONDETERMINISTIC(UINT, __VERIFIER_nondet_unsigned, unsigned)
NONDETERMINISTIC(UCHAR, __VERIFIER_nondet_unsigned_char, unsigned char)
NONDETERMINISTIC(UINT, __VERIFIER_nondet_unsigned_int, unsigned)
NONDETERMINISTIC(LONGLONG, __VERIFIER_nondet_loff_t, long long)
NONDETERMINISTIC(ULONG, __VERIFIER_nondet_sector_t, unsigned long)

/* ---- observations ---- */

EXPORTED void heddle_observe(const char *label, long long value);
void heddle_observe(const char *label, long long value) {
  if (!controlled) return;
  rehearsal_check();
  if (rt->n_observations == MAX_OBSERVATIONS) {
    rt->knowledge->overflow = 1;
    return;
  }
  struct observation *observation = &rt->observations[rt->n_observations++];
  size_t length = string_length(label);
  if (length > LABEL_BYTES - 1) length = LABEL_BYTES - 1;
  memcpy(observation->label, label, length);
  observation->label[length] = 0;
  observation->value = value;
  observation->thread = self()->id;
}

static int compare_labels(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

static bool comes_before(const struct observation *a, const struct observation *b) {
  const int order = compare_labels(a->label, b->label);
  return order ? order < 0 : a->thread < b->thread;
}

/* By label, then thread, then the order in which the thread made them: the same text whatever the schedule was. */
static void sort_observations(void) {
  for (uint32_t i = 1; i < rt->n_observations; i++) {
    const struct observation moving = rt->observations[i];
    uint32_t at = i;
    for (; at > 0 && comes_before(&moving, &rt->observations[at - 1]); at--)
      rt->observations[at] = rt->observations[at - 1];
    rt->observations[at] = moving;
  }
}

static char *append_number(char *at, long long value) {
  char digits[24];
  int count = 0;
  unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
  do digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *at++ = '-';
  while (count) *at++ = digits[--count];
  return at;
}

static uint32_t write_observations(char *text) {
  char *at = text;
  for (uint32_t i = 0; i < rt->n_observations; i++) {
    if (i) *at++ = ' ';
    const size_t length = string_length(rt->observations[i].label);
    memcpy(at, rt->observations[i].label, length);
    at += length;
    *at++ = '=';
    at = append_number(at, rt->observations[i].value);
  }
  return (uint32_t)(at - text);
}

/* Counts what this run observed, if it observed anything. */
void observations_publish(void) {
  char *text = rt->observations_text;
  if (!rt->n_observations) return;
  sort_observations();
  const uint32_t bytes = write_observations(text);
  additions_observed(text, bytes);
}
