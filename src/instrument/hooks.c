/* SPDX-License-Identifier: MIT
 *
 * The hooks of abi/hooks.def as declarations in the module, and calls of them. Straight-line calls only: the branches
 * are in src/runtime/hooks.c, which is linked in and inlined later.
 */
#include "instrument/internal.h"

#include <string.h>

enum result { NOTHING, TERM, PURE_TERM, POINTER };

/* Parameters as in hooks.def, for example "P, Z, S". */
static const struct {
  const char *name, *parameters;
  enum result result;
} rows[HOOKS] = {
#define HOOK(name, ...) [HOOK_##name] = {"__heddle_" #name, "" #__VA_ARGS__, NOTHING},
#define TERM_HOOK(name, ...) [HOOK_##name] = {"__heddle_" #name, "" #__VA_ARGS__, TERM},
#define PURE_HOOK(name, ...) [HOOK_##name] = {"__heddle_" #name, "" #__VA_ARGS__, PURE_TERM},
#define POINTER_HOOK(name, ...) [HOOK_##name] = {"__heddle_" #name, "" #__VA_ARGS__, POINTER},
#include "abi/hooks.def"
#undef POINTER_HOOK
#undef HOOK
#undef TERM_HOOK
#undef PURE_HOOK
};

enum { MAX_PARAMETERS = 12 };

static LLVMTypeRef type_of_letter(const struct unit *unit, char letter) {
  switch (letter) {
  case 'P':
  case 'S': return unit->pointer;
  case 'Z': return unit->int64;
  case 'T': return unit->int32;
  default: return NULL;
  }
}

static unsigned parameter_types(const struct unit *unit, enum hook hook, LLVMTypeRef types[MAX_PARAMETERS]) {
  unsigned count = 0;
  for (const char *letter = rows[hook].parameters; *letter; letter++)
    if (type_of_letter(unit, *letter)) types[count++] = type_of_letter(unit, *letter);
  return count;
}

static LLVMTypeRef result_type(const struct unit *unit, enum hook hook) {
  switch (rows[hook].result) {
  case NOTHING: return LLVMVoidTypeInContext(unit->context);
  case POINTER: return unit->pointer;
  default: return unit->int32;
  }
}

static LLVMTypeRef type_of(const struct unit *unit, enum hook hook) {
  LLVMTypeRef types[MAX_PARAMETERS];
  const unsigned count = parameter_types(unit, hook, types);
  return LLVMFunctionType(result_type(unit, hook), types, count, false);
}

static void add_attribute(struct unit *unit, LLVMValueRef function, const char *name) {
  const LLVMAttributeRef attribute = LLVMCreateEnumAttribute(unit->context, functions_attribute_kind(name), 0);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

/* "memory" with the value 0 is memory(none). */
static void declare_pure(struct unit *unit, LLVMValueRef function) {
  static const char *const attributes[] = {"memory", "willreturn", "nounwind", "cold"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) add_attribute(unit, function, attributes[i]);
}

/* A program may call a hook itself, as tests do. */
static LLVMValueRef declared(struct unit *unit, enum hook hook) {
  const LLVMValueRef there = LLVMGetNamedFunction(unit->module, rows[hook].name);
  return there ? there : LLVMAddFunction(unit->module, rows[hook].name, type_of(unit, hook));
}

void hooks_declare(struct unit *unit) {
  for (enum hook hook = 0; hook < HOOKS; hook++) {
    unit->hooks[hook] = declared(unit, hook);
    map_put(&unit->hook_numbers, unit->hooks[hook], (void *)(uintptr_t)(hook + 1));
    if (unit->is_cxx) add_attribute(unit, unit->hooks[hook], "nounwind");
    if (rows[hook].result == PURE_TERM) declare_pure(unit, unit->hooks[hook]);
  }
}

LLVMValueRef hooks_call(struct unit *unit, enum hook hook, const LLVMValueRef *arguments) {
  LLVMTypeRef types[MAX_PARAMETERS];
  const unsigned count = parameter_types(unit, hook, types);
  return LLVMBuildCall2(unit->builder, type_of(unit, hook), unit->hooks[hook], (LLVMValueRef *)arguments, count, "");
}

LLVMValueRef hooks_insert(struct unit *unit, enum hook hook, LLVMValueRef before, const LLVMValueRef *arguments) {
  LLVMPositionBuilderBefore(unit->builder, before);
  return hooks_call(unit, hook, arguments);
}

LLVMValueRef hooks_integer(struct unit *unit, uint64_t value) {
  return LLVMConstInt(unit->int64, value, false);
}

enum hook hooks_called(struct unit *unit, LLVMValueRef instruction) {
  const LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  const uintptr_t number = callee ? (uintptr_t)map_get(&unit->hook_numbers, callee) : 0;
  return number ? (enum hook)(number - 1) : HOOKS;
}
