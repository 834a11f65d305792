/* SPDX-License-Identifier: MIT
 *
 * The terms of what only computes: arithmetic, comparisons, casts, addresses, intrinsics, members of structures.
 */
#include "instrument/shadow.h"

#include <string.h>

/* ---- intrinsics ---- */

enum intrinsic_class { IDENTITY, FUNCTION, WITH_OVERFLOW, MASK };

struct intrinsic {
  const char *prefix;
  enum intrinsic_class class;
  enum symbolic_intrinsic function;
  unsigned operands;
  enum term_operator operator; /* WITH_OVERFLOW: of the value */
};

static const struct intrinsic intrinsics[] = {
    {"llvm.expect.", IDENTITY, 0, 1, 0},
    {"llvm.annotation.", IDENTITY, 0, 1, 0},
    {"llvm.ptr.annotation.", IDENTITY, 0, 1, 0},
    {"llvm.launder.invariant.group", IDENTITY, 0, 1, 0},
    {"llvm.strip.invariant.group", IDENTITY, 0, 1, 0},
    {"llvm.ptrmask.", MASK, 0, 2, 0},
    {"llvm.umin.", FUNCTION, SYMBOLIC_UMIN, 2, 0},
    {"llvm.umax.", FUNCTION, SYMBOLIC_UMAX, 2, 0},
    {"llvm.smin.", FUNCTION, SYMBOLIC_SMIN, 2, 0},
    {"llvm.smax.", FUNCTION, SYMBOLIC_SMAX, 2, 0},
    {"llvm.abs.", FUNCTION, SYMBOLIC_ABS, 1, 0},
    {"llvm.uadd.sat.", FUNCTION, SYMBOLIC_UADD_SATURATED, 2, 0},
    {"llvm.sadd.sat.", FUNCTION, SYMBOLIC_SADD_SATURATED, 2, 0},
    {"llvm.usub.sat.", FUNCTION, SYMBOLIC_USUB_SATURATED, 2, 0},
    {"llvm.ssub.sat.", FUNCTION, SYMBOLIC_SSUB_SATURATED, 2, 0},
    {"llvm.ctpop.", FUNCTION, SYMBOLIC_COUNT_ONES, 1, 0},
    {"llvm.ctlz.", FUNCTION, SYMBOLIC_LEADING_ZEROS, 1, 0},
    {"llvm.cttz.", FUNCTION, SYMBOLIC_TRAILING_ZEROS, 1, 0},
    {"llvm.bswap.", FUNCTION, SYMBOLIC_SWAP_BYTES, 1, 0},
    {"llvm.bitreverse.", FUNCTION, SYMBOLIC_REVERSE_BITS, 1, 0},
    {"llvm.fshl.", FUNCTION, SYMBOLIC_FUNNEL_LEFT, 3, 0},
    {"llvm.fshr.", FUNCTION, SYMBOLIC_FUNNEL_RIGHT, 3, 0},
    {"llvm.uadd.with.overflow.", WITH_OVERFLOW, SYMBOLIC_UADD_OVERFLOW, 2, TERM_ADD},
    {"llvm.sadd.with.overflow.", WITH_OVERFLOW, SYMBOLIC_SADD_OVERFLOW, 2, TERM_ADD},
    {"llvm.usub.with.overflow.", WITH_OVERFLOW, SYMBOLIC_USUB_OVERFLOW, 2, TERM_SUBTRACT},
    {"llvm.ssub.with.overflow.", WITH_OVERFLOW, SYMBOLIC_SSUB_OVERFLOW, 2, TERM_SUBTRACT},
    {"llvm.umul.with.overflow.", WITH_OVERFLOW, SYMBOLIC_UMUL_OVERFLOW, 2, TERM_MULTIPLY},
    {"llvm.smul.with.overflow.", WITH_OVERFLOW, SYMBOLIC_SMUL_OVERFLOW, 2, TERM_MULTIPLY},
};

static const struct intrinsic *intrinsic_of(LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee)) return NULL;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
    if (functions_starts_with(name, intrinsics[i].prefix)) return &intrinsics[i];
  return NULL;
}

