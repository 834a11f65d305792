/* SPDX-License-Identifier: MIT
 *
 * Where there are terms: decisions, arguments of calls, memory. Instrumented code calls these, or groups.c does for it.
 */
#include "cold_hooks.h"

#include "followed.h"

void __heddle_slow_branch(uint32_t term, uint64_t taken, const struct site *site);
void __heddle_slow_switch(uint32_t term, uint64_t value, const struct switch_table *table, const struct site *site);
void __heddle_slow_divisor(uint32_t term, uint64_t value, const struct site *site);
void __heddle_slow_pin(uint32_t term, uint64_t why, const struct site *site);
void __heddle_term_store(void *address, uint64_t size, uint32_t term);
void __heddle_term_copy(void *to, const void *from, uint64_t size);
void __heddle_term_fill(void *to, uint64_t size, uint32_t term);

void __heddle_store_term(void *address, uint64_t size, uint32_t term) {
  __heddle_term_store(address, size, term);
}

void __heddle_branch(uint32_t term, uint64_t taken, const struct site *site) {
  if (term) __heddle_slow_branch(term, taken, site);
}

void __heddle_switch(uint32_t term, uint64_t value, const struct switch_table *table, const struct site *site) {
  if (term) __heddle_slow_switch(term, value, table, site);
}

void __heddle_address(uint32_t term, const void *address, uint64_t bytes, const void *object, uint64_t object_bytes,
                      const struct site *site) {
  if (term) __heddle_slow_address(term, address, bytes, object, object_bytes, site);
}

void __heddle_divisor(uint32_t term, uint64_t value, const struct site *site) {
  if (term) __heddle_slow_divisor(term, value, site);
}

void __heddle_pin(uint32_t term, uint64_t why, const struct site *site) {
  if (term) __heddle_slow_pin(term, why, site);
}

void __heddle_pass(uint64_t index, uint32_t term) {
  __heddle_call.terms[index] = term;
}

void __heddle_pass_unnamed(uint64_t index, uint32_t term, uint64_t class, const void *by_value, uint64_t bytes) {
  __heddle_call.terms[index] = term;
  __heddle_call.bytes[index] = (uint32_t)bytes;
  __heddle_call.classes[index] = (uint8_t) class;
  __heddle_call.by_value[index] = by_value;
}

void __heddle_passed(const void *callee, uint64_t count) {
  __heddle_call.count = (uint32_t)count;
  __heddle_call.callee = callee;
}

uint32_t __heddle_argument(uint32_t count, uint64_t index) {
  return index < count ? __heddle_call.terms[index] : 0;
}

void __heddle_by_value(void *structure, uint32_t count, uint64_t index, uint64_t size) {
  const void *from = index < count ? __heddle_call.by_value[index] : NULL;
  if (from)
    __heddle_term_copy(structure, from, size);
  else
    __heddle_term_fill(structure, size, 0);
}

void __heddle_save_call(struct symbolic_call *call) {
  *call = __heddle_call;
}

uint32_t __heddle_select(uint64_t code, uint32_t condition, uint64_t taken, uint32_t a, uint64_t a_value, uint32_t b,
                         uint64_t b_value) {
  if (!condition) return taken ? a : b;
  return __heddle_term_select(code, condition, a, a_value, b, b_value);
}

uint32_t __heddle_select_wide(uint64_t code, uint32_t condition, uint64_t taken, uint32_t a, uint64_t a_low,
                              uint64_t a_high, uint32_t b, uint64_t b_low, uint64_t b_high) {
  if (!condition) return taken ? a : b;
  return __heddle_term_select_wide(code, condition, a, a_low, a_high, b, b_low, b_high);
}
