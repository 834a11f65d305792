/* SPDX-License-Identifier: MIT
 *
 * The walk that gives a function its shadow, after all hooks are in. Blocks come in an order in which terms are made
 * before they are needed; only those that phis get over a back edge are filled in at the end.
 *
 * A block that gets groups is taken apart: instructions are moved, one by one, to the end of its growing part.
 */
#include "instrument/shadow.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

void *shadow_own(struct shadow *shadow, size_t bytes) {
  void *memory = memory_allocate(bytes);
  vector_push(&shadow->owned, memory);
  return memory;
}

/* ---- types ---- */

unsigned shadow_width(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 128 ? LLVMGetIntTypeWidth(type) : 0;
  case LLVMPointerTypeKind: return LLVMGetPointerAddressSpace(type) == 0 ? 64 : 0;
  default: return 0;
  }
}

static bool is_scalar(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMPointerTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind: return true;
  default: return false;
  }
}

unsigned shadow_members(LLVMTypeRef type) {
  if (shadow_width(type)) return 1;
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return 0;
  const unsigned count = LLVMCountStructElementTypes(type);
  bool any = false;
  for (unsigned i = 0; i < count; i++) {
    const LLVMTypeRef member = LLVMStructGetTypeAtIndex(type, i);
    if (!is_scalar(member)) return 0;
    any |= shadow_width(member) != 0;
  }
  return any && count <= MOST_MEMBERS ? count : 0;
}

LLVMTypeRef shadow_member_type(LLVMTypeRef type, unsigned member) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, member) : type;
}

/* ---- terms of values ---- */

bool shadow_possible(const struct shadow *shadow, LLVMValueRef value) {
  return map_get(&shadow->possible, value) != NULL;
}

static bool pinned_at(const struct shadow *shadow, LLVMValueRef value, unsigned place) {
  const struct pins *pins = map_get(&shadow->pinned, value);
  for (size_t i = 0; pins && i < pins->places.count; i++)
    if (order_dominates(&shadow->order, pins->places.items[i], place)) return true;
  return false;
}

bool shadow_is_concrete(struct shadow *shadow, LLVMValueRef value) {
  return !shadow_possible(shadow, value) || pinned_at(shadow, value, shadow->place);
}

/* The value that is known with this one, NULL if there is none: the base of an address whose indices are concrete. */
static LLVMValueRef known_with(struct shadow *shadow, LLVMValueRef value) {
  if (!LLVMIsAGetElementPtrInst(value)) return NULL;
  for (int i = 1; i < LLVMGetNumOperands(value); i++)
    if (!shadow_is_concrete(shadow, LLVMGetOperand(value, (unsigned)i))) return NULL;
  return LLVMGetOperand(value, 0);
}

static void pin_one(struct shadow *shadow, LLVMValueRef value) {
  struct pins *pins = map_get(&shadow->pinned, value);
  if (!pins) {
    pins = shadow_own(shadow, sizeof *pins);
    vector_push(&shadow->pins, pins);
    map_put(&shadow->pinned, value, pins);
  }
  if (!pinned_at(shadow, value, shadow->place)) vector_push(&pins->places, shadow->place);
}

void shadow_pin(struct shadow *shadow, LLVMValueRef value) {
  for (; value && shadow_possible(shadow, value); value = known_with(shadow, value)) pin_one(shadow, value);
}

static struct value_terms *terms_of(struct shadow *shadow, LLVMValueRef value) {
  struct value_terms *terms = map_get(&shadow->terms, value);
  if (terms) return terms;
  terms = shadow_own(shadow, sizeof *terms);
  terms->count = shadow_members(LLVMTypeOf(value));
  map_put(&shadow->terms, value, terms);
  return terms;
}

void shadow_set_term(struct shadow *shadow, LLVMValueRef value, unsigned member, LLVMValueRef term) {
  terms_of(shadow, value)->members[member] = (struct member_term){.term = term};
}

void shadow_set_pending(struct shadow *shadow, LLVMValueRef value, struct item *item) {
  struct value_terms *terms = terms_of(shadow, value);
  for (unsigned i = 0; i < terms->count; i++) terms->members[i] = (struct member_term){.item = item};
}