/* ---- values as the hooks take them ---- */

LLVMValueRef operation_int64(struct shadow *shadow, LLVMValueRef value) {
  const LLVMBuilderRef builder = shadow->unit->builder;
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(builder, value, shadow->unit->int64, "");
  return LLVMBuildIntCast2(builder, value, shadow->unit->int64, false, "");
}

static LLVMValueRef high_half(struct shadow *shadow, LLVMValueRef value) {
  const LLVMBuilderRef builder = shadow->unit->builder;
  const LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(value), 64, false);
  return LLVMBuildIntCast2(builder, LLVMBuildLShr(builder, value, shift, ""), shadow->unit->int64, false, "");
}

struct operand operation_operand(struct shadow *shadow, LLVMValueRef value) {
  const bool wide = shadow_width(LLVMTypeOf(value)) > 64;
  return (struct operand){shadow_term(shadow, value, 0), operation_int64(shadow, value),
                          wide ? high_half(shadow, value) : NULL};
}

static struct operand constant(struct shadow *shadow, uint64_t value, bool wide) {
  return (struct operand){shadow->zero, hooks_integer(shadow->unit, value),
                          wide ? hooks_integer(shadow->unit, 0) : NULL};
}

static bool is_concrete(struct operand a) {
  return LLVMIsNull(a.term);
}

static LLVMValueRef code_of(struct shadow *shadow, unsigned kind, unsigned width, unsigned low) {
  return hooks_integer(shadow->unit, kind | (uint64_t)width << 8 | (uint64_t)low << 16);
}

static LLVMValueRef call_of_two(struct shadow *shadow, enum hook narrow, enum hook wide, LLVMValueRef code,
                                struct operand a, struct operand b) {
  if (is_concrete(a) && is_concrete(b)) return shadow->zero;
  if (a.high)
    return hooks_call(shadow->unit, wide, (LLVMValueRef[]){code, a.term, a.low, a.high, b.term, b.low, b.high});
  return hooks_call(shadow->unit, narrow, (LLVMValueRef[]){code, a.term, a.low, b.term, b.low});
}

LLVMValueRef operation_binary(struct shadow *shadow, enum term_operator kind, unsigned width, struct operand a,
                              struct operand b) {
  return call_of_two(shadow, HOOK_term_binary, HOOK_term_binary_wide, code_of(shadow, kind, width, 0), a, b);
}

LLVMValueRef operation_compare(struct shadow *shadow, enum symbolic_comparison comparison, unsigned width,
                               struct operand a, struct operand b) {
  return call_of_two(shadow, HOOK_term_compare, HOOK_term_compare_wide, code_of(shadow, comparison, width, 0), a, b);
}

static LLVMValueRef intrinsic_of_three(struct shadow *shadow, enum symbolic_intrinsic intrinsic, unsigned width,
                                       const struct operand o[3]) {
  if (is_concrete(o[0]) && is_concrete(o[1]) && is_concrete(o[2])) return shadow->zero;
  const LLVMValueRef code = code_of(shadow, intrinsic, width, 0);
  if (width > 64)
    return hooks_call(shadow->unit, HOOK_term_intrinsic_wide,
                      (LLVMValueRef[]){code, o[0].term, o[0].low, o[0].high, o[1].term, o[1].low, o[1].high, o[2].term,
                                       o[2].low, o[2].high});
  return hooks_call(shadow->unit, HOOK_term_intrinsic,
                    (LLVMValueRef[]){code, o[0].term, o[0].low, o[1].term, o[1].low, o[2].term, o[2].low});
}

LLVMValueRef operation_intrinsic(struct shadow *shadow, enum symbolic_intrinsic intrinsic, unsigned width,
                                 struct operand a, struct operand b) {
  return intrinsic_of_three(shadow, intrinsic, width, (struct operand[]){a, b, constant(shadow, 0, width > 64)});
}

static LLVMValueRef cast(struct shadow *shadow, LLVMValueRef term, enum term_operator kind, unsigned width) {
  if (LLVMIsNull(term)) return term;
  return hooks_call(shadow->unit, HOOK_term_cast, (LLVMValueRef[]){code_of(shadow, kind, width, 0), term});
}

