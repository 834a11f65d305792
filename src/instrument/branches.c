/* SPDX-License-Identifier: MIT
 *
 * Branch coverage: two bytes per conditional branch of the program's own code, "not taken" and "taken". A switch counts
 * as one comparison per case, as if written with if and else; its default is what is left when all of them fail. A
 * switch with many cases is not counted: the comparisons would cost more than the code they observe.
 */
#include "instrument/internal.h"

enum { MOST_CASES = 16 };

static void cover(struct unit *unit, LLVMValueRef terminator, LLVMValueRef condition) {
  const LLVMValueRef site = sites_of_instruction(unit, terminator, "");
  const LLVMValueRef cells = sites_add_branch(unit, site);
  LLVMPositionBuilderBefore(unit->builder, terminator);
  const LLVMValueRef taken = LLVMBuildZExt(unit->builder, condition, unit->int64, "");
  hooks_insert(unit, HOOK_cover, terminator, (LLVMValueRef[]){cells, taken});
}

static void cover_cases(struct unit *unit, LLVMValueRef terminator) {
  const LLVMValueRef value = LLVMGetOperand(terminator, 0);
  const unsigned operands = (unsigned)LLVMGetNumOperands(terminator);
  if (operands > 2 + 2 * MOST_CASES) return;
  /* Operands: value, default block, then a constant and a block for each case. */
  for (unsigned i = 2; i < operands; i += 2) {
    LLVMPositionBuilderBefore(unit->builder, terminator);
    cover(unit, terminator, LLVMBuildICmp(unit->builder, LLVMIntEQ, value, LLVMGetOperand(terminator, i), ""));
  }
}

void branches_instrument(struct unit *unit, LLVMValueRef terminator) {
  if (sites_in_system_header(terminator)) return;
  if (LLVMGetInstructionOpcode(terminator) == LLVMSwitch)
    cover_cases(unit, terminator);
  else if (LLVMIsConditional(terminator))
    cover(unit, terminator, LLVMGetCondition(terminator));
}
