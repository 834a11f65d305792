/* SPDX-License-Identifier: MIT
 *
 * Groups of hooks that instrumented code has as tables (abi/groups.h).
 */
#include "abi/groups.h"

#include "cold_hooks.h"

EXPORTED_DATA uint32_t __heddle_group_terms[GROUP_RESULTS]; /* all but the first result */

struct reader {
  const struct group_table *group;
  const uint8_t *next;
  const uint64_t *in_registers, *on_stack;
  uint32_t made[GROUP_STEPS]; /* by step */
};

static uint64_t read_constant(struct reader *reader, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)*reader->next++ << 8 * i;
  return value;
}

static uint64_t input(const struct reader *reader, unsigned index) {
  return index < GROUP_REGISTERS ? reader->in_registers[index] : reader->on_stack[index - GROUP_REGISTERS];
}

static uint64_t read_operand(struct reader *reader) {
  const uint8_t byte = *reader->next++;
  if (byte < OPERAND_STEP) return input(reader, byte - OPERAND_INPUT);
  if (byte < OPERAND_SMALL) return reader->made[byte - OPERAND_STEP];
  if (byte < OPERAND_POINTER) return byte - OPERAND_SMALL;
  if (byte < OPERAND_SHORT) return reader->group->pointers[byte - OPERAND_POINTER];
  return read_constant(reader, byte == OPERAND_SHORT ? 2 : 8);
}

/* ---- steps ---- */

static uint32_t step_term(enum hook hook, const uint64_t *o) {
  switch (hook) {
  case HOOK_argument: return __heddle_argument((uint32_t)o[0], o[1]);
  case HOOK_term_binary: return __heddle_term_binary(o[0], (uint32_t)o[1], o[2], (uint32_t)o[3], o[4]);
  case HOOK_term_binary_wide:
    return __heddle_term_binary_wide(o[0], (uint32_t)o[1], o[2], o[3], (uint32_t)o[4], o[5], o[6]);
  case HOOK_term_cast: return __heddle_term_cast(o[0], (uint32_t)o[1]);
  case HOOK_term_compare: return __heddle_term_compare(o[0], (uint32_t)o[1], o[2], (uint32_t)o[3], o[4]);
  case HOOK_term_compare_wide:
    return __heddle_term_compare_wide(o[0], (uint32_t)o[1], o[2], o[3], (uint32_t)o[4], o[5], o[6]);
  case HOOK_term_intrinsic:
    return __heddle_term_intrinsic(o[0], (uint32_t)o[1], o[2], (uint32_t)o[3], o[4], (uint32_t)o[5], o[6]);
  case HOOK_term_intrinsic_wide:
    return __heddle_term_intrinsic_wide(o[0], (uint32_t)o[1], o[2], o[3], (uint32_t)o[4], o[5], o[6], (uint32_t)o[7],
                                        o[8], o[9]);
  case HOOK_select: return __heddle_select(o[0], (uint32_t)o[1], o[2], (uint32_t)o[3], o[4], (uint32_t)o[5], o[6]);
  case HOOK_select_wide:
    return __heddle_select_wide(o[0], (uint32_t)o[1], o[2], (uint32_t)o[3], o[4], o[5], (uint32_t)o[6], o[7], o[8]);
  default:
    term_mismatch(0); /* the instrumenter and the runtime do not agree */
    return 0;
  }
}

static const struct site *site_in(uint64_t operand) {
  return (const struct site *)operand;
}

/* The term it makes, 0 if none. */
static uint32_t perform(enum hook hook, const uint64_t *o) {
  switch (hook) {
  case HOOK_store_term: __heddle_store_term((void *)o[0], o[1], (uint32_t)o[2]); return 0;
  case HOOK_branch: __heddle_branch((uint32_t)o[0], o[1], site_in(o[2])); return 0;
  case HOOK_switch: __heddle_switch((uint32_t)o[0], o[1], (const struct switch_table *)o[2], site_in(o[3])); return 0;
  case HOOK_address:
    __heddle_address((uint32_t)o[0], (const void *)o[1], o[2], (const void *)o[3], o[4], site_in(o[5]));
    return 0;
  case HOOK_divisor: __heddle_divisor((uint32_t)o[0], o[1], site_in(o[2])); return 0;
  case HOOK_pin: __heddle_pin((uint32_t)o[0], o[1], site_in(o[2])); return 0;
  case HOOK_pass: __heddle_pass(o[0], (uint32_t)o[1]); return 0;
  case HOOK_pass_unnamed: __heddle_pass_unnamed(o[0], (uint32_t)o[1], o[2], (const void *)o[3], o[4]); return 0;
  case HOOK_passed: __heddle_passed((const void *)o[0], o[1]); return 0;
  case HOOK_by_value: __heddle_by_value((void *)o[0], (uint32_t)o[1], o[2], o[3]); return 0;
  case HOOK_save_call: __heddle_save_call((struct symbolic_call *)o[0]); return 0;
  default: return step_term(hook, o);
  }
}

static void perform_step(struct reader *reader, unsigned step) {
  const enum hook hook = *reader->next++;
  const unsigned count = *reader->next++;
  uint64_t operands[GROUP_OPERANDS];
  for (unsigned i = 0; i < count; i++) operands[i] = read_operand(reader);
  reader->made[step] = perform(hook, operands);
}

uint32_t groups_perform(const struct group_table *group, const uint64_t *in_registers, const uint64_t *on_stack);
uint32_t groups_perform(const struct group_table *group, const uint64_t *in_registers, const uint64_t *on_stack) {
  struct reader reader;
  reader.group = group;
  reader.next = (const uint8_t *)(group->pointers + group->n_pointers);
  reader.in_registers = in_registers;
  reader.on_stack = on_stack;
  for (unsigned i = 0; i < group->n_steps; i++) perform_step(&reader, i);
  if (!group->n_results) return 0;
  for (unsigned i = 1; i < group->n_results; i++) __heddle_group_terms[i] = reader.made[reader.next[i]];
  return reader.made[reader.next[0]];
}
