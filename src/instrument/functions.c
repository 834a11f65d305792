/* SPDX-License-Identifier: MIT
 *
 * The walk over all functions, and what must be true of the functions themselves:
 *   - no attribute may promise what no longer holds once a hook can hand over to another thread (pure, const, ...);
 *   - an `inline` function without `extern` is emitted, weakly, where it is used: gcc inlines it and never needs one;
 *   - intercepted functions are called by their models' names, which the optimiser does not know.
 */
#include "instrument/internal.h"

#include <stdlib.h>
#include <string.h>

bool functions_starts_with(const char *string, const char *prefix) {
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

unsigned functions_attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  const unsigned kind = functions_attribute_kind(name);
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* Promises about memory and progress. */
static const char *const promises[] = {"memory",     "nosync",    "nofree",    "willreturn", "speculatable",
                                       "nocallback", "allockind", "allocsize", "norecurse",  "mustprogress"};
enum { PROMISES = sizeof promises / sizeof *promises };

static bool keeps_its_promises(LLVMValueRef callee) {
  return LLVMIsAFunction(callee) && (LLVMGetIntrinsicID(callee) || known_function(name_of(callee)) == KNOWN_PLAIN);
}

static void forget_promises(LLVMValueRef function) {
  if (keeps_its_promises(function)) return;
  for (unsigned i = 0; i < PROMISES; i++)
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, functions_attribute_kind(promises[i]));
}

/* `restrict` speaks of one thread; what another thread does to the same memory is to be seen. */
static void forget_restrict(LLVMValueRef function) {
  for (unsigned i = 1; i <= LLVMCountParams(function); i++)
    LLVMRemoveEnumAttributeAtIndex(function, i, functions_attribute_kind("noalias"));
}

static void forget_promises_of_call(LLVMValueRef call) {
  if (keeps_its_promises(LLVMGetCalledValue(call))) return;
  for (unsigned i = 0; i < PROMISES; i++)
    LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, functions_attribute_kind(promises[i]));
}

static void keep_inline_definition(LLVMValueRef function) {
  if (LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage) return;
  if (known_function(name_of(function)) != KNOWN_NOT) return;
  LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
}

bool functions_are_cxx(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (functions_starts_with(name_of(f), "_Z")) return true;
  return false;
}

void functions_prepare(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
    forget_promises(f);
    if (LLVMIsDeclaration(f)) continue;
    forget_restrict(f);
    keep_inline_definition(f);
  }
}

static void instrument_instruction(struct unit *unit, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad: accesses_instrument_load(unit, instruction); break;
  case LLVMStore: accesses_instrument_store(unit, instruction); break;
  case LLVMAtomicRMW: accesses_instrument_update(unit, instruction); break;
  case LLVMAtomicCmpXchg: accesses_instrument_compare_exchange(unit, instruction); break;
  case LLVMLandingPad: exceptions_instrument_landing(unit, instruction); break;
  case LLVMCall:
  case LLVMInvoke:
  case LLVMCallBr:
    forget_promises_of_call(instruction);
    calls_instrument(unit, instruction);
    break;
  case LLVMPtrToInt: numbers_instrument(unit, instruction); break;
  case LLVMBr:
  case LLVMSwitch: branches_instrument(unit, instruction); break;
  default: break;
  }
}

/* A function of SV-COMP whose body is one atomic section. */
static bool is_atomic_section(LLVMValueRef function) {
  const char *name = name_of(function);
  return functions_starts_with(name, "__VERIFIER_atomic_") && strcmp(name, "__VERIFIER_atomic_begin") != 0 &&
         strcmp(name, "__VERIFIER_atomic_end") != 0;
}

/* Nothing may stand between a musttail call and its return. */
LLVMValueRef functions_start_of_return(LLVMValueRef terminator) {
  const LLVMValueRef before = LLVMGetPreviousInstruction(terminator);
  const bool tail = before && LLVMIsACallInst(before) && LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail;
  return tail ? before : terminator;
}

LLVMValueRef functions_first_after_locals(LLVMValueRef function) {
  LLVMValueRef instruction = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(instruction)) instruction = LLVMGetNextInstruction(instruction);
  return instruction;
}

static void make_atomic_section(struct unit *unit, LLVMValueRef function) {
  const LLVMValueRef entry = sites_of_function(unit, function);
  hooks_insert(unit, HOOK_section_enter, functions_first_after_locals(function), &entry);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetInstructionOpcode(terminator) != LLVMRet) continue;
    const LLVMValueRef site = sites_of_instruction(unit, terminator, "");
    hooks_insert(unit, HOOK_section_leave, functions_start_of_return(terminator), &site);
  }
}

/* Locals of a fixed size first, before anything that stands between them. */
static void gather_locals(struct unit *unit, LLVMValueRef function) {
  const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  const LLVMValueRef end = functions_first_after_locals(function);
  LLVMValueRef next;
  for (LLVMValueRef i = end; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0))) continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMPositionBuilder(unit->builder, entry, end);
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMInsertIntoBuilder(unit->builder, i);
  }
}