LLVMValueRef operation_resize(struct shadow *shadow, LLVMValueRef term, unsigned from, unsigned to) {
  if (from == to) return term;
  return cast(shadow, term, from < to ? TERM_ZERO_EXTEND : TERM_EXTRACT, to);
}

/* ---- instructions ---- */

static enum term_operator operator_of(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd: return TERM_ADD;
  case LLVMSub: return TERM_SUBTRACT;
  case LLVMMul: return TERM_MULTIPLY;
  case LLVMUDiv: return TERM_DIVIDE;
  case LLVMSDiv: return TERM_DIVIDE_SIGNED;
  case LLVMURem: return TERM_REMAINDER;
  case LLVMSRem: return TERM_REMAINDER_SIGNED;
  case LLVMAnd: return TERM_AND;
  case LLVMOr: return TERM_OR;
  case LLVMXor: return TERM_XOR;
  case LLVMShl: return TERM_SHIFT_LEFT;
  case LLVMLShr: return TERM_SHIFT_RIGHT;
  case LLVMAShr: return TERM_SHIFT_RIGHT_SIGNED;
  default: return TERM_CONSTANT; /* none */
  }
}

static enum symbolic_comparison comparison_of(LLVMIntPredicate predicate) {
  switch (predicate) {
  case LLVMIntEQ: return COMPARE_EQUAL;
  case LLVMIntNE: return COMPARE_NOT_EQUAL;
  case LLVMIntUGT: return COMPARE_GREATER;
  case LLVMIntUGE: return COMPARE_GREATER_EQUAL;
  case LLVMIntULT: return COMPARE_LESS;
  case LLVMIntULE: return COMPARE_LESS_EQUAL;
  case LLVMIntSGT: return COMPARE_GREATER_SIGNED;
  case LLVMIntSGE: return COMPARE_GREATER_EQUAL_SIGNED;
  case LLVMIntSLT: return COMPARE_LESS_SIGNED;
  default: return COMPARE_LESS_EQUAL_SIGNED;
  }
}

static void emit_binary(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction;
  const struct operand a = operation_operand(shadow, LLVMGetOperand(i, 0)),
                       b = operation_operand(shadow, LLVMGetOperand(i, 1));
  const unsigned width = shadow_width(LLVMTypeOf(i));
  group_made(shadow, item, 0, operation_binary(shadow, operator_of(LLVMGetInstructionOpcode(i)), width, a, b));
}

static void emit_compare(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction;
  const struct operand a = operation_operand(shadow, LLVMGetOperand(i, 0)),
                       b = operation_operand(shadow, LLVMGetOperand(i, 1));
  const unsigned width = shadow_width(LLVMTypeOf(LLVMGetOperand(i, 0)));
  group_made(shadow, item, 0, operation_compare(shadow, comparison_of(LLVMGetICmpPredicate(i)), width, a, b));
}

static void emit_cast(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction, from = LLVMGetOperand(i, 0);
  const LLVMValueRef term = shadow_term(shadow, from, 0);
  const unsigned width = shadow_width(LLVMTypeOf(i)), old = shadow_width(LLVMTypeOf(from));
  const bool is_signed = LLVMGetInstructionOpcode(i) == LLVMSExt;
  group_made(shadow, item, 0,
             is_signed ? cast(shadow, term, TERM_SIGN_EXTEND, width) : operation_resize(shadow, term, old, width));
}

static LLVMValueRef call_select(struct shadow *shadow, LLVMValueRef code, struct operand c, struct operand a,
                                struct operand b) {
  if (a.high)
    return hooks_call(shadow->unit, HOOK_select_wide,
                      (LLVMValueRef[]){code, c.term, c.low, a.term, a.low, a.high, b.term, b.low, b.high});
  return hooks_call(shadow->unit, HOOK_select, (LLVMValueRef[]){code, c.term, c.low, a.term, a.low, b.term, b.low});
}

