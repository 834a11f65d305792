/* SPDX-License-Identifier: MIT
 *
 * Cold blocks as tables (abi/groups.h), which are smaller than code and quicker to compile:
 *
 *     before                                                      after
 *     %t = call term_compare(LESS, %a.term, %a, 0, 9)             call group(@table, %a.term, %a, %d)
 *     call branch(%t, %d, @site)                                  br %join
 *     br %join
 *
 * The table has the hooks in their order with the operands that are constant; what only the run knows is an input of
 * the call. Terms that are used after the block are results. Code between the hooks comes before all of them: it only
 * computes. A block in which it needs a term that a hook makes, or that a table cannot hold, stays as it is.
 */
#include "abi/groups.h"

#include "instrument/shadow.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { PRESERVE_MOST = 14 }; /* LLVM's number of the calling convention */

struct table {
  struct shadow *shadow;
  VECTOR(LLVMValueRef) steps, inputs, pointers, results;
  VECTOR(uint8_t) bytes;
};

typedef VECTOR(LLVMValueRef) value_list;

static bool has_step(enum hook hook) {
  switch (hook) {
  case HOOK_store_term:
  case HOOK_branch:
  case HOOK_switch:
  case HOOK_address:
  case HOOK_divisor:
  case HOOK_pin:
  case HOOK_pass:
  case HOOK_pass_unnamed:
  case HOOK_passed:
  case HOOK_argument:
  case HOOK_by_value:
  case HOOK_save_call:
  case HOOK_term_binary:
  case HOOK_term_binary_wide:
  case HOOK_term_cast:
  case HOOK_term_compare:
  case HOOK_term_compare_wide:
  case HOOK_term_intrinsic:
  case HOOK_term_intrinsic_wide:
  case HOOK_select:
  case HOOK_select_wide: return true;
  default: return false;
  }
}

/* ---- which ---- */

static int place_in(const LLVMValueRef *items, size_t count, LLVMValueRef value) {
  for (size_t i = 0; i < count; i++)
    if (items[i] == value) return (int)i;
  return -1;
}

static int step_of(const struct table *table, LLVMValueRef value) {
  return place_in(table->steps.items, table->steps.count, value);
}

static bool uses_step(const struct table *table, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (step_of(table, LLVMGetOperand(instruction, (unsigned)i)) >= 0) return true;
  return false;
}

static bool find_steps(struct table *table, LLVMBasicBlockRef block) {
  const LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
    if (has_step(hooks_called(table->shadow->unit, i)))
      vector_push(&table->steps, i);
    else if (LLVMIsACallInst(i) || uses_step(table, i))
      return false;
  }
  return table->steps.count && table->steps.count <= GROUP_STEPS;
}

static bool is_result(const struct table *table, LLVMValueRef step) {
  for (LLVMUseRef use = LLVMGetFirstUse(step); use; use = LLVMGetNextUse(use))
    if (step_of(table, LLVMGetUser(use)) < 0) return true;
  return false;
}

static void find_results(struct table *table) {
  for (size_t i = 0; i < table->steps.count; i++)
    if (is_result(table, table->steps.items[i])) vector_push(&table->results, table->steps.items[i]);
}

/* ---- the table ---- */

static void add_byte(struct table *table, size_t byte) {
  vector_push(&table->bytes, (uint8_t)byte);
}

static void add_constant(struct table *table, uint64_t value) {
  const unsigned bytes = value < 1 << 16 ? 2 : 8;
  if (value < GROUP_SMALL) {
    add_byte(table, OPERAND_SMALL + value);
    return;
  }
  add_byte(table, bytes == 2 ? OPERAND_SHORT : OPERAND_LONG);
  for (unsigned i = 0; i < bytes; i++) add_byte(table, value >> 8 * i & 0xff);
}

/* An address that is known when the program is linked, in all threads. */
static bool is_fixed_pointer(LLVMValueRef value) {
  if (LLVMIsAFunction(value)) return LLVMGetLinkage(value) != LLVMExternalWeakLinkage;
  return LLVMIsAGlobalVariable(value) && !LLVMIsThreadLocal(value) && LLVMGetLinkage(value) != LLVMExternalWeakLinkage;
}

static void add_numbered(struct table *table, enum group_operand kind, value_list *list, LLVMValueRef value) {
  int place = place_in(list->items, list->count, value);
  if (place < 0) {
    place = (int)list->count;
    vector_push(list, value);
  }
  add_byte(table, kind + (unsigned)place);
}

static void add_operand(struct table *table, LLVMValueRef value) {
  const int step = step_of(table, value);
  if (step >= 0)
    add_byte(table, OPERAND_STEP + (unsigned)step);
  else if (LLVMIsNull(value))
    add_constant(table, 0);
  else if (LLVMIsAConstantInt(value))
    add_constant(table, LLVMConstIntGetZExtValue(value));
  else if (is_fixed_pointer(value))
    add_numbered(table, OPERAND_POINTER, (value_list *)&table->pointers, value);
  else
    add_numbered(table, OPERAND_INPUT, (value_list *)&table->inputs, value);
}

