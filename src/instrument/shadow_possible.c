/* SPDX-License-Identifier: MIT
 *
 * Which values may have terms: arguments, what is read from memory and what calls return, and everything computed from
 * these. Loop counters and their like do not, and cost nothing. Neither do arguments and results of functions that only
 * this module can call, if no call of them gives or gets such a value: what follows from what is found by repetition,
 * starting from "none".
 *
 * What is computed from values with terms must be defined for all their values, as the terms are: other inputs may lead
 * to an overflow that this run does not show. So promises of the compiler (nsw, nuw, exact, inbounds) are dropped
 * there, and amounts of shifts are taken modulo the width.
 */
#include "instrument/shadow.h"

#include <stdlib.h>
#include <string.h>

typedef VECTOR(LLVMValueRef) value_list;

struct found {
  struct unit *unit;
  struct map *possible;
  value_list list; /* what is in it, in the order of finding */
};

static void add(struct found *found, LLVMValueRef value) {
  if (map_get(found->possible, value) || !shadow_members(LLVMTypeOf(value))) return;
  map_put(found->possible, value, value);
  vector_push(&found->list, value);
}

static bool passed_by_value(LLVMValueRef function, unsigned parameter) {
  return LLVMGetEnumAttributeAtIndex(function, parameter + 1, functions_attribute_kind("byval")) != NULL;
}

bool possible_reads_constant(LLVMValueRef load) {
  const LLVMValueRef variable = local_variable_of(LLVMGetOperand(load, 0));
  return variable && LLVMIsAGlobalVariable(variable) && LLVMIsGlobalConstant(variable);
}

static bool is_source(struct unit *unit, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad: return shadow_members(LLVMTypeOf(instruction)) && !possible_reads_constant(instruction);
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return true;
  case LLVMCall:
  case LLVMInvoke: return call_may_give_term(unit, instruction);
  default: return false;
  }
}

static bool may_be_given(struct unit *unit, LLVMValueRef function, unsigned parameter) {
  if (passed_by_value(function, parameter)) return false;
  return !map_get(&unit->enclosed, function) || map_get(&unit->given, LLVMGetParam(function, parameter));
}

static void add_sources(struct found *found, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (may_be_given(found->unit, function, i)) add(found, LLVMGetParam(function, i));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (is_source(found->unit, i)) add(found, i);
}

static void add_users(struct found *found, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) continue;
    if (LLVMIsAPHINode(user) || operation_is_pure(user)) add(found, user);
  }
}

static void find(struct found *found, LLVMValueRef function) {
  add_sources(found, function);
  for (size_t i = 0; i < found->list.count; i++) add_users(found, found->list.items[i]);
}

/* ---- functions that only this module can call ---- */

static bool only_called(LLVMValueRef function) {
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!exceptions_is_call(user) || LLVMGetCalledValue(user) != function) return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetArgOperand(user, i) == function) return false;
  }
  return true;
}

static LLVMValueRef enclosed_callee(struct unit *unit, LLVMValueRef call) {
  const LLVMValueRef callee = exceptions_is_call(call) ? LLVMGetCalledValue(call) : NULL;
  return callee && map_get(&unit->enclosed, callee) ? callee : NULL;
}

static bool mark(struct map *map, LLVMValueRef value) {
  if (map_get(map, value)) return false;
  map_put(map, value, value);
  return true;
}

/* Whether a call, or a return, makes more possible than was known. */
static bool spreads(struct unit *unit, LLVMValueRef function, LLVMValueRef instruction, const struct map *possible) {
  bool changed = false;
  const LLVMValueRef callee = enclosed_callee(unit, instruction);
  const unsigned count = callee ? LLVMCountParams(callee) : 0;
  for (unsigned i = 0; i < count && i < LLVMGetNumArgOperands(instruction); i++)
    if (map_get(possible, LLVMGetArgOperand(instruction, i))) changed |= mark(&unit->given, LLVMGetParam(callee, i));
  if (LLVMIsAReturnInst(instruction) && LLVMGetNumOperands(instruction) &&
      map_get(possible, LLVMGetOperand(instruction, 0)))
    changed |= mark(&unit->given, function);
  return changed;
}

static bool look_at(struct unit *unit, LLVMValueRef function) {
  struct map possible = {0};
  struct found found = {unit, &possible, {0}};
  bool changed = false;
  find(&found, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      changed |= spreads(unit, function, i, &possible);
  vector_free(&found.list);
  map_free(&possible);
  return changed;
}

void possible_find_calls(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && functions_is_instrumented(f) && only_called(f)) map_put(&unit->enclosed, f, f);
  for (bool changed = unit->enclosed.values.count != 0; changed;) {
    changed = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
      if (!LLVMIsDeclaration(f) && functions_is_instrumented(f)) changed |= look_at(unit, f);
  }
}

/* ---- defined for all values ---- */

/* Modulo the width; the new instruction is found to be possible like any other. */
static void wrap_amount(struct unit *unit, LLVMValueRef shift) {
  const LLVMValueRef amount = LLVMGetOperand(shift, 1);
  const LLVMTypeRef type = LLVMTypeOf(amount);
  const unsigned width = LLVMGetIntTypeWidth(type);
  if (LLVMIsAConstantInt(amount) && LLVMConstIntGetZExtValue(amount) < width) return;
  LLVMPositionBuilderBefore(unit->builder, shift);
  const bool power = (width & (width - 1)) == 0;
  const LLVMValueRef limit = LLVMConstInt(type, power ? width - 1 : width, false);
  LLVMSetOperand(shift, 1,
                 power ? LLVMBuildAnd(unit->builder, amount, limit, "")
                       : LLVMBuildURem(unit->builder, amount, limit, ""));
}

static bool is_shift(LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

static void wrap_amounts(struct found *found) {
  const size_t count = found->list.count;
  for (size_t i = 0; i < count; i++) {
    const LLVMValueRef shift = found->list.items[i];
    if (!LLVMIsAInstruction(shift) || !is_shift(shift)) continue;
    const LLVMValueRef amount = LLVMGetOperand(shift, 1);
    wrap_amount(found->unit, shift);
    const LLVMValueRef wrapped = LLVMGetOperand(shift, 1);
    if (wrapped != amount && map_get(found->possible, amount)) add(found, wrapped);
  }
}

/* The last argument of these says that some value is not defined. */
static void define_intrinsic(struct unit *unit, LLVMValueRef call) {
  static const char *const prefixes[] = {"llvm.abs.", "llvm.ctlz.", "llvm.cttz."};
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (functions_starts_with(name, prefixes[i]))
      LLVMSetOperand(call, 1, LLVMConstInt(LLVMInt1TypeInContext(unit->context), 0, false));
}

static void drop_promises(struct unit *unit, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    LLVMSetNSW(instruction, false);
    LLVMSetNUW(instruction, false);
    break;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMLShr:
  case LLVMAShr: LLVMSetExact(instruction, false); break;
  case LLVMOr: LLVMSetIsDisjoint(instruction, false); break;
  case LLVMZExt: LLVMSetNNeg(instruction, false); break;
  case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(instruction, 0); break;
  case LLVMCall:
    if (operation_is_pure(instruction)) define_intrinsic(unit, instruction);
    break;
  default: break;
  }
}

void possible_find(struct shadow *shadow) {
  struct found found = {shadow->unit, &shadow->possible, {0}};
  find(&found, shadow->function);
  wrap_amounts(&found);
  for (size_t i = 0; i < found.list.count; i++)
    if (LLVMIsAInstruction(found.list.items[i])) drop_promises(shadow->unit, found.list.items[i]);
  vector_free(&found.list);
}