/* What a cold block made, or 0 where it was not run. */
static LLVMValueRef merge(struct shadow *shadow, const struct member_term *member) {
  struct group *group = member->group;
  const LLVMBuilderRef builder = shadow->unit->builder;
  const LLVMBasicBlockRef here = LLVMGetInsertBlock(builder);
  const LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(builder);
  const LLVMValueRef first = LLVMGetFirstInstruction(group->join);
  if (first)
    LLVMPositionBuilderBefore(builder, first);
  else
    LLVMPositionBuilderAtEnd(builder, group->join);
  const LLVMValueRef phi = LLVMBuildPhi(builder, shadow->unit->int32, "");
  LLVMAddIncoming(phi, &shadow->zero, &group->before, 1);
  LLVMAddIncoming(phi, (LLVMValueRef *)&member->in_cold, &group->cold, 1);
  LLVMPositionBuilderAtEnd(builder, here);
  LLVMSetCurrentDebugLocation2(builder, location);
  return phi;
}

static LLVMValueRef term_at(struct shadow *shadow, LLVMValueRef value, unsigned member_index, unsigned place) {
  if (!shadow_possible(shadow, value) || pinned_at(shadow, value, place)) return shadow->zero;
  const struct value_terms *terms = map_get(&shadow->terms, value);
  if (!terms) return shadow->zero; /* in a block that is never reached */
  struct member_term *member = (struct member_term *)&terms->members[member_index];
  if (member->group && member->group == shadow->emitting) return member->in_cold;
  if (!member->term && member->group) member->term = merge(shadow, member);
  return member->term ? member->term : shadow->zero;
}

LLVMValueRef shadow_term(struct shadow *shadow, LLVMValueRef value, unsigned member) {
  return term_at(shadow, value, member, shadow->place);
}

/* ---- the walk ---- */

void shadow_position(struct shadow *shadow) {
  const LLVMBuilderRef builder = shadow->unit->builder;
  if (shadow->at == shadow->block) {
    LLVMPositionBuilderBefore(builder, shadow->next);
    return;
  }
  LLVMPositionBuilderAtEnd(builder, shadow->at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(shadow->next));
}

/* The builder would give the instruction its own place in the source. */
static void move_to_end(struct shadow *shadow, LLVMValueRef instruction) {
  const LLVMBuilderRef builder = shadow->unit->builder;
  LLVMInstructionRemoveFromParent(instruction);
  LLVMPositionBuilderAtEnd(builder, shadow->at);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  LLVMInsertIntoBuilder(builder, instruction);
}

/* Phis of later blocks name the block that ends with the terminator. While the terminator is still in its block,
 * putting a new block in its place everywhere changes the phis and the jumps to it; back again, while the new one is
 * empty, the jumps alone. */
static void end_block(struct shadow *shadow, LLVMValueRef terminator) {
  const LLVMBasicBlockRef end = LLVMInsertBasicBlockInContext(shadow->unit->context, shadow->at, "");
  LLVMMoveBasicBlockAfter(end, shadow->at);
  LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(shadow->block), LLVMBasicBlockAsValue(end));
  LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(end), LLVMBasicBlockAsValue(shadow->block));
  LLVMPositionBuilderAtEnd(shadow->unit->builder, shadow->at);
  LLVMBuildBr(shadow->unit->builder, end);
  shadow->at = end;
  move_to_end(shadow, terminator);
}

static void place(struct shadow *shadow, LLVMValueRef instruction) {
  if (shadow->at == shadow->block) return;
  if (LLVMIsATerminatorInst(instruction) && LLVMGetNumSuccessors(instruction))
    end_block(shadow, instruction);
  else
    move_to_end(shadow, instruction);
}

static bool is_original(const struct shadow *shadow, LLVMValueRef instruction) {
  return map_get(&shadow->original, instruction) != NULL;
}

