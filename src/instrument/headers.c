/* SPDX-License-Identifier: MIT
 *
 * Small functions of libstdc++'s headers become part of the functions that call them, before anything else: std::atomic
 * and std::mutex are to be the operations they stand for, at the place where the program uses them (sites.c), and what
 * they keep in local variables is nobody else's.
 *
 *     before                                          after
 *     call i32 @std::atomic<int>::load(ptr @ready)    %v = load atomic i32, ptr @ready    ; !dbg inlined at the call
 */
#include "instrument/internal.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_INSTRUCTIONS = 150 }; /* of a small function */

static bool is_of_header(LLVMValueRef function) {
  const LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return subprogram && sites_is_system_file(LLVMDIScopeGetFile(subprogram));
}

static bool is_small(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (++count > MOST_INSTRUCTIONS) return false;
  return true;
}

static void set_inlined(struct unit *unit, LLVMValueRef function) {
  static const char *const against[] = {"noinline", "optnone"};
  for (size_t i = 0; i < sizeof against / sizeof *against; i++)
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, functions_attribute_kind(against[i]));
  const LLVMAttributeRef always = LLVMCreateEnumAttribute(unit->context, functions_attribute_kind("alwaysinline"), 0);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, always);
}

bool headers_mark(struct unit *unit) {
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_of_header(f) || !is_small(f)) continue;
    set_inlined(unit, f);
    any = true;
  }
  return any;
}
