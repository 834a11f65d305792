/* SPDX-License-Identifier: MIT
 *
 * Blocks that jump to themselves get a block on the way, so that a block can be taken apart without regard to its own
 * phis.
 *
 *     before                                       after
 *     loop:                                        loop:
 *       %i = phi [0, %entry], [%next, %loop]         %i = phi [0, %entry], [%next, %again]
 *       br i1 %c, label %loop, label %end            br i1 %c, label %again, label %end
 *                                                  again:
 *                                                    br label %loop
 */
#include "instrument/internal.h"

/* The LLVM-C API cannot change where a phi's value comes from. */
static LLVMValueRef copy_of_phi(struct unit *unit, LLVMValueRef phi, LLVMBasicBlockRef old, LLVMBasicBlockRef new) {
  LLVMPositionBuilderBefore(unit->builder, phi);
  const LLVMValueRef copy = LLVMBuildPhi(unit->builder, LLVMTypeOf(phi), "");
  bool done = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (from == old && done) continue; /* several edges are one now */
    if (from == old) {
      done = true;
      from = new;
    }
    LLVMAddIncoming(copy, &value, &from, 1);
  }
  return copy;
}

static void detour(struct unit *unit, LLVMBasicBlockRef block, LLVMValueRef terminator) {
  const LLVMBasicBlockRef again = LLVMInsertBasicBlockInContext(unit->context, block, "");
  LLVMMoveBasicBlockAfter(again, block);
  LLVMPositionBuilderAtEnd(unit->builder, again);
  LLVMSetCurrentDebugLocation2(unit->builder, NULL);
  LLVMBuildBr(unit->builder, block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
    if (LLVMGetSuccessor(terminator, i) == block) LLVMSetSuccessor(terminator, i, again);
  LLVMValueRef next;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMReplaceAllUsesWith(phi, copy_of_phi(unit, phi, block, again));
    LLVMInstructionEraseFromParent(phi);
  }
}

static bool jumps_to_itself(LLVMBasicBlockRef block, LLVMValueRef terminator) {
  if (LLVMGetInstructionOpcode(terminator) == LLVMIndirectBr) return false;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
    if (LLVMGetSuccessor(terminator, i) == block) return true;
  return false;
}

void loops_prepare(struct unit *unit, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (jumps_to_itself(block, terminator)) detour(unit, block, terminator);
  }
}
