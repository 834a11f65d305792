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

void calls_announce_opaque(struct unit *unit, LLVMValueRef call, LLVMValueRef site, enum note_kind kind,
                           const char *what) {
  hooks_insert(unit, HOOK_opaque_call, call, NULL);
  sites_add_note(unit, kind, site, what);
}

/* Intrinsics of processors that take pointers (masked stores, for example) touch memory in ways not followed. */
static bool touches_memory(LLVMValueRef call, const char *name) {
  if (!functions_starts_with(name, "llvm.x86.") && !functions_starts_with(name, "llvm.masked.")) return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind) return true;
  return false;
}

static void instrument_intrinsic(struct unit *unit, LLVMValueRef call, const char *name) {
  if (accesses_instrument_block(unit, call, name) || returns_instrument(unit, call, name)) return;
  if (strcmp(name, "llvm.trap") != 0 && !touches_memory(call, name)) return;
  const LLVMValueRef site = sites_of_instruction(unit, call, "");
  hooks_insert(unit, HOOK_at_call, call, &site);
  if (touches_memory(call, name)) calls_announce_opaque(unit, call, site, NOTE_OPAQUE_CALL, name);
}

/* Functions whose writes the runtime sees, or that write nothing but a synchronisation object. */
static bool writes_only_its_object(const char *name) {
  static const char *const prefixes[] = {
      "malloc",         "calloc",        "realloc",         "free",          "aligned_alloc",    "str",      "mem",
      "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "sem_wait", "sem_post",
      "sem_trywait",    "sem_timedwait", "sem_clockwait",   "sem_init",      "sem_destroy",      "mtx_",     "cnd_",
      "pthread_self",   "pthread_equal", "sched_yield",     "__assert_fail"};
  if (functions_starts_with(name, "strto")) return false; /* where the number ends */
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (functions_starts_with(name, prefixes[i])) return known_function(name) != KNOWN_NOT;
  return false;
}

static bool defined_here(LLVMValueRef callee) {
  if (LLVMIsAGlobalAlias(callee)) return true;
  return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) &&
         LLVMGetLinkage(callee) != LLVMAvailableExternallyLinkage;
}

void calls_instrument(struct unit *unit, LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    assembly_instrument(unit, call, callee);
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
  if (name && !known_to_heddle(name))
    calls_announce_opaque(unit, call, site, NOTE_OPAQUE_CALL, name);
  else if (!name || !writes_only_its_object(name))
    hooks_insert(unit, HOOK_writes_unseen, call, NULL);
}
