/* SPDX-License-Identifier: MIT
 *
 * Local arrays whose address leaves the function get some extra bytes after their end, which nobody may touch while the
 * function runs: an access that runs over the end is seen wherever it is made.
 *
 *     before                              after
 *     %a = alloca [10 x i32]              %a = alloca { [10 x i32], [16 x i8] }
 *                                         %end = getelementptr i8, ptr %a, i64 40
 *                                         call void @__heddle_guard(ptr %end, i64 16)
 *     ...                                 ...
 *     ret void                            call void @__heddle_unguard(ptr %end, i64 16)
 *                                         ret void
 *
 * Lifetime markers of the array go: its place must not be used for anything else while it is guarded.
 */
#include "instrument/internal.h"

#include <stdlib.h>

#define GUARD_BYTES 16u
#define GRANULE_BYTES 8u

static bool is_array(LLVMValueRef alloca) {
  const LLVMValueRef count = LLVMGetOperand(alloca, 0);
  return LLVMGetTypeKind(LLVMGetAllocatedType(alloca)) == LLVMArrayTypeKind && LLVMIsAConstantInt(count) &&
         LLVMConstIntGetZExtValue(count) == 1;
}

void guards_find(struct unit *unit, LLVMValueRef function, struct guards *guards) {
  const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i) && is_array(i) && !local_to_thread(unit, i, false)) vector_push(&guards->arrays, i);
}

static bool is_lifetime_marker(LLVMValueRef user) {
  if (!LLVMIsACallInst(user)) return false;
  const LLVMValueRef callee = LLVMGetCalledValue(user);
  size_t length;
  return LLVMIsAFunction(callee) && functions_starts_with(LLVMGetValueName2(callee, &length), "llvm.lifetime.");
}

static void remove_lifetimes(LLVMValueRef alloca) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = next) {
    const LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (is_lifetime_marker(user)) LLVMInstructionEraseFromParent(user);
  }
}

/* The array with its guard, in its place. */
static LLVMValueRef widen(struct unit *unit, LLVMValueRef alloca, uint64_t guard_bytes) {
  LLVMTypeRef parts[] = {LLVMGetAllocatedType(alloca), LLVMArrayType2(unit->byte, guard_bytes)};
  const unsigned align = LLVMGetAlignment(alloca);
  size_t length;
  LLVMPositionBuilderBefore(unit->builder, alloca);
  const LLVMValueRef wide = LLVMBuildAlloca(unit->builder, LLVMStructTypeInContext(unit->context, parts, 2, false),
                                            LLVMGetValueName2(alloca, &length));
  LLVMSetAlignment(wide, align < GRANULE_BYTES ? GRANULE_BYTES : align);
  LLVMReplaceAllUsesWith(alloca, wide);
  LLVMInstructionEraseFromParent(alloca);
  return wide;
}

static void guard(struct unit *unit, LLVMValueRef function, LLVMValueRef alloca) {
  const uint64_t size = LLVMABISizeOfType(unit->layout, LLVMGetAllocatedType(alloca));
  const uint64_t bytes = GUARD_BYTES + (GRANULE_BYTES - size % GRANULE_BYTES) % GRANULE_BYTES;
  remove_lifetimes(alloca);
  const LLVMValueRef wide = widen(unit, alloca, bytes);
  const LLVMValueRef start = functions_first_after_locals(function);
  LLVMPositionBuilderBefore(unit->builder, start);
  LLVMValueRef offset = hooks_integer(unit, size);
  const LLVMValueRef end = LLVMBuildGEP2(unit->builder, unit->byte, wide, &offset, 1, "");
  const LLVMValueRef arguments[] = {end, hooks_integer(unit, bytes)};
  hooks_insert(unit, HOOK_guard, start, arguments);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetInstructionOpcode(terminator) == LLVMRet)
      hooks_insert(unit, HOOK_unguard, functions_start_of_return(terminator), arguments);
  }
}

void guards_insert(struct unit *unit, LLVMValueRef function, struct guards *guards) {
  for (size_t i = 0; i < guards->arrays.count; i++) guard(unit, function, guards->arrays.items[i]);
  vector_free(&guards->arrays);
}
