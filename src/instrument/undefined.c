/* SPDX-License-Identifier: MIT
 *
 * Local variables have a value from the start: zero. Without one the optimiser may do anything with a branch on it,
 * also jump out of the function. It is given where the variable's life begins, or at the start of the function.
 *
 *     before                            after
 *     call void @llvm.lifetime.start    call void @llvm.lifetime.start
 *     %v = load i32, ptr %y             store i32 0, ptr %y
 *     %c = icmp eq i32 %v, 0            call void @__heddle_undefined(ptr @site)
 *                                       %c = icmp eq i32 0, 0
 *
 * What sroa will take out of memory gets a value that can be found again, `freeze undef`, before sroa. What uses this
 * value afterwards uses a variable that has none, whatever way led there; a phi does not: there may be one.
 *
 * Variables that others may see get theirs after the hooks, which do not count it as a write of the program. Large
 * ones keep what the stack has; only the optimiser may not know that it is nothing.
 */
#include "instrument/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FILLED_BYTES 4096u

/* ---- where lives begin ---- */

static bool is_start_of_life(LLVMValueRef user) {
  if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user))) return false;
  size_t length;
  return functions_starts_with(LLVMGetValueName2(LLVMGetCalledValue(user), &length), "llvm.lifetime.start");
}

void undefined_find_lives(LLVMValueRef function, LLVMValueRef alloca, struct lives *lives) {
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use))
    if (is_start_of_life(LLVMGetUser(use))) vector_push(&lives->starts, LLVMGetNextInstruction(LLVMGetUser(use)));
  if (lives->starts.count == 0) vector_push(&lives->starts, functions_first_after_locals(function));
}

/* ---- values ---- */

static void fill(struct unit *unit, LLVMValueRef alloca, uint64_t bytes) {
  LLVMBuildMemSet(unit->builder, alloca, LLVMConstInt(unit->byte, 0, false), hooks_integer(unit, bytes),
                  LLVMGetAlignment(alloca));
}

/* Assembly that might write there, and does nothing. */
static void hide(struct unit *unit, LLVMValueRef alloca) {
  static const char constraints[] = "r,~{memory}";
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(unit->context), &unit->pointer, 1, false);
  LLVMValueRef nothing =
      LLVMGetInlineAsm(type, "", 0, constraints, strlen(constraints), true, false, LLVMInlineAsmDialectATT, false);
  LLVMBuildCall2(unit->builder, type, nothing, &alloca, 1, "");
}

void undefined_define(struct unit *unit, LLVMValueRef function, LLVMValueRef alloca, uint64_t bytes) {
  const LLVMValueRef zero = LLVMConstInt(unit->int32, 0, false);
  struct lives lives = {0};
  undefined_find_lives(function, alloca, &lives);
  for (size_t i = 0; i < lives.starts.count; i++) {
    LLVMPositionBuilderBefore(unit->builder, lives.starts.items[i]);
    if (bytes == 0 || bytes > MOST_FILLED_BYTES) {
      hide(unit, alloca);
      continue;
    }
    fill(unit, alloca, bytes);
    if (unit->follows) hooks_call(unit, HOOK_fill_terms, (LLVMValueRef[]){alloca, hooks_integer(unit, bytes), zero});
  }
  vector_free(&lives.starts);
}

static bool is_scalar(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMPointerTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind: return true;
  default: return false;
  }
}

/* ---- before sroa ---- */

static void mark_variable(struct unit *unit, LLVMValueRef function, LLVMValueRef alloca) {
  const uint64_t bytes = bounds_size_of_variable(unit, alloca);
  const LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  struct lives lives = {0};
  if (bytes == 0 || bytes > MOST_FILLED_BYTES || !local_to_thread(unit, alloca, false)) return;
  undefined_find_lives(function, alloca, &lives);
  for (size_t i = 0; i < lives.starts.count; i++) {
    LLVMPositionBuilderBefore(unit->builder, lives.starts.items[i]);
    if (is_scalar(type))
      LLVMBuildStore(unit->builder, LLVMBuildFreeze(unit->builder, LLVMGetUndef(type), ""), alloca);
    else
      fill(unit, alloca, bytes);
  }
  vector_free(&lives.starts);
}

