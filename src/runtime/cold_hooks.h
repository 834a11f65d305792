/* SPDX-License-Identifier: MIT
 *
 * The hooks of abi/hooks.def that instrumented code comes to only where there is a term: they have no fast half.
 */
#ifndef HEDDLE_RUNTIME_COLD_HOOKS_H
#define HEDDLE_RUNTIME_COLD_HOOKS_H

#include "terms.h"

/* ---- cold_hooks.c ---- */
EXPORTED void __heddle_store_term(void *address, uint64_t size, uint32_t term);
EXPORTED void __heddle_branch(uint32_t term, uint64_t taken, const struct site *site);
EXPORTED void __heddle_switch(uint32_t term, uint64_t value, const struct switch_table *table, const struct site *site);
EXPORTED void __heddle_address(uint32_t term, const void *address, uint64_t bytes, const void *object,
                               uint64_t object_bytes, const struct site *site);
EXPORTED void __heddle_divisor(uint32_t term, uint64_t value, const struct site *site);
EXPORTED void __heddle_pin(uint32_t term, uint64_t why, const struct site *site);
EXPORTED void __heddle_pass(uint64_t index, uint32_t term);
EXPORTED void __heddle_pass_unnamed(uint64_t index, uint32_t term, uint64_t class, const void *by_value,
                                    uint64_t bytes);
EXPORTED void __heddle_passed(const void *callee, uint64_t count);
EXPORTED uint32_t __heddle_argument(uint32_t count, uint64_t index);
EXPORTED void __heddle_by_value(void *structure, uint32_t count, uint64_t index, uint64_t size);
EXPORTED void __heddle_save_call(struct symbolic_call *call);
EXPORTED uint32_t __heddle_select(uint64_t code, uint32_t condition, uint64_t taken, uint32_t a, uint64_t a_value,
                                  uint32_t b, uint64_t b_value);
EXPORTED uint32_t __heddle_select_wide(uint64_t code, uint32_t condition, uint64_t taken, uint32_t a, uint64_t a_low,
                                       uint64_t a_high, uint32_t b, uint64_t b_low, uint64_t b_high);

/* ---- term_hooks.c ---- */
EXPORTED uint32_t __heddle_term_binary(uint64_t code, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value);
EXPORTED uint32_t __heddle_term_binary_wide(uint64_t code, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                            uint64_t b_low, uint64_t b_high);
EXPORTED uint32_t __heddle_term_cast(uint64_t code, uint32_t a);
EXPORTED uint32_t __heddle_term_compare(uint64_t code, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value);
EXPORTED uint32_t __heddle_term_compare_wide(uint64_t code, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                             uint64_t b_low, uint64_t b_high);
EXPORTED uint32_t __heddle_term_select(uint64_t code, uint32_t c, uint32_t a, uint64_t a_value, uint32_t b,
                                       uint64_t b_value);
EXPORTED uint32_t __heddle_term_select_wide(uint64_t code, uint32_t c, uint32_t a, uint64_t a_low, uint64_t a_high,
                                            uint32_t b, uint64_t b_low, uint64_t b_high);
EXPORTED uint32_t __heddle_term_intrinsic(uint64_t code, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value,
                                          uint32_t c, uint64_t c_value);
EXPORTED uint32_t __heddle_term_intrinsic_wide(uint64_t code, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                               uint64_t b_low, uint64_t b_high, uint32_t c, uint64_t c_low,
                                               uint64_t c_high);

#endif