static void emit_select(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction, condition = LLVMGetOperand(i, 0);
  const LLVMValueRef chosen = LLVMGetOperand(i, 1), other = LLVMGetOperand(i, 2);
  const struct operand c = operation_operand(shadow, condition);
  const LLVMValueRef a = shadow_term(shadow, chosen, 0), b = shadow_term(shadow, other, 0);
  if (is_concrete(c)) {
    group_made(shadow, item, 0, LLVMBuildSelect(shadow->unit->builder, condition, a, b, ""));
    return;
  }
  const LLVMValueRef code = code_of(shadow, 0, shadow_width(LLVMTypeOf(i)), 0);
  group_made(shadow, item, 0,
             call_select(shadow, code, c, operation_operand(shadow, chosen), operation_operand(shadow, other)));
}

/* ---- addresses: base + index * size + ..., 64 bits ---- */

static struct operand index_operand(struct shadow *shadow, LLVMValueRef index) {
  const unsigned width = shadow_width(LLVMTypeOf(index));
  const LLVMValueRef term = shadow_term(shadow, index, 0);
  const LLVMValueRef low = LLVMBuildIntCast2(shadow->unit->builder, index, shadow->unit->int64, true, "");
  return (struct operand){
      width < 64 ? cast(shadow, term, TERM_SIGN_EXTEND, 64) : operation_resize(shadow, term, width, 64), low, NULL};
}

static struct operand add(struct shadow *shadow, struct operand a, struct operand b) {
  const LLVMValueRef term = operation_binary(shadow, TERM_ADD, 64, a, b);
  return (struct operand){term, LLVMBuildAdd(shadow->unit->builder, a.low, b.low, ""), NULL};
}

static struct operand scale(struct shadow *shadow, struct operand a, uint64_t size) {
  if (size == 1) return a;
  const struct operand factor = constant(shadow, size, false);
  const LLVMValueRef term = operation_binary(shadow, TERM_MULTIPLY, 64, a, factor);
  return (struct operand){term, LLVMBuildMul(shadow->unit->builder, a.low, factor.low, ""), NULL};
}

/* What is indexed next, and by how many bytes per index; a structure's member is at a constant offset. */
static LLVMTypeRef step_into(struct unit *unit, LLVMTypeRef type, LLVMValueRef index, uint64_t *size,
                             uint64_t *offset) {
  *size = *offset = 0;
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
    *offset = LLVMOffsetOfElement(unit->layout, type, member);
    return LLVMStructGetTypeAtIndex(type, member);
  }
  const LLVMTypeRef element = LLVMGetElementType(type);
  *size = LLVMABISizeOfType(unit->layout, element);
  return element;
}

static void emit_address(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction;
  struct unit *unit = shadow->unit;
  struct operand sum = operation_operand(shadow, LLVMGetOperand(i, 0));
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  uint64_t size = LLVMABISizeOfType(unit->layout, type), offset = 0, constants = 0;
  for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
    const LLVMValueRef index = LLVMGetOperand(i, k);
    if (k > 1) type = step_into(unit, type, index, &size, &offset);
    if (k > 1 && size == 0)
      constants += offset;
    else if (LLVMIsAConstantInt(index))
      constants += size * (uint64_t)LLVMConstIntGetSExtValue(index);
    else
      sum = add(shadow, sum, scale(shadow, index_operand(shadow, index), size));
  }
  if (constants) sum = add(shadow, sum, constant(shadow, constants, false));
  group_made(shadow, item, 0, sum.term);
}

/* ---- members of structures ---- */

static void emit_extract_member(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction;
  group_made(shadow, item, 0, shadow_term(shadow, LLVMGetOperand(i, 0), LLVMGetIndices(i)[0]));
}

static void emit_insert_member(struct shadow *shadow, struct item *item) {
  const LLVMValueRef i = item->instruction, inserted = LLVMGetOperand(i, 1);
  const unsigned members = shadow_members(LLVMTypeOf(i)), member = LLVMGetIndices(i)[0];
  for (unsigned k = 0; k < members; k++) {
    const bool here = k == member;
    group_made(shadow, item, k, shadow_term(shadow, here ? inserted : LLVMGetOperand(i, 0), here ? 0 : k));
  }
}

