/* SPDX-License-Identifier: MIT
 *
 * Which memory only its own thread can see: stack variables whose address does not escape from their function.
 *
 * An address escapes when it is stored, passed to a function, returned or made an integer. It does not when it is only
 * the place of an access, compared, moved on by getelementptr, phi or select (whose uses are then followed), or
 * given to the intrinsics that copy, fill or mark memory. A structure passed by value is a local of the callee.
 */
#include "instrument/internal.h"

#include <stdlib.h>

typedef VECTOR(LLVMValueRef) value_list;

enum { MOST_VALUES = 256 }; /* followed from one pointer; more counts as "may be seen" */

/* What the map of locals holds. */
static char private_mark, escaped_mark;

static void push_new(value_list *list, struct map *seen, LLVMValueRef value) {
  if (map_get(seen, value)) return;
  map_put(seen, value, value);
  vector_push(list, value);
}

static bool harmless_intrinsic(LLVMValueRef call) {
  static const char *const prefixes[] = {"llvm.memcpy",      "llvm.memmove",    "llvm.memset",    "llvm.lifetime.",
                                         "llvm.dbg.",        "llvm.va_start",   "llvm.va_end",    "llvm.va_copy",
                                         "llvm.prefetch",    "llvm.objectsize", "llvm.invariant", "llvm.assume",
                                         "llvm.stackrestore"};
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (functions_starts_with(name, prefixes[i])) return true;
  return false;
}

/* Whether this use lets the pointer out; uses that make another pointer of it are pushed to be followed. */
static bool escapes_through(LLVMValueRef pointer, LLVMValueRef user, value_list *list, struct map *seen) {
  if (!LLVMIsAInstruction(user)) return true;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMICmp: return false;
  case LLVMStore: return LLVMGetOperand(user, 0) == pointer;
  case LLVMAtomicRMW: return LLVMGetOperand(user, 1) == pointer;
  case LLVMAtomicCmpXchg: return LLVMGetOperand(user, 1) == pointer || LLVMGetOperand(user, 2) == pointer;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMPHI:
  case LLVMSelect: push_new(list, seen, user); return false;
  case LLVMCall: return !harmless_intrinsic(user);
  default: return true;
  }
}

static bool compute_escapes(LLVMValueRef variable) {
  value_list list = {0};
  struct map seen = {0};
  bool escapes = false;
  push_new(&list, &seen, variable);
  for (size_t i = 0; i < list.count && !escapes; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(list.items[i]); use && !escapes; use = LLVMGetNextUse(use))
      escapes = escapes_through(list.items[i], LLVMGetUser(use), &list, &seen);
  vector_free(&list);
  map_free(&seen);
  return escapes;
}

static bool escapes(struct unit *unit, LLVMValueRef variable) {
  const char *mark = map_get(&unit->locals, variable);
  if (!mark) {
    mark = compute_escapes(variable) ? &escaped_mark : &private_mark;
    map_put(&unit->locals, variable, (void *)mark);
  }
  return mark == &escaped_mark;
}

static bool passed_by_value(LLVMValueRef argument) {
  const LLVMValueRef function = LLVMGetParamParent(argument);
  const unsigned kind = functions_attribute_kind("byval");
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == argument) return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
  return false;
}

static bool local_object(struct unit *unit, LLVMValueRef object, bool reading) {
  if (LLVMIsAGlobalVariable(object)) return reading && LLVMIsGlobalConstant(object);
  if (LLVMIsAArgument(object) && !passed_by_value(object)) return false;
  if (!LLVMIsAAllocaInst(object) && !LLVMIsAArgument(object)) return false;
  return !escapes(unit, object);
}

static LLVMOpcode pointer_opcode(LLVMValueRef value) {
  if (LLVMIsAInstruction(value)) return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : 0;
}

/* Pushes what a derived pointer is made of; false for an object of its own. */
static bool push_sources(LLVMValueRef value, value_list *list, struct map *seen) {
  switch (pointer_opcode(value)) {
  case LLVMGetElementPtr:
  case LLVMBitCast: push_new(list, seen, LLVMGetOperand(value, 0)); return true;
  case LLVMSelect:
    push_new(list, seen, LLVMGetOperand(value, 1));
    push_new(list, seen, LLVMGetOperand(value, 2));
    return true;
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) push_new(list, seen, LLVMGetIncomingValue(value, i));
    return true;
  default: return false;
  }
}

bool local_to_thread(struct unit *unit, LLVMValueRef pointer, bool reading) {
  value_list list = {0};
  struct map seen = {0};
  bool local = true;
  push_new(&list, &seen, pointer);
  for (size_t i = 0; i < list.count && local; i++) {
    if (push_sources(list.items[i], &list, &seen))
      local = list.count < MOST_VALUES;
    else
      local = local_object(unit, list.items[i], reading);
  }
  vector_free(&list);
  map_free(&seen);
  return local;
}

LLVMValueRef local_variable_of(LLVMValueRef pointer) {
  value_list list = {0};
  struct map seen = {0};
  LLVMValueRef variable = NULL;
  bool one = true;
  push_new(&list, &seen, pointer);
  for (size_t i = 0; i < list.count && one; i++) {
    if (push_sources(list.items[i], &list, &seen)) {
      one = list.count < MOST_VALUES;
    } else {
      one = !variable;
      variable = list.items[i];
    }
  }
  vector_free(&list);
  map_free(&seen);
  return one ? variable : NULL;
}
