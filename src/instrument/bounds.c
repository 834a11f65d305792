/* SPDX-License-Identifier: MIT
 *
 * Hooks before accesses of local and static variables at a place that is computed: an index may be too large.
 *
 *     before                                      after
 *     %p = getelementptr [9 x i32], ptr @a,       %p = getelementptr [9 x i32], ptr @a, i64 0, i64 %i
 *          i64 0, i64 %i                          call void @__heddle_bounds(ptr %p, ptr @a, i64 32, ptr @site)
 *     %v = load i32, ptr %p                       %v = load i32, ptr %p
 *
 * The whole variable counts: an index that leads from one member of a structure into another is not looked at. A
 * pointer that is passed on to another function is not followed there; guards.c sees some of what goes wrong with it.
 */
#include "instrument/internal.h"

static bool in_entry_block(LLVMValueRef alloca) {
  const LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);
  return block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

/* What another module may define larger than it is here has no size. */
static bool has_its_size_here(LLVMValueRef global) {
  const LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
         (linkage == LLVMExternalLinkage && !LLVMIsDeclaration(global));
}

uint64_t bounds_size_of_variable(struct unit *unit, LLVMValueRef variable) {
  if (LLVMIsAAllocaInst(variable)) {
    const LLVMValueRef count = LLVMGetOperand(variable, 0);
    if (!LLVMIsAConstantInt(count) || !in_entry_block(variable)) return 0;
    return LLVMABISizeOfType(unit->layout, LLVMGetAllocatedType(variable)) * LLVMConstIntGetZExtValue(count);
  }
  if (!LLVMIsAGlobalVariable(variable) || LLVMIsThreadLocal(variable) || !has_its_size_here(variable)) return 0;
  return LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(variable));
}

/* The compiler has warned of constant places. */
static bool is_at_constant_place(LLVMValueRef pointer) {
  if (!LLVMIsAInstruction(pointer)) return true;
  if (LLVMIsAAllocaInst(pointer)) return true;
  if (!LLVMIsAGetElementPtrInst(pointer)) return false;
  for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i))) return false;
  return is_at_constant_place(LLVMGetOperand(pointer, 0));
}

void bounds_instrument(struct unit *unit, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes) {
  if (is_at_constant_place(pointer)) return;
  const LLVMValueRef variable = local_variable_of(pointer);
  const uint64_t size = variable ? bounds_size_of_variable(unit, variable) : 0;
  if (size < bytes || size == 0) return;
  struct text name = {0};
  names_append(unit, &name, pointer, bytes);
  const LLVMValueRef site = sites_of_instruction(unit, instruction, text_string(&name));
  text_free(&name);
  hooks_insert(unit, HOOK_bounds, instruction,
               (LLVMValueRef[]){pointer, variable, hooks_integer(unit, size - bytes), site});
}
