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
 *                                             call void @__heddle_foreign(ptr @__heddle_followed_mystery, ptr @named)
 *                                             call i32 @mystery(i32 %x)
 *     call i32 %pointer(i32 %x)               call void @__heddle_at_call(ptr @site)
 *                                             call void @__heddle_indirect(ptr %pointer, ptr @site)
 *                                             call void @__heddle_writes_unseen()
 *                                             call i32 %pointer(i32 %x)
 *
 * A function of the C library that is in no table gets __heddle_unlisted for every pointer instead of __heddle_foreign.
 * Intercepted functions get their models' names in functions_redirect.
 */
#include "base/demangle.h"
#include "instrument/internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* The variable behind the first pointer argument: the mutex that is locked, for example. */
static LLVMValueRef site_of_call(struct unit *unit, LLVMValueRef call) {
  struct text name = {0};
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !name.length; i++) {
    const LLVMValueRef argument = LLVMGetArgOperand(call, i);
    if (is_pointer(argument)) names_append(unit, &name, argument, 0);
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

static LLVMValueRef nothing(const struct unit *unit) {
  return LLVMConstNull(unit->pointer);
}

/* A symbol that is there when some module of the program defines the function for others (stubs.c). */
static LLVMValueRef mark_of(struct unit *unit, const char *function) {
  struct text name = {0};
  text_append_format(&name, "%s%s", stubs_mark_prefix, function);
  LLVMValueRef mark = LLVMGetNamedGlobal(unit->module, name.string);
  if (!mark) mark = LLVMAddGlobal(unit->module, unit->byte, name.string);
  LLVMSetLinkage(mark, LLVMExternalWeakLinkage);
  text_free(&name);
  return mark;
}

/* A place that names the function called there. */
static LLVMValueRef site_naming(struct unit *unit, LLVMValueRef call, const char *name) {
  char *shown = demangle(name);
  const LLVMValueRef site = sites_of_instruction(unit, call, shown ? shown : name);
  free(shown);
  return site;
}

static void announce_foreign(struct unit *unit, LLVMValueRef call, LLVMValueRef mark, const char *name) {
  hooks_insert(unit, HOOK_foreign, call, (LLVMValueRef[]){mark, site_naming(unit, call, name)});
}

static void announce_unlisted_argument(struct unit *unit, LLVMValueRef call, const char *name, unsigned i) {
  const LLVMValueRef address = LLVMGetArgOperand(call, i);
  if (!is_pointer(address) || LLVMIsAConstantPointerNull(address)) return;
  const LLVMValueRef variable = local_variable_of(address);
  const uint64_t size = variable ? bounds_size_of_variable(unit, variable) : 0;
  const LLVMValueRef arguments[] = {mark_of(unit, name), address, size ? variable : nothing(unit),
                                    hooks_integer(unit, size), site_naming(unit, call, name)};
  hooks_insert(unit, HOOK_unlisted, call, arguments);
}

static void announce_unlisted(struct unit *unit, LLVMValueRef call, const char *name) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) announce_unlisted_argument(unit, call, name, i);
}

/* A function that is in no table of replaced ones. */
static void announce_unknown(struct unit *unit, LLVMValueRef call, const char *name) {
  hooks_insert(unit, HOOK_opaque_call, call, NULL);
  if (known_effects(name) != EFFECTS_UNKNOWN) {
    if (known_prints_to_stream(name)) announce_unlisted_argument(unit, call, name, 0);
    return;
  }
  if (known_in_library(name))
    announce_unlisted(unit, call, name);
  else
    announce_foreign(unit, call, mark_of(unit, name), name);
}

/* Intrinsics of processors that take pointers (masked stores, for example) touch memory in ways not followed. */
static bool touches_memory(LLVMValueRef call, const char *name) {
  if (!functions_starts_with(name, "llvm.x86.") && !functions_starts_with(name, "llvm.masked.")) return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (is_pointer(LLVMGetArgOperand(call, i))) return true;
  return false;
}

static void instrument_intrinsic(struct unit *unit, LLVMValueRef call, const char *name) {
  if (accesses_instrument_block(unit, call, name) || returns_instrument(unit, call, name)) return;
  if (strcmp(name, "llvm.trap") != 0 && !touches_memory(call, name)) return;
  const LLVMValueRef site = sites_of_instruction(unit, call, "");
  hooks_insert(unit, HOOK_at_call, call, &site);
  if (!touches_memory(call, name)) return;
  hooks_insert(unit, HOOK_opaque_call, call, NULL);
  announce_foreign(unit, call, nothing(unit), name);
}

/* Functions whose writes the runtime sees, or that write nothing but a synchronisation object. */
static bool writes_only_its_object(const char *name) {
  static const char *const prefixes[] = {"malloc",
                                         "calloc",
                                         "realloc",
                                         "free",
                                         "aligned_alloc",
                                         "str",
                                         "mem",
                                         "pthread_mutex_",
                                         "pthread_cond_",
                                         "pthread_rwlock_",
                                         "pthread_spin_",
                                         "pthread_barrier_",
                                         "sem_wait",
                                         "sem_post",
                                         "sem_trywait",
                                         "sem_timedwait",
                                         "sem_clockwait",
                                         "sem_init",
                                         "sem_destroy",
                                         "mtx_",
                                         "cnd_",
                                         "pthread_self",
                                         "pthread_equal",
                                         "sched_yield",
                                         "__assert_fail",
                                         "_Zn",
                                         "_Zd"};
  if (functions_starts_with(name, "strto")) return false; /* where the number ends */
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (functions_starts_with(name, prefixes[i])) return known_function(name) != KNOWN_NOT;
  return false;
}

/* In C++ it may be a virtual function of a class of libstdc++'s. */
static void announce_indirect(struct unit *unit, LLVMValueRef call, LLVMValueRef callee, LLVMValueRef site) {
  hooks_insert(unit, HOOK_indirect, call, (LLVMValueRef[]){callee, site});
  if (!unit->is_cxx || !LLVMGetNumArgOperands(call) || !is_pointer(LLVMGetArgOperand(call, 0))) return;
  hooks_insert(unit, HOOK_virtual, call, (LLVMValueRef[]){callee, LLVMGetArgOperand(call, 0), site});
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
  if (!name) announce_indirect(unit, call, callee, site);
  if (name && !known_to_heddle(name))
    announce_unknown(unit, call, name);
  else if (!name || !writes_only_its_object(name))
    hooks_insert(unit, HOOK_writes_unseen, call, NULL);
}
