/* SPDX-License-Identifier: MIT
 *
 * Which values of a function may have terms: arguments, what is read from memory and what calls return, and everything
 * computed from these. Loop counters and their like do not, and cost nothing.
 *
 * What is computed from values with terms must be defined for all their values, as the terms are: other inputs may lead
 * to an overflow that this run does not show. So promises of the compiler (nsw, nuw, exact, inbounds) are dropped
 * there, and amounts of shifts are taken modulo the width.
 */
#include "instrument/shadow.h"

#include <stdlib.h>
#include <string.h>

typedef VECTOR(LLVMValueRef) value_list;

static void add(struct shadow *shadow, value_list *list, LLVMValueRef value) {
  if (shadow_possible(shadow, value) || !shadow_members(LLVMTypeOf(value))) return;
  map_put(&shadow->possible, value, value);
  vector_push(list, value);
}

static bool passed_by_value(LLVMValueRef function, unsigned parameter) {
  return LLVMGetEnumAttributeAtIndex(function, parameter + 1, functions_attribute_kind("byval")) != NULL;
}

bool possible_reads_constant(LLVMValueRef load) {
  const LLVMValueRef variable = local_variable_of(LLVMGetOperand(load, 0));
  return variable && LLVMIsAGlobalVariable(variable) && LLVMIsGlobalConstant(variable);
}

static bool is_source(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad: return !possible_reads_constant(instruction);
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return true;
  case LLVMCall: return call_may_give_term(instruction);
  default: return false;
  }
}

static void add_sources(struct shadow *shadow, value_list *list) {
  for (unsigned i = 0; i < LLVMCountParams(shadow->function); i++)
    if (!passed_by_value(shadow->function, i)) add(shadow, list, LLVMGetParam(shadow->function, i));
  for (size_t b = 0; b < shadow->order.blocks.count; b++) {
    LLVMValueRef i = LLVMGetFirstInstruction(shadow->order.blocks.items[b]);
    for (; i; i = LLVMGetNextInstruction(i))
      if (is_source(i)) add(shadow, list, i);
  }
}

static void add_users(struct shadow *shadow, value_list *list, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) continue;
    if (LLVMIsAPHINode(user) || operation_is_pure(user)) add(shadow, list, user);
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

static void wrap_amounts(struct shadow *shadow, value_list *list) {
  const size_t count = list->count;
  for (size_t i = 0; i < count; i++) {
    const LLVMValueRef shift = list->items[i];
    if (!LLVMIsAInstruction(shift) || !is_shift(shift)) continue;
    const LLVMValueRef amount = LLVMGetOperand(shift, 1);
    wrap_amount(shadow->unit, shift);
    const LLVMValueRef wrapped = LLVMGetOperand(shift, 1);
    if (wrapped != amount && shadow_possible(shadow, amount)) add(shadow, list, wrapped);
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
  value_list list = {0};
  add_sources(shadow, &list);
  for (size_t i = 0; i < list.count; i++) add_users(shadow, &list, list.items[i]);
  wrap_amounts(shadow, &list);
  for (size_t i = 0; i < list.count; i++)
    if (LLVMIsAInstruction(list.items[i])) drop_promises(shadow->unit, list.items[i]);
  vector_free(&list);
}
