/* SPDX-License-Identifier: MIT
 *
 * Whether threads need thread-local storage of their own. They do not if the module with main has no thread-local
 * variable and no assembly, and calls nothing of others but functions whose models keep nothing there that could be
 * seen: errno is seen by calling __errno_location, which is none of them. The module says so with an absolute symbol.
 * It holds for the program if that is all of the program, which is for the link to say (src/cli/cc_link.c).
 */
#include "instrument/internal.h"

#include <string.h>

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static bool needs_none(LLVMValueRef function) {
  const char *name = name_of(function);
  return LLVMGetIntrinsicID(function) || functions_starts_with(name, "heddle_") || known_needs_no_storage(name);
}

/* Another definition may take the place of a weak one. */
static bool is_own(LLVMValueRef global) {
  const LLVMLinkage linkage = LLVMGetLinkage(global);
  return !LLVMIsDeclaration(global) && (linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage ||
                                        linkage == LLVMPrivateLinkage || linkage == LLVMCommonLinkage);
}

static bool is_assembly(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
}

static bool has_assembly(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (is_assembly(i) || LLVMGetInstructionOpcode(i) == LLVMCallBr) return true;
  return false;
}

static bool functions_need_none(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (is_own(f) ? has_assembly(f) : !needs_none(f)) return false;
  return true;
}

static bool variables_need_none(struct unit *unit) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(unit->module); v; v = LLVMGetNextGlobal(v))
    if (!is_own(v) || LLVMIsThreadLocal(v)) return false;
  return true;
}

static bool has_main(struct unit *unit) {
  const LLVMValueRef function = LLVMGetNamedFunction(unit->module, "main");
  return function && is_own(function);
}

bool storage_is_not_needed(struct unit *unit) {
  size_t assembly_bytes;
  LLVMGetModuleInlineAsm(unit->module, &assembly_bytes);
  if (assembly_bytes || LLVMGetFirstGlobalAlias(unit->module) || LLVMGetFirstGlobalIFunc(unit->module)) return false;
  return has_main(unit) && functions_need_none(unit) && variables_need_none(unit);
}

void storage_mark(struct unit *unit) {
  static const char mark[] = ".globl " HEDDLE_NO_STORAGE "\n.set " HEDDLE_NO_STORAGE ", 1\n";
  LLVMAppendModuleInlineAsm(unit->module, mark, sizeof mark - 1);
}
