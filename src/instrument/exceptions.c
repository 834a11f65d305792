/* SPDX-License-Identifier: MIT
 *
 * C++: calls that may end by an exception, and static variables of functions.
 *
 *     before                                         after
 *     %r = invoke i32 @f() to %normal unwind %pad    %r = invoke i32 @f() to %normal unwind %pad
 *     pad:                                           pad:
 *     %e = landingpad { ptr, i32 } cleanup           %e = landingpad { ptr, i32 } cleanup
 *                                                    call void @__heddle_landed()
 *
 * Of a static variable the runtime alone knows whether it is initialised (src/runtime/model_once.c). The look at its
 * guard that the compiler puts before the call, which would be an operation of its own, goes:
 *
 *     %g = load atomic i8, ptr @guard acquire        %g = 0, so that this is always called:
 *     %r = call i32 @__cxa_guard_acquire(ptr @guard)
 */
#include "instrument/internal.h"

bool exceptions_is_call(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

LLVMValueRef exceptions_invoke_before(LLVMBasicBlockRef block) {
  LLVMValueRef only = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user) || only) return NULL;
    only = user;
  }
  return only && LLVMIsAInvokeInst(only) && LLVMGetNormalDest(only) == block ? only : NULL;
}

bool exceptions_are_possible(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMHasPersonalityFn(f)) return true;
  return false;
}

void exceptions_instrument_landing(struct unit *unit, LLVMValueRef pad) {
  hooks_insert(unit, HOOK_landed, LLVMGetNextInstruction(pad), NULL);
}

/* ---- guards ---- */

static bool is_guard(LLVMValueRef pointer) {
  size_t length;
  return LLVMIsAGlobalVariable(pointer) && functions_starts_with(LLVMGetValueName2(pointer, &length), "_ZGV");
}

static bool is_look_at_guard(LLVMValueRef instruction) {
  return LLVMIsALoadInst(instruction) && LLVMGetOrdering(instruction) == LLVMAtomicOrderingAcquire &&
         is_guard(LLVMGetOperand(instruction, 0));
}

static void forget_looks(LLVMValueRef function) {
  LLVMValueRef next;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!is_look_at_guard(i)) continue;
      LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
      LLVMInstructionEraseFromParent(i);
    }
}

void exceptions_forget_guards(struct unit *unit) {
  if (!LLVMGetNamedFunction(unit->module, "__cxa_guard_acquire")) return;
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) forget_looks(f);
}
