/* SPDX-License-Identifier: MIT
 *
 * What the module says about functions, in assembly.
 *
 * A function of the C library with effects on the program's memory (abi/effects.def) is called through a stub, which
 * tells the runtime the function and its row, unless the program itself defines a function of the name:
 *
 *     __heddle_call_fgets:
 *             mov     $fgets, %r10d
 *             mov     $__heddle_followed_fgets, %r11d
 *             test    %r11d, %r11d
 *             jnz     1f
 *             mov     $__heddle_effects_fgets, %r11d
 *             jmp     __heddle_effect_call
 *     1:      jmp     *%r10
 *
 * A function that the module defines for others has a mark, an absolute symbol __heddle_followed_<name>. Before the
 * code of every function that is instrumented, and of stubs, stands HEDDLE_CODE_MARK: the runtime knows by that whether
 * what a pointer points to is followed. Functions of others that are harmless and may be called through pointers are
 * listed in HEDDLE_HARMLESS_SECTION.
 */
#include "instrument/internal.h"

#include <string.h>

const char stubs_mark_prefix[] = "__heddle_followed_";

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

/* An assembler takes it as it is. */
static bool is_plain_name(const char *name) {
  for (; *name; name++)
    if (!strchr("_.$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *name)) return false;
  return true;
}

static bool is_of_others(LLVMValueRef function) {
  return LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

bool stubs_has(LLVMValueRef function) {
  if (!is_of_others(function) || LLVMGetLinkage(function) == LLVMExternalWeakLinkage) return false;
  return known_function(name_of(function)) == KNOWN_NOT && known_effects(name_of(function)) == EFFECTS_SOME;
}

/* ---- stubs ---- */

static void add_stub(struct text *text, const char *name) {
  const unsigned long long mark = HEDDLE_CODE_MARK;
  text_append_format(text, ".section .text.__heddle_call_%s,\"axG\",@progbits,__heddle_call_%s,comdat\n", name, name);
  text_append_format(text, ".p2align 4\n.quad %#llx, %#llx\n", mark, mark);
  text_append_format(text, ".weak __heddle_call_%s\n.type __heddle_call_%s, @function\n", name, name);
  text_append_format(text, ".weak %s%s\n", stubs_mark_prefix, name);
  text_append_format(text, "__heddle_call_%s:\nmov $%s, %%r10d\nmov $%s%s, %%r11d\n", name, name, stubs_mark_prefix,
                     name);
  text_append_format(text, "test %%r11d, %%r11d\njnz 1f\nmov $__heddle_effects_%s, %%r11d\n", name);
  text_append_format(text, "jmp __heddle_effect_call\n1: jmp *%%r10\n");
  text_append_format(text, ".size __heddle_call_%s, . - __heddle_call_%s\n.text\n", name, name);
}

/* ---- marks ---- */

static bool is_visible(LLVMValueRef function) {
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage && is_plain_name(name_of(function));
}

static void add_mark(struct text *text, const char *name) {
  text_append_format(text, ".weak %s%s\n.set %s%s, 1\n", stubs_mark_prefix, name, stubs_mark_prefix, name);
}

static void mark_code(struct unit *unit, LLVMValueRef function) {
  const LLVMValueRef mark = hooks_integer(unit, HEDDLE_CODE_MARK);
  LLVMValueRef marks[] = {mark, mark}; /* two, so that the code stays aligned */
  LLVMSetPrefixData(function, LLVMConstArray2(unit->int64, marks, 2));
}

/* ---- harmless functions ---- */

static bool is_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!exceptions_is_call(user) || LLVMGetCalledValue(user) != function) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetArgOperand(user, i) == function) return true;
  }
  return false;
}

static bool takes_pointers(LLVMValueRef function) {
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
    if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind) return true;
  return LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

static bool is_harmless(LLVMValueRef function) {
  const char *name = name_of(function);
  if (LLVMGetIntrinsicID(function) || !is_plain_name(name)) return false;
  if (known_function(name) == KNOWN_PLAIN || known_effects(name) == EFFECTS_NONE) return true;
  return !known_to_heddle(name) && known_in_library(name) && !takes_pointers(function);
}

static void add_harmless(struct text *text, const char *name) {
  text_append_format(text, ".section " HEDDLE_HARMLESS_SECTION ",\"aR\",@progbits\n.quad %s\n.text\n", name);
}

/* ---- all of it ---- */

static void add_function(struct unit *unit, struct text *text, LLVMValueRef function) {
  if (is_of_others(function)) {
    if (stubs_has(function)) add_stub(text, name_of(function));
    if (is_taken(function) && is_harmless(function)) add_harmless(text, name_of(function));
    return;
  }
  if (is_visible(function)) add_mark(text, name_of(function));
  if (functions_is_instrumented(function)) mark_code(unit, function);
}

void stubs_add(struct unit *unit) {
  struct text text = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) add_function(unit, &text, f);
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(unit->module); a; a = LLVMGetNextGlobalAlias(a))
    if (LLVMIsAFunction(LLVMAliasGetAliasee(a)) && is_visible(a)) add_mark(&text, name_of(a));
  if (text.length) LLVMAppendModuleInlineAsm(unit->module, text.string, text.length);
  text_free(&text);
}