static void mark_function(struct unit *unit, LLVMValueRef function) {
  VECTOR(LLVMValueRef) variables = {0};
  const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i)) vector_push(&variables, i);
  for (size_t i = 0; i < variables.count; i++) mark_variable(unit, function, variables.items[i]);
  vector_free(&variables);
  map_free(&unit->locals);
}

void undefined_mark(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && functions_is_instrumented(f)) mark_function(unit, f);
}

/* ---- after sroa ---- */

static bool is_mark(LLVMValueRef instruction) {
  return LLVMGetInstructionOpcode(instruction) == LLVMFreeze && LLVMIsUndef(LLVMGetOperand(instruction, 0));
}

/* One that only hands the value on is followed; one that may drop what it gets, as masks do, is none. */
enum use { NO_USE, USE, CAST };

static enum use use_of(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMPtrToInt:
  case LLVMIntToPtr: return CAST;
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMLoad:
  case LLVMGetElementPtr:
  case LLVMStore: return USE;
  case LLVMInvoke: return USE;
  case LLVMCall:
    return LLVMIsAFunction(LLVMGetCalledValue(user)) && LLVMGetIntrinsicID(LLVMGetCalledValue(user)) ? NO_USE : USE;
  default: return NO_USE;
  }
}

/* Stores of the mark itself are those that undefined_mark has made, of a variable that stays in memory. */
static bool is_of_variable_itself(LLVMValueRef user, LLVMValueRef value) {
  return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value && is_mark(value) &&
         LLVMIsAAllocaInst(LLVMGetOperand(user, 1));
}

/* One on each line is enough. */
static void add_use(struct undefined *undefined, size_t first, LLVMValueRef user) {
  for (size_t i = first; i < undefined->uses.count; i++)
    if (LLVMGetDebugLocLine(undefined->uses.items[i].user) == LLVMGetDebugLocLine(user)) return;
  vector_push(&undefined->uses, ((struct undefined_use){.user = user}));
}

static void find_uses(LLVMValueRef value, struct undefined *undefined, size_t first) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || is_of_variable_itself(user, value)) continue;
    const enum use kind = use_of(user);
    if (kind == CAST) find_uses(user, undefined, first);
    if (kind == USE) add_use(undefined, first, user);
  }
}

static void resolve(struct unit *unit, LLVMValueRef mark, struct undefined *undefined) {
  struct text name = {0};
  const size_t first = undefined->uses.count;
  names_append_variable(unit, &name, mark);
  if (name.length) find_uses(mark, undefined, first);
  for (size_t i = first; i < undefined->uses.count; i++) {
    struct undefined_use *use = &undefined->uses.items[i];
    use->site = sites_of_instruction(unit, use->user, text_string(&name));
  }
  text_free(&name);
  LLVMReplaceAllUsesWith(mark, LLVMConstNull(LLVMTypeOf(mark)));
  LLVMInstructionEraseFromParent(mark);
}

void undefined_find(struct unit *unit, LLVMValueRef function, struct undefined *undefined) {
  VECTOR(LLVMValueRef) marks = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (is_mark(i)) vector_push(&marks, i);
  if (marks.count) names_begin_function(unit, function);
  for (size_t i = 0; i < marks.count; i++) resolve(unit, marks.items[i], undefined);
  vector_free(&marks);
  map_free(&unit->variables); /* it knows the marks */
}

void undefined_insert(struct unit *unit, struct undefined *undefined) {
  for (size_t i = 0; i < undefined->uses.count; i++) {
    const struct undefined_use *use = &undefined->uses.items[i];
    hooks_insert(unit, HOOK_undefined, use->user, &use->site);
  }
  vector_free(&undefined->uses);
}