enum pin_reason shadow_pin_reason(LLVMValueRef instruction) {
  switch (LLVMGetTypeKind(LLVMTypeOf(instruction))) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind: return PIN_FLOAT;
  default: break;
  }
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca: return PIN_SIZE;
  case LLVMIndirectBr: return PIN_JUMP;
  case LLVMCallBr: return PIN_ASSEMBLY;
  default: return PIN_VECTOR;
  }
}

static void pin_operands(struct shadow *shadow, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    group_pin(shadow, instruction, LLVMGetOperand(instruction, (unsigned)i), shadow_pin_reason(instruction));
  group_flush(shadow);
}

static void emit_branch(struct shadow *shadow, struct item *item) {
  const LLVMValueRef condition = item->needs.items[0].value;
  const LLVMValueRef arguments[] = {shadow_term(shadow, condition, 0), operation_int64(shadow, condition),
                                    item->arguments[0]};
  hooks_call(shadow->unit, HOOK_branch, arguments);
}

static void shadow_branch(struct shadow *shadow, LLVMValueRef branch) {
  if (!LLVMIsConditional(branch) || shadow_is_concrete(shadow, LLVMGetCondition(branch))) return;
  struct item *item = group_add(shadow, emit_branch, branch);
  item->ordered = true;
  item->arguments[0] = sites_of_instruction(shadow->unit, branch, "");
  group_need(shadow, item, LLVMGetCondition(branch));
}

/* The number of a case's destination: 0 the default's, then by first appearance. */
static unsigned number_of(struct map *numbers, unsigned *count, LLVMBasicBlockRef block) {
  const uintptr_t known = (uintptr_t)map_get(numbers, block);
  if (known) return (unsigned)known - 1;
  map_put(numbers, block, (void *)(uintptr_t)(++*count));
  return *count - 1;
}

static LLVMValueRef switch_table(struct unit *unit, LLVMValueRef instruction, unsigned width) {
  const unsigned count = ((unsigned)LLVMGetNumOperands(instruction) - 2) / 2;
  LLVMTypeRef types[] = {unit->int64, unit->int32, unit->int32};
  const LLVMTypeRef row = LLVMStructTypeInContext(unit->context, types, 3, false);
  LLVMValueRef *rows = memory_allocate((count + 1) * sizeof *rows);
  struct map numbers = {0};
  unsigned blocks = 0;
  number_of(&numbers, &blocks, LLVMGetSwitchDefaultDest(instruction));
  for (unsigned i = 0; i < count; i++) {
    const uint64_t value = LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 2 + 2 * i));
    const unsigned number = number_of(&numbers, &blocks, LLVMGetSuccessor(instruction, i + 1));
    LLVMValueRef fields[] = {hooks_integer(unit, value), LLVMConstInt(unit->int32, number, false),
                             LLVMConstInt(unit->int32, 0, false)};
    rows[i] = LLVMConstStructInContext(unit->context, fields, 3, false);
  }
  LLVMValueRef parts[] = {LLVMConstInt(unit->int32, count, false), LLVMConstInt(unit->int32, width, false),
                          LLVMConstArray2(row, rows, count)};
  map_free(&numbers);
  free(rows);
  return sites_constant(unit, LLVMConstStructInContext(unit->context, parts, 3, false));
}

static void emit_switch(struct shadow *shadow, struct item *item) {
  const LLVMValueRef value = item->needs.items[0].value;
  const LLVMValueRef arguments[] = {shadow_term(shadow, value, 0), operation_int64(shadow, value), item->arguments[0],
                                    item->arguments[1]};
  hooks_call(shadow->unit, HOOK_switch, arguments);
}

static void shadow_switch(struct shadow *shadow, LLVMValueRef instruction) {
  const LLVMValueRef value = LLVMGetOperand(instruction, 0);
  if (shadow_is_concrete(shadow, value)) return;
  const unsigned width = shadow_width(LLVMTypeOf(value));
  if (width > 64) {
    group_pin(shadow, instruction, value, PIN_VECTOR);
    return;
  }
  struct item *item = group_add(shadow, emit_switch, instruction);
  item->ordered = true;
  item->arguments[0] = switch_table(shadow->unit, instruction, width);
  item->arguments[1] = sites_of_instruction(shadow->unit, instruction, "");
  group_need(shadow, item, value);
}

