/* SPDX-License-Identifier: MIT
 *
 * A group of hooks as a table: what instrumented code does where there is a term (src/instrument/shadow.h). One call of
 * __heddle_group stands for all of them:
 *
 *     uint32_t __heddle_group(const struct group_table *group, uint64_t input...)
 *
 * It keeps all registers but those of vectors and %r11, and %rax unless the group has results: that is clang's
 * preserve_most. __heddle_group_term is the same for a group with results; it returns the first one, and leaves the
 * others in __heddle_group_terms.
 *
 * After struct group_table there are its pointers (32 bits each: executables lie below 4 GiB) and then its bytes: the
 * steps, each of them an enum hook, the number of operands and the operands, and in the end the numbers of the steps
 * that the results are of. An operand is one byte, from these on:
 */
#ifndef HEDDLE_ABI_GROUPS_H
#define HEDDLE_ABI_GROUPS_H

#include <stdint.h>

enum hook {
#define HOOK(name, ...) HOOK_##name,
#define TERM_HOOK(name, ...) HOOK_##name,
#define PURE_HOOK(name, ...) HOOK_##name,
#define POINTER_HOOK(name, ...) HOOK_##name,
#include "abi/hooks.def"
#undef POINTER_HOOK
#undef HOOK
#undef TERM_HOOK
#undef PURE_HOOK
  HOOKS
};

enum group_operand {
  OPERAND_INPUT = 0x00,   /* + its number */
  OPERAND_STEP = 0x40,    /* + the number of the step that has made this term */
  OPERAND_SMALL = 0x80,   /* + a constant */
  OPERAND_POINTER = 0xc0, /* + the number of the pointer */
  OPERAND_SHORT = 0xe0,   /* two bytes of a constant follow */
  OPERAND_LONG = 0xe1     /* eight bytes of a constant follow */
};

enum {
  GROUP_INPUTS = 64,
  GROUP_STEPS = 64,
  GROUP_POINTERS = 32,
  GROUP_SMALL = 64,
  GROUP_RESULTS = 64,
  GROUP_REGISTERS = 5, /* inputs that are passed in registers */
  GROUP_OPERANDS = 12  /* of a step */
};

struct group_table {
  uint8_t n_steps, n_pointers, n_results, unused;
  uint32_t pointers[];
};

#endif
