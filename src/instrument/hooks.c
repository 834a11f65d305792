/* SPDX-License-Identifier: MIT
 *
 * The hooks of abi/hooks.def as declarations in the module, and calls of them. Straight-line calls only: the branches
 * are in src/runtime/hooks.c, which is linked in and inlined later.
 */
#include "instrument/internal.h"

#include <string.h>

/* Parameters as in hooks.def, for example "P, Z, S". */
static const struct {
  const char *name, *parameters;
} rows[HOOKS] = {
#define HOOK(name, ...) [HOOK_##name] = {"__heddle_" #name, "" #__VA_ARGS__},
#include "abi/hooks.def"
#undef HOOK
};

enum { MAX_PARAMETERS = 8 };

static unsigned parameter_types(const struct unit *unit, enum hook hook, LLVMTypeRef types[MAX_PARAMETERS]) {
  unsigned count = 0;
  for (const char *letter = rows[hook].parameters; *letter; letter++) {
    if (!strchr("PSZ", *letter)) continue;
    types[count++] = *letter == 'Z' ? unit->int64 : unit->pointer;
  }
  return count;
}

static LLVMTypeRef type_of(const struct unit *unit, enum hook hook) {
  LLVMTypeRef types[MAX_PARAMETERS];
  const unsigned count = parameter_types(unit, hook, types);
  return LLVMFunctionType(LLVMVoidTypeInContext(unit->context), types, count, false);
}

void hooks_declare(struct unit *unit) {
  for (enum hook hook = 0; hook < HOOKS; hook++)
    unit->hooks[hook] = LLVMAddFunction(unit->module, rows[hook].name, type_of(unit, hook));
}

void hooks_insert(struct unit *unit, enum hook hook, LLVMValueRef before, const LLVMValueRef *arguments) {
  LLVMTypeRef types[MAX_PARAMETERS];
  const unsigned count = parameter_types(unit, hook, types);
  LLVMPositionBuilderBefore(unit->builder, before);
  LLVMBuildCall2(unit->builder, type_of(unit, hook), unit->hooks[hook], (LLVMValueRef *)arguments, count, "");
}

LLVMValueRef hooks_integer(struct unit *unit, uint64_t value) {
  return LLVMConstInt(unit->int64, value, false);
}