static void add_step(struct table *table, LLVMValueRef call) {
  const unsigned operands = LLVMGetNumArgOperands(call);
  add_byte(table, hooks_called(table->shadow->unit, call));
  add_byte(table, operands);
  for (unsigned i = 0; i < operands; i++) add_operand(table, LLVMGetArgOperand(call, i));
}

static bool fits(const struct table *table) {
  return table->inputs.count <= GROUP_INPUTS && table->pointers.count <= GROUP_POINTERS;
}

static void fill(struct table *table) {
  for (size_t i = 0; i < table->steps.count; i++) add_step(table, table->steps.items[i]);
  for (size_t i = 0; i < table->results.count; i++) add_byte(table, (size_t)step_of(table, table->results.items[i]));
}

static LLVMValueRef array_of_bytes(struct unit *unit, const uint8_t *bytes, size_t count) {
  return LLVMConstStringInContext2(unit->context, (const char *)bytes, count, true);
}

static LLVMValueRef constant_of(const struct table *table) {
  struct unit *unit = table->shadow->unit;
  const uint8_t head[4] = {(uint8_t)table->steps.count, (uint8_t)table->pointers.count, (uint8_t)table->results.count};
  LLVMValueRef pointers[GROUP_POINTERS];
  for (size_t i = 0; i < table->pointers.count; i++)
    pointers[i] = LLVMConstTrunc(LLVMConstPtrToInt(table->pointers.items[i], unit->int64), unit->int32);
  LLVMValueRef parts[] = {array_of_bytes(unit, head, sizeof head),
                          LLVMConstArray2(unit->int32, pointers, table->pointers.count),
                          array_of_bytes(unit, table->bytes.items, table->bytes.count)};
  const LLVMValueRef constant = sites_constant(unit, LLVMConstStructInContext(unit->context, parts, 3, false));
  LLVMSetAlignment(constant, _Alignof(struct group_table));
  return constant;
}

/* ---- the call ---- */

static LLVMValueRef as_int64(struct unit *unit, LLVMValueRef value) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(unit->builder, value, unit->int64, "");
  return LLVMBuildIntCast2(unit->builder, value, unit->int64, false, "");
}

static LLVMValueRef declared(struct unit *unit, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
  if (function) return function;
  function = LLVMAddFunction(unit->module, name, type);
  LLVMSetFunctionCallConv(function, PRESERVE_MOST);
  return function;
}

static LLVMValueRef build_call(const struct table *table) {
  struct unit *unit = table->shadow->unit;
  LLVMValueRef arguments[1 + GROUP_INPUTS] = {constant_of(table)};
  LLVMTypeRef types[1 + GROUP_INPUTS] = {unit->pointer};
  const unsigned count = 1 + (unsigned)table->inputs.count;
  for (unsigned i = 1; i < count; i++) {
    arguments[i] = as_int64(unit, table->inputs.items[i - 1]);
    types[i] = unit->int64;
  }
  const bool makes = table->results.count != 0;
  const LLVMTypeRef result = makes ? unit->int32 : LLVMVoidTypeInContext(unit->context);
  const LLVMValueRef function =
      declared(unit, makes ? "__heddle_group_term" : "__heddle_group", LLVMFunctionType(result, types, 1, true));
  const LLVMValueRef call =
      LLVMBuildCall2(unit->builder, LLVMFunctionType(result, types, count, false), function, arguments, count, "");
  LLVMSetInstructionCallConv(call, PRESERVE_MOST);
  return call;
}

static LLVMValueRef load_result(struct unit *unit, size_t index) {
  static const char name[] = "__heddle_group_terms";
  const LLVMTypeRef type = LLVMArrayType2(unit->int32, GROUP_RESULTS);
  LLVMValueRef terms = LLVMGetNamedGlobal(unit->module, name);
  if (!terms) terms = LLVMAddGlobal(unit->module, type, name);
  LLVMValueRef indices[] = {hooks_integer(unit, 0), hooks_integer(unit, index)};
  return LLVMBuildLoad2(unit->builder, unit->int32, LLVMConstInBoundsGEP2(type, terms, indices, 2), "");
}

static void replace_steps(struct table *table, LLVMBasicBlockRef block) {
  struct unit *unit = table->shadow->unit;
  LLVMPositionBuilderBefore(unit->builder, LLVMGetBasicBlockTerminator(block));
  LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(table->steps.items[0]));
  const LLVMValueRef call = build_call(table);
  for (size_t i = 0; i < table->results.count; i++)
    LLVMReplaceAllUsesWith(table->results.items[i], i ? load_result(unit, i) : call);
  for (size_t i = table->steps.count; i-- > 0;) LLVMInstructionEraseFromParent(table->steps.items[i]);
}

void tables_replace(struct shadow *shadow, LLVMBasicBlockRef cold) {
  struct table table = {.shadow = shadow};
  if (find_steps(&table, cold)) {
    find_results(&table);
    fill(&table);
    if (fits(&table)) replace_steps(&table, cold);
  }
  vector_free(&table.steps);
  vector_free(&table.inputs);
  vector_free(&table.pointers);
  vector_free(&table.results);
  vector_free(&table.bytes);
}