static void shadow_terminator(struct shadow *shadow, LLVMValueRef terminator) {
  switch (LLVMGetInstructionOpcode(terminator)) {
  case LLVMBr: shadow_branch(shadow, terminator); break;
  case LLVMSwitch: shadow_switch(shadow, terminator); break;
  case LLVMRet: call_return(shadow, terminator); break;
  case LLVMUnreachable: break;
  default: pin_operands(shadow, terminator); break;
  }
  group_want_rest(shadow);
  group_flush(shadow);
  shadow->pending.count = 0; /* what is left nobody asks for */
}

enum part { BEFORE_HOOKS, BEFORE, AFTER };

static void shadow_call(struct shadow *shadow, LLVMValueRef call, enum part part) {
  if (memory_is_block_operation(call)) {
    if (part == BEFORE_HOOKS) memory_before_hooks(shadow, call);
    if (part == AFTER) memory_after(shadow, call);
    return;
  }
  if (part == BEFORE_HOOKS) call_before_hooks(shadow, call);
  if (part == BEFORE) call_before(shadow, call);
  if (part == AFTER) call_after(shadow, call);
}

static void shadow_memory(struct shadow *shadow, LLVMValueRef instruction, enum part part) {
  if (part == BEFORE_HOOKS) memory_before_hooks(shadow, instruction);
  if (part == BEFORE) memory_before(shadow, instruction);
  if (part == AFTER) memory_after(shadow, instruction);
}

static void shadow_part(struct shadow *shadow, LLVMValueRef instruction, enum part part) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMPHI:
  case LLVMFence: return;
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: shadow_memory(shadow, instruction, part); return;
  case LLVMInvoke: shadow_call(shadow, instruction, part); return;
  case LLVMCall:
    if (!operation_is_pure(instruction)) {
      shadow_call(shadow, instruction, part);
      return;
    }
    break;
  default: break;
  }
  if (part != BEFORE) return;
  if (LLVMIsATerminatorInst(instruction))
    shadow_terminator(shadow, instruction);
  else if (operation_is_pure(instruction))
    operation_shadow(shadow, instruction);
  else
    pin_operands(shadow, instruction);
}

/* An instruction of the program, after the hooks in front of it. */
static void shadow_instruction(struct shadow *shadow, LLVMValueRef *instructions, size_t count, bool last) {
  const LLVMValueRef instruction = instructions[count - 1];
  shadow->next = instructions[0];
  if (count > 1) group_flush(shadow);
  shadow_part(shadow, instruction, BEFORE_HOOKS);
  for (size_t i = 0; i + 1 < count; i++) place(shadow, instructions[i]);
  shadow->next = instruction;
  shadow_part(shadow, instruction, BEFORE);
  place(shadow, instruction);
  if (last) return;
  shadow->next = instructions[count];
  shadow_part(shadow, instruction, AFTER);
}

static void add_phi(struct shadow *shadow, LLVMValueRef phi) {
  const unsigned members = shadow_possible(shadow, phi) ? shadow_members(LLVMTypeOf(phi)) : 0;
  for (unsigned i = 0; i < members; i++) {
    LLVMPositionBuilderBefore(shadow->unit->builder, phi);
    shadow_set_term(shadow, phi, i, LLVMBuildPhi(shadow->unit->builder, shadow->unit->int32, ""));
  }
}

static void fill_phi(struct shadow *shadow, LLVMValueRef phi, const unsigned *places) {
  const struct value_terms *terms = map_get(&shadow->terms, phi);
  for (unsigned i = 0; terms && i < terms->count; i++)
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
      LLVMValueRef term = shadow->zero;
      if (places[k]) term = term_at(shadow, LLVMGetIncomingValue(phi, k), i, places[k] - 1);
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
      LLVMAddIncoming(terms->members[i].term, &term, &from, 1);
    }
}

/* What comes after a call that can end by an exception stands where it leads to when it returns. */
static void after_invoke(struct shadow *shadow, LLVMBasicBlockRef block) {
  const LLVMValueRef invoke = exceptions_invoke_before(block);
  if (!invoke || !is_original(shadow, invoke)) return;
  shadow->next = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(shadow->next)) shadow->next = LLVMGetNextInstruction(shadow->next);
  shadow->passes = true;
  shadow_part(shadow, invoke, AFTER);
}

