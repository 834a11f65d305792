/* SPDX-License-Identifier: MIT
 *
 * What KLEE's klee.h declares, so that programs written for it can be run: the same inputs as heddle's own.
 */
#include "ends.h"
#include "input_values.h"
#include "models.h"

#include <stdlib.h>
#include <unistd.h>

OFFERED void klee_make_symbolic(void *memory, size_t size, const char *name);
void klee_make_symbolic(void *memory, size_t size, const char *name) {
  const site_id site = take_site();
  uint32_t terms[3] = {0};
  call_take_terms((const void *)klee_make_symbolic, terms, 3);
  decide_pin(terms[0], PIN_MODEL, site);
  decide_pin(terms[1], PIN_SIZE, site);
  input_fill(&(struct input){INPUT_BYTES, name, site}, memory, size);
}

OFFERED int klee_int(const char *name);
int klee_int(const char *name) {
  uint32_t term;
  call_take_term((const void *)klee_int, 0);
  const bits value = input_take(&(struct input){INPUT_INT, name, take_site()}, &term);
  call_return_term((const void *)klee_int, term);
  return (int)value;
}

/* The end is not part of the range. */
OFFERED int klee_range(int begin, int end, const char *name);
int klee_range(int begin, int end, const char *name) {
  const site_id site = take_site();
  uint32_t terms[2] = {0}, term;
  call_take_terms((const void *)klee_range, terms, 2);
  const uint32_t last = terms[1] ? term_make(TERM_SUBTRACT, 32, 0, terms[1], term_constant(1, 32), 0) : 0;
  const struct input_range range = {begin, (signed_bits)end - 1, terms[0], last};
  const bits value = input_take_between(&(struct input){INPUT_INT, name, site}, range, &term);
  call_return_term((const void *)klee_range, term);
  return (int)value;
}

OFFERED void klee_assume(uintptr_t condition);
void klee_assume(uintptr_t condition) {
  const uint32_t term = call_take_term((const void *)klee_assume, 0);
  input_assume(condition, term, take_site());
}

/* The run says nothing. */
OFFERED _Noreturn void klee_silent_exit(int status);
_Noreturn void klee_silent_exit(int status) {
  if (!controlled) _exit(status);
  finish_run(OUTCOME_ASSUMPTION_FAILED, take_site(), 0);
}

OFFERED _Noreturn void klee_abort(void);
_Noreturn void klee_abort(void) {
  if (!controlled) abort();
  finish_run(OUTCOME_ABORT, take_site(), 0);
}

OFFERED _Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  if (!controlled) abort();
  finish_run_with_message(OUTCOME_ASSERTION, take_site(), 0, message);
}

OFFERED unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_symbolic(uintptr_t value) {
  const uint32_t term = call_take_term((const void *)klee_is_symbolic, 0);
  call_return_term((const void *)klee_is_symbolic, 0);
  return term != 0;
}

/* The value as it is in this run. */
#define GET_VALUE(name, type)                                                                                          \
  OFFERED type name(type value);                                                                                       \
  type name(type value) {                                                                                              \
    decide_pin(call_take_term((const void *)name, 0), PIN_MODEL, take_site());                                         \
    call_return_term((const void *)name, 0);                                                                           \
    return value;                                                                                                      \
  }

GET_VALUE(klee_get_value_i32, int32_t)
GET_VALUE(klee_get_value_i64, int64_t)
GET_VALUE(klee_get_valuel, long)
GET_VALUE(klee_get_valuell, long long)

/* Advice that heddle does not need. */
OFFERED void klee_prefer_cex(void *object, uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition) {
  call_take_term((const void *)klee_prefer_cex, 0);
}

OFFERED void klee_open_merge(void);
void klee_open_merge(void) {}

OFFERED void klee_close_merge(void);
void klee_close_merge(void) {}
