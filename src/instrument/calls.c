/* SPDX-License-Identifier: MIT
 *
 * Hooks before calls that leave instrumented code: where the call stands, and whether anything is known about what it
 * does.
 *
 *     before                                  after
 *     call i32 @pthread_mutex_lock(ptr @m)    call void @__heddle_at_call(ptr @site)
 *                                             call i32 @__wrap_pthread_mutex_lock(ptr @m)
 *     call i32 @mystery(i32 %x)               call void @__heddle_at_call(ptr @site)
 *                                             call void @__heddle_opaque_call()
 *                                             call i32 @mystery(i32 %x)
 *
 * Intercepted functions get their models' names in functions_redirect.
 */
#include "instrument/internal.h"

#include <string.h>

/* The variable behind the first pointer argument: the mutex that is locked, for example. */
static LLVMValueRef site_of_call(struct unit *unit, LLVMValueRef call) {
  struct text name = {0};
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !name.length; i++) {
    const LLVMValueRef argument = LLVMGetArgOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind) names_append(unit, &name, argument, 0);
  }
  const LLVMValueRef site = sites_of_instruction(unit, call, text_string(&name));
  text_free(&name);
  return site;
}

static void announce_opaque(struct unit *unit, LLVMValueRef call, LLVMValueRef site, enum note_kind kind,
                            const char *what) {
  hooks_insert(unit, HOOK_opaque_call, call, NULL);
  sites_add_note(unit, kind, site, what);
}

/* Reads one word of assembly text; false at its end. */
static bool next_word(const char **text, char *word, size_t size) {
  static const char separators[] = " \t\n;";
  *text += strspn(*text, separators);
  const size_t length = strcspn(*text, separators);
  if (length == 0) return false;
  const size_t kept = length < size ? length : size - 1;
  memcpy(word, *text, kept);
  word[kept] = 0;
  *text += length;
  return true;
}

/* "lock; addl $0, 0(%rsp)" and its like: a locked operation that changes nothing, on the own stack. */
static bool is_stack_barrier(const char *text) {
  const size_t length = strlen(text);
  static const char stack[] = "(%rsp)";
  return functions_starts_with(text, "lock") && (strstr(text, " add") || strstr(text, " or")) && strstr(text, "$$0,") &&
         length > strlen(stack) && strcmp(text + length - strlen(stack), stack) == 0 && !strchr(text, '\n');
}

/* Nothing, pauses and barriers: they do nothing to the memory of a sequentially consistent program. */
static bool harmless_assembly(const char *text) {
  static const char *const harmless[] = {"pause", "rep", "nop", "mfence", "lfence", "sfence"};
  char word[64];
  if (is_stack_barrier(text)) return true;
  while (next_word(&text, word, sizeof word)) {
    bool found = false;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless && !found; i++) found = strcmp(word, harmless[i]) == 0;
    if (!found) return false;
  }
  return true;
}

static void instrument_assembly(struct unit *unit, LLVMValueRef call, LLVMValueRef assembly) {
  size_t length;
  const char *bytes = LLVMGetInlineAsmAsmString(assembly, &length);
  struct text text = {0};
  text_append_bytes(&text, bytes, length);
  if (!harmless_assembly(text.string)) {
    const LLVMValueRef site = sites_of_instruction(unit, call, "");
    hooks_insert(unit, HOOK_at_call, call, &site);
    text.string[strcspn(text.string, "\n")] = 0;
    announce_opaque(unit, call, site, NOTE_INLINE_ASSEMBLY, text.string);
  }
  text_free(&text);
}

/* Intrinsics of processors that take pointers (masked stores, for example) touch memory in ways not followed. */
static bool touches_memory(LLVMValueRef call, const char *name) {
  if (!functions_starts_with(name, "llvm.x86.") && !functions_starts_with(name, "llvm.masked.")) return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind) return true;
  return false;
}

static void instrument_intrinsic(struct unit *unit, LLVMValueRef call, const char *name) {
  if (accesses_instrument_block(unit, call, name)) return;
  if (strcmp(name, "llvm.trap") != 0 && !touches_memory(call, name)) return;
  const LLVMValueRef site = sites_of_instruction(unit, call, "");
  hooks_insert(unit, HOOK_at_call, call, &site);
  if (touches_memory(call, name)) announce_opaque(unit, call, site, NOTE_OPAQUE_CALL, name);
}

static bool known_to_heddle(const char *name) {
  return known_function(name) != KNOWN_NOT || functions_starts_with(name, "heddle_");
}

static bool defined_here(LLVMValueRef callee) {
  if (LLVMIsAGlobalAlias(callee)) return true;
  return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) &&
         LLVMGetLinkage(callee) != LLVMAvailableExternallyLinkage;
}

void calls_instrument(struct unit *unit, LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    instrument_assembly(unit, call, callee);
    return;
  }
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : NULL;
  if (name && LLVMGetIntrinsicID(callee)) {
    instrument_intrinsic(unit, call, name);
    return;
  }
  accesses_instrument_by_value(unit, call);
  if (defined_here(callee)) return;
  const LLVMValueRef site = site_of_call(unit, call);
  hooks_insert(unit, HOOK_at_call, call, &site);
  if (name && !known_to_heddle(name)) announce_opaque(unit, call, site, NOTE_OPAQUE_CALL, name);
}