static void walk_block(struct shadow *shadow, unsigned place_in_order) {
  const LLVMBasicBlockRef block = shadow->order.blocks.items[place_in_order];
  shadow->place = place_in_order;
  shadow->block = shadow->at = block;
  VECTOR(LLVMValueRef) instructions = {0};
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) vector_push(&instructions, i);
  bool entered = place_in_order != 0;
  size_t first = 0;
  after_invoke(shadow, block);
  for (size_t i = 0; i < instructions.count; i++) {
    const LLVMValueRef instruction = instructions.items[i];
    if (LLVMIsAPHINode(instruction)) add_phi(shadow, instruction);
    const bool skipped = LLVMIsAPHINode(instruction) || (LLVMIsAAllocaInst(instruction) && !entered);
    if (!skipped && !entered) {
      shadow->next = instructions.items[first];
      call_enter(shadow);
      entered = true;
    }
    if (!skipped && !is_original(shadow, instruction)) continue;
    if (!skipped) shadow_instruction(shadow, instructions.items + first, i + 1 - first, i + 1 == instructions.count);
    first = i + 1;
  }
  vector_free(&instructions);
}

/* The places in the order of the blocks that a phi's values come from, + 1; 0 for those never reached. */
struct phi_places {
  LLVMValueRef phi;
  unsigned *places;
};

typedef VECTOR(struct phi_places) phi_list;

static void note_phis(struct shadow *shadow, phi_list *list) {
  for (size_t b = 0; b < shadow->order.blocks.count; b++) {
    LLVMValueRef i = LLVMGetFirstInstruction(shadow->order.blocks.items[b]);
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
      if (!shadow_possible(shadow, i)) continue;
      const unsigned count = LLVMCountIncoming(i);
      struct phi_places phi = {i, shadow_own(shadow, (count + 1) * sizeof *phi.places)};
      for (unsigned k = 0; k < count; k++)
        phi.places[k] = (unsigned)(uintptr_t)map_get(&shadow->order.places, LLVMGetIncomingBlock(i, k));
      vector_push(list, phi);
    }
  }
}

void shadow_prepare(struct unit *unit, struct shadow **result, LLVMValueRef function) {
  struct shadow *shadow = *result = memory_allocate(sizeof *shadow);
  shadow->unit = unit;
  shadow->function = function;
  shadow->zero = LLVMConstInt(unit->int32, 0, false);
  loops_prepare(unit, function);
  order_find(&shadow->order, function);
  possible_find(shadow);
}

void shadow_insert(struct shadow *shadow, LLVMValueRef *instructions, size_t count) {
  phi_list phis = {0};
  for (size_t i = 0; i < count; i++) map_put(&shadow->original, instructions[i], instructions[i]);
  note_phis(shadow, &phis);
  for (unsigned i = 0; i < shadow->order.blocks.count; i++) walk_block(shadow, i);
  for (size_t i = 0; i < phis.count; i++) fill_phi(shadow, phis.items[i].phi, phis.items[i].places);
  for (size_t i = 0; i < shadow->cold.count; i++) tables_replace(shadow, shadow->cold.items[i]);
  vector_free(&phis);
}

void shadow_free(struct shadow *shadow) {
  order_free(&shadow->order);
  map_free(&shadow->possible);
  map_free(&shadow->terms);
  map_free(&shadow->pinned);
  map_free(&shadow->original);
  vector_free(&shadow->pending);
  for (size_t i = 0; i < shadow->items.count; i++) vector_free(&shadow->items.items[i]->needs);
  for (size_t i = 0; i < shadow->pins.count; i++) vector_free(&shadow->pins.items[i]->places);
  vector_free(&shadow->items);
  vector_free(&shadow->pins);
  vector_free(&shadow->cold);
  for (size_t i = 0; i < shadow->owned.count; i++) free(shadow->owned.items[i]);
  vector_free(&shadow->owned);
  free(shadow);
}