static void instrument_body(struct unit *unit, LLVMValueRef function) {
  gather_locals(unit, function);
  struct undefined undefined = {0};
  undefined_find(unit, function, &undefined);
  struct shadow *shadow;
  shadow_prepare(unit, &shadow, function);
  VECTOR(LLVMValueRef) instructions = {0}; /* collected first: hooks are instructions too */
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      vector_push(&instructions, i);
  struct guards guards = {0};
  struct frames frames = {0};
  names_begin_function(unit, function);
  guards_find(unit, function, &guards);
  frames_find(unit, function, &frames);
  for (size_t i = 0; i < instructions.count; i++) instrument_instruction(unit, instructions.items[i]);
  if (unit->follows) shadow_insert(shadow, instructions.items, instructions.count);
  shadow_free(shadow);
  undefined_insert(unit, &undefined);
  frames_insert(unit, function, &frames);
  if (is_atomic_section(function)) make_atomic_section(unit, function);
  guards_insert(unit, function, &guards);
  if (unit->line_bytes) lines_instrument(unit, function);
  vector_free(&instructions);
  map_free(&unit->locals);
  map_free(&unit->announced);
  map_free(&unit->variables);
}

/* The loader runs resolvers before anything else of the process is ready. */
static bool is_resolver(LLVMValueRef function) {
  for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(LLVMGetGlobalParent(function)); i; i = LLVMGetNextGlobalIFunc(i))
    if (LLVMGetGlobalIFuncResolver(i) == function) return true;
  return false;
}

bool functions_is_instrumented(LLVMValueRef function) {
  return !has_attribute(function, "naked") && !is_resolver(function);
}

static bool visible_to_others(LLVMValueRef function) {
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

/* A static function has its name to itself: it does not define what another module declares. */
static void list_functions(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && visible_to_others(f)) sites_add_function(unit, name_of(f));
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(unit->module); a; a = LLVMGetNextGlobalAlias(a))
    if (LLVMIsAFunction(LLVMAliasGetAliasee(a)) && visible_to_others(a)) sites_add_function(unit, name_of(a));
}

void functions_instrument(struct unit *unit) {
  list_functions(unit);
  size_t length;
  const char *assembly = LLVMGetModuleInlineAsm(unit->module, &length);
  if (length) {
    struct text first_line = {0};
    text_append_bytes(&first_line, assembly, strcspn(assembly, "\n"));
    sites_add_note(unit, NOTE_INLINE_ASSEMBLY, sites_of_module(unit), first_line.string);
    text_free(&first_line);
  }
  if (unit->optimises) hot_find(unit);
  possible_find_calls(unit);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && functions_is_instrumented(f)) instrument_body(unit, f);
  map_free(&unit->enclosed);
  map_free(&unit->given);
  map_free(&unit->hot);
}

static void copy_attribute(LLVMValueRef from, LLVMValueRef to, const char *name) {
  const LLVMAttributeRef attribute =
      LLVMGetEnumAttributeAtIndex(from, LLVMAttributeFunctionIndex, functions_attribute_kind(name));
  if (attribute) LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
}

static void redirect(struct unit *unit, LLVMValueRef function, const char *prefix) {
  struct text name = {0};
  text_append_format(&name, "%s%s", prefix, name_of(function));
  const LLVMValueRef model = LLVMAddFunction(unit->module, name.string, LLVMGlobalGetValueType(function));
  text_free(&name);
  copy_attribute(function, model, "noreturn");
  copy_attribute(function, model, "nounwind");
  if (LLVMGetLinkage(function) == LLVMExternalWeakLinkage) LLVMSetLinkage(model, LLVMExternalWeakLinkage);
  LLVMReplaceAllUsesWith(function, model);
  LLVMDeleteFunction(function);
}

void functions_redirect(struct unit *unit) {
  LLVMValueRef next;
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage) continue;
    const enum known known = known_function(name_of(f));
    if (known == KNOWN_WRAP || known == KNOWN_RENAME)
      redirect(unit, f, known_prefix(known));
    else if (stubs_has(f))
      redirect(unit, f, known_prefix(KNOWN_RENAME));
  }
}

void functions_forget_variables(struct unit *unit) {
  static const char *const names[] = {"llvm.dbg.value", "llvm.dbg.declare"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const LLVMValueRef mark = LLVMGetNamedFunction(unit->module, names[i]);
    LLVMUseRef use;
    while (mark && (use = LLVMGetFirstUse(mark))) LLVMInstructionEraseFromParent(LLVMGetUser(use));
  }
}

static void set_section(LLVMValueRef global, const char *prefix) {
  const char *section = LLVMGetSection(global);
  if (section && *section) return;
  struct text name = {0};
  text_append_format(&name, "%s.%s", prefix, name_of(global));
  LLVMSetSection(global, name.string);
  text_free(&name);
}

void functions_set_sections(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) set_section(f, ".text");
}

static const char *section_of_variable(LLVMValueRef variable) {
  const bool zero = LLVMIsNull(LLVMGetInitializer(variable));
  if (LLVMIsThreadLocal(variable)) return zero ? ".tbss" : ".tdata";
  if (LLVMIsGlobalConstant(variable)) return ".rodata";
  return zero ? ".bss" : ".data";
}

void functions_set_data_sections(struct unit *unit) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(unit->module); v; v = LLVMGetNextGlobal(v)) {
    const LLVMLinkage linkage = LLVMGetLinkage(v);
    const bool placed =
        linkage == LLVMPrivateLinkage || linkage == LLVMCommonLinkage || linkage == LLVMAppendingLinkage;
    if (!LLVMIsDeclaration(v) && !placed) set_section(v, section_of_variable(v));
  }
}
