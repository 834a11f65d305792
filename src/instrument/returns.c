/* SPDX-License-Identifier: MIT
 *
 * Where main gets the value it returns: a run that ends with a failing status names that return statement. clang gives
 * the one return of a function the line of its closing brace, and sroa drops the stores that have the lines of the
 * statements; so they are marked before it.
 *
 *     before                        marked, before sroa                    after
 *     store i32 1, ptr %result      call void @llvm.donothing(), line 5    call void @__heddle_main_returns(ptr
 * @site.5)
 *     ...                           store i32 1, ptr %result               ...
 *     ret i32 (load %result)        ...
 */
#include "instrument/internal.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define MARK "llvm.donothing"

static void insert_mark(struct unit *unit, LLVMValueRef before) {
  const LLVMMetadataRef location = LLVMInstructionGetDebugLoc(before);
  if (!location) return;
  const unsigned intrinsic = LLVMLookupIntrinsicID(MARK, strlen(MARK));
  const LLVMValueRef mark = LLVMGetIntrinsicDeclaration(unit->module, intrinsic, NULL, 0);
  LLVMPositionBuilderBefore(unit->builder, before);
  LLVMSetCurrentDebugLocation2(unit->builder, location);
  LLVMBuildCall2(unit->builder, LLVMGlobalGetValueType(mark), mark, NULL, 0, "");
}

static bool is_store_to(LLVMValueRef instruction, LLVMValueRef variable) {
  return LLVMIsAStoreInst(instruction) && LLVMGetOperand(instruction, 1) == variable;
}

static void mark_stores(struct unit *unit, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (is_store_to(LLVMGetUser(use), variable)) insert_mark(unit, LLVMGetUser(use));
}

/* Not a variable of the program: it starts as the 0 that main returns when it does not say, which is at no line. */
static bool is_result(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (is_store_to(user, variable) && LLVMIsAConstant(LLVMGetOperand(user, 0)) && !LLVMInstructionGetDebugLoc(user))
      return true;
  }
  return false;
}

static void mark_return(struct unit *unit, LLVMValueRef terminator) {
  const LLVMValueRef value = LLVMGetNumOperands(terminator) ? LLVMGetOperand(terminator, 0) : NULL;
  const LLVMValueRef variable = value && LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
  if (variable && LLVMIsAAllocaInst(variable) && is_result(variable))
    mark_stores(unit, variable);
  else
    insert_mark(unit, functions_start_of_return(terminator));
}

void returns_mark(struct unit *unit) {
  const LLVMValueRef function = LLVMGetNamedFunction(unit->module, "main");
  if (!function || LLVMIsDeclaration(function) || !functions_is_instrumented(function)) return;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsAReturnInst(terminator)) mark_return(unit, terminator);
  }
}

bool returns_instrument(struct unit *unit, LLVMValueRef call, const char *intrinsic) {
  if (strcmp(intrinsic, MARK) != 0) return false;
  const LLVMValueRef site = sites_of_instruction(unit, call, "");
  hooks_insert(unit, HOOK_main_returns, call, &site);
  return true;
}