/* ---- intrinsics ---- */

static void emit_intrinsic(struct shadow *shadow, struct item *item) {
  const LLVMValueRef call = item->instruction, first = LLVMGetArgOperand(call, 0);
  const struct intrinsic *intrinsic = intrinsic_of(call);
  const unsigned width = shadow_width(LLVMTypeOf(first));
  if (intrinsic->class == IDENTITY) {
    group_made(shadow, item, 0, shadow_term(shadow, first, 0));
    return;
  }
  struct operand operands[3];
  for (unsigned i = 0; i < 3; i++)
    operands[i] = i < intrinsic->operands ? operation_operand(shadow, LLVMGetArgOperand(call, i))
                                          : constant(shadow, 0, width > 64);
  if (intrinsic->class == MASK) {
    group_made(shadow, item, 0, operation_binary(shadow, TERM_AND, width, operands[0], operands[1]));
    return;
  }
  const LLVMValueRef term = intrinsic_of_three(shadow, intrinsic->function, width, operands);
  if (intrinsic->class == WITH_OVERFLOW)
    group_made(shadow, item, 0, operation_binary(shadow, intrinsic->operator, width, operands[0], operands[1]));
  group_made(shadow, item, intrinsic->class == WITH_OVERFLOW, term);
}

/* ---- together ---- */

static item_emit *emit_of(LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (operator_of(opcode) != TERM_CONSTANT) return emit_binary;
  switch (opcode) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMFreeze: return emit_cast;
  case LLVMICmp: return emit_compare;
  case LLVMSelect: return emit_select;
  case LLVMGetElementPtr: return emit_address;
  case LLVMExtractValue: return emit_extract_member;
  case LLVMInsertValue: return emit_insert_member;
  case LLVMCall: return intrinsic_of(instruction) ? emit_intrinsic : NULL;
  default: return NULL;
  }
}

/* Members of nested structures, and vectors, have no terms. */
static bool has_terms_throughout(LLVMValueRef instruction, item_emit *emit) {
  const LLVMTypeRef first = LLVMTypeOf(LLVMGetOperand(instruction, 0)), type = LLVMTypeOf(instruction);
  if (emit == emit_extract_member) return shadow_members(first) && shadow_width(type);
  if (emit == emit_insert_member) return shadow_members(type);
  return shadow_width(first) && shadow_members(type) && (shadow_width(type) || LLVMIsACallInst(instruction));
}

bool operation_is_pure(LLVMValueRef instruction) {
  item_emit *emit = emit_of(instruction);
  return emit && has_terms_throughout(instruction, emit);
}

static void emit_divisor(struct shadow *shadow, struct item *item) {
  const LLVMValueRef divisor = item->needs.items[0].value;
  const LLVMValueRef arguments[] = {shadow_term(shadow, divisor, 0), operation_int64(shadow, divisor),
                                    item->arguments[0]};
  hooks_call(shadow->unit, HOOK_divisor, arguments);
}

static void announce_divisor(struct shadow *shadow, LLVMValueRef division) {
  const LLVMValueRef divisor = LLVMGetOperand(division, 1);
  if (shadow_is_concrete(shadow, divisor)) return;
  struct item *item = group_add(shadow, emit_divisor, division);
  item->ordered = true;
  item->arguments[0] = sites_of_instruction(shadow->unit, division, "");
  group_need(shadow, item, divisor);
  group_flush(shadow);
}

static bool divides(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem: return true;
  default: return false;
  }
}

void operation_shadow(struct shadow *shadow, LLVMValueRef instruction) {
  if (!shadow_possible(shadow, instruction)) return;
  if (divides(instruction)) announce_divisor(shadow, instruction);
  struct item *item = group_add(shadow, emit_of(instruction), instruction);
  item->makes_terms = true;
  const int operands =
      LLVMIsACallInst(instruction) ? (int)LLVMGetNumArgOperands(instruction) : LLVMGetNumOperands(instruction);
  for (int i = 0; i < operands; i++) group_need(shadow, item, LLVMGetOperand(instruction, (unsigned)i));
  shadow_set_pending(shadow, instruction, item);
}
