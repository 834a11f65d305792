/* SPDX-License-Identifier: MIT
 *
 * Line coverage: where a block comes to another line of the source, the byte of that line is set. The stores are
 * volatile, so that a line whose code crashes has been reached.
 *
 *     call void @f(), line 7                     store volatile i8 1, byte of line 7
 *     %x = load i32, ptr %p, line 8      ->      call void @f()
 *                                                store volatile i8 1, byte of line 8
 *                                                %x = load i32, ptr %p
 */
#include "instrument/internal.h"

/* What must stand at the start of a block, or belongs to the instruction before. */
static bool may_stand_before(LLVMValueRef instruction) {
  if (LLVMIsAPHINode(instruction) || LLVMIsAAllocaInst(instruction)) return false;
  return LLVMGetInstructionOpcode(instruction) != LLVMRet || functions_start_of_return(instruction) == instruction;
}

static void set_byte(struct unit *unit, LLVMValueRef before, LLVMValueRef byte) {
  LLVMPositionBuilderBefore(unit->builder, before);
  LLVMSetVolatile(LLVMBuildStore(unit->builder, LLVMConstInt(unit->byte, 1, false), byte), true);
}

void lines_instrument(struct unit *unit, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef current = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      const LLVMValueRef byte = may_stand_before(i) ? sites_byte_of_line(unit, i) : NULL;
      if (byte && byte != current) set_byte(unit, i, byte);
      if (byte) current = byte;
    }
  }
}
