/* SPDX-License-Identifier: MIT
 *
 * Terms through memory. The hook before a read returns the term of its bytes; where there is none, or none of that
 * size, read_terms does. Writes clear terms by their hook; what was written is recorded after the operation:
 *
 *     before                      after
 *     store i32 %v, ptr %p        call address(%p.term, %p, 4, ...)        in a group; nothing to do if %p is concrete
 *                                 call write_4(%p, @site)
 *                                 store i32 %v, ptr %p
 *                                 call store_term(%p, 4, %v.term)          in a group
 */
#include "instrument/shadow.h"

enum { MOST_BYTES_OF_TERM = 16 };

static uint64_t size_of(const struct shadow *shadow, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(shadow->unit->layout, type);
}

static LLVMValueRef number(struct shadow *shadow, uint64_t value) {
  return hooks_integer(shadow->unit, value);
}

static LLVMValueRef behind(struct shadow *shadow, LLVMValueRef pointer, uint64_t bytes) {
  LLVMValueRef offset = number(shadow, bytes);
  return bytes ? LLVMBuildGEP2(shadow->unit->builder, shadow->unit->byte, pointer, &offset, 1, "") : pointer;
}

static LLVMValueRef hook_of(struct shadow *shadow, LLVMValueRef instruction) {
  return map_get(&shadow->unit->announced, instruction);
}

/* The address of what is accessed, NULL for memory with addresses of its own. */
static LLVMValueRef pointer_of(LLVMValueRef instruction) {
  const bool stores = LLVMGetInstructionOpcode(instruction) == LLVMStore;
  const LLVMValueRef pointer = LLVMGetOperand(instruction, stores ? 1 : 0);
  return shadow_width(LLVMTypeOf(pointer)) ? pointer : NULL;
}

static LLVMTypeRef accessed_type(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore: return LLVMTypeOf(LLVMGetOperand(instruction, 0));
  case LLVMAtomicCmpXchg: return LLVMTypeOf(LLVMGetOperand(instruction, 1));
  default: return LLVMTypeOf(instruction);
  }
}

/* ---- addresses ---- */

static void emit_address(struct shadow *shadow, struct item *item) {
  const LLVMValueRef pointer = item->pins;
  const LLVMValueRef arguments[] = {shadow_term(shadow, pointer, 0),
                                    pointer,
                                    item->arguments[0],
                                    item->arguments[1],
                                    item->arguments[2],
                                    item->arguments[3]};
  hooks_call(shadow->unit, HOOK_address, arguments);
}

static void announce_address(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef pointer, LLVMValueRef bytes,
                             uint64_t known_bytes) {
  struct unit *unit = shadow->unit;
  const LLVMValueRef variable = local_variable_of(pointer);
  const uint64_t size = variable ? bounds_size_of_variable(unit, variable) : 0;
  struct item *item = group_add(shadow, emit_address, instruction);
  item->ordered = true;
  item->pins = pointer;
  item->arguments[0] = bytes;
  item->arguments[1] = size ? variable : LLVMConstNull(unit->pointer);
  item->arguments[2] = number(shadow, size);
  item->arguments[3] = accesses_site(unit, instruction, pointer, known_bytes);
  group_need(shadow, item, pointer);
}

void memory_address(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes) {
  if (!shadow_is_concrete(shadow, pointer))
    announce_address(shadow, instruction, pointer, number(shadow, bytes), bytes);
}

/* ---- reads ---- */

static LLVMValueRef read_terms(struct shadow *shadow, LLVMValueRef pointer, uint64_t offset, uint64_t bytes) {
  shadow_position(shadow);
  const LLVMValueRef place = behind(shadow, pointer, offset);
  return hooks_call(shadow->unit, HOOK_read_terms, (LLVMValueRef[]){place, number(shadow, bytes)});
}

/* The term of what an instruction reads as a whole; its hook may have it. */
static LLVMValueRef read_whole(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef pointer) {
  const LLVMValueRef hook = hook_of(shadow, instruction);
  if (hook && LLVMTypeOf(hook) == shadow->unit->int32) return hook;
  return read_terms(shadow, pointer, 0, size_of(shadow, accessed_type(instruction)));
}

static void emit_narrow(struct shadow *shadow, struct item *item) {
  const LLVMTypeRef type = LLVMTypeOf(item->instruction);
  const unsigned bits = 8 * (unsigned)size_of(shadow, type);
  group_made(shadow, item, 0, operation_resize(shadow, item->term, bits, shadow_width(type)));
}

static void bind_whole(struct shadow *shadow, LLVMValueRef load, LLVMValueRef term) {
  const LLVMTypeRef type = LLVMTypeOf(load);
  if (shadow_width(type) == 8 * size_of(shadow, type)) {
    shadow_set_term(shadow, load, 0, term);
    return;
  }
  struct item *item = group_add(shadow, emit_narrow, load);
  item->makes_terms = true;
  item->term = term;
  shadow_set_pending(shadow, load, item);
}

static void bind_members(struct shadow *shadow, LLVMValueRef load, LLVMValueRef pointer) {
  const LLVMTypeRef type = LLVMTypeOf(load);
  for (unsigned i = 0; i < shadow_members(type); i++) {
    const LLVMTypeRef member = shadow_member_type(type, i);
    const uint64_t bytes = size_of(shadow, member);
    const LLVMValueRef term = read_terms(shadow, pointer, LLVMOffsetOfElement(shadow->unit->layout, type, i), bytes);
    const bool whole = shadow_width(member) == 8 * bytes;
    shadow_set_term(shadow, load, i, whole ? term : shadow->zero);
    if (!whole) group_pin_term(shadow, load, term, shadow_width(member) ? PIN_VECTOR : PIN_FLOAT);
  }
}

/* Floating point, vectors and the like are not followed. */
static void pin_read(struct shadow *shadow, LLVMValueRef load, LLVMValueRef pointer) {
  const uint64_t bytes = size_of(shadow, LLVMTypeOf(load));
  const enum pin_reason why = shadow_pin_reason(load);
  if (bytes <= MOST_BYTES_OF_TERM) {
    group_pin_term(shadow, load, read_whole(shadow, load, pointer), why);
    return;
  }
  for (uint64_t at = 0; at < bytes; at += MOST_BYTES_OF_TERM) {
    const uint64_t left = bytes - at, piece = left < MOST_BYTES_OF_TERM ? left : MOST_BYTES_OF_TERM;
    group_pin_term(shadow, load, read_terms(shadow, pointer, at, piece), why);
  }
}

static void before_load(struct shadow *shadow, LLVMValueRef load, LLVMValueRef pointer) {
  const LLVMTypeRef type = LLVMTypeOf(load);
  if (possible_reads_constant(load)) return;
  if (shadow_width(type))
    bind_whole(shadow, load, read_whole(shadow, load, pointer));
  else if (shadow_members(type))
    bind_members(shadow, load, pointer);
  else
    pin_read(shadow, load, pointer);
}

/* ---- writes ---- */

static void store_term(struct shadow *shadow, LLVMValueRef pointer, uint64_t offset, uint64_t bytes,
                       LLVMValueRef term) {
  const LLVMValueRef place = behind(shadow, pointer, offset);
  hooks_call(shadow->unit, HOOK_store_term, (LLVMValueRef[]){place, number(shadow, bytes), term});
}

static void emit_store(struct shadow *shadow, struct item *item) {
  const LLVMValueRef value = item->arguments[0], pointer = item->arguments[1];
  const LLVMTypeRef type = LLVMTypeOf(value);
  const unsigned members = shadow_members(type);
  if (!members) store_term(shadow, pointer, 0, size_of(shadow, type), shadow->zero);
  for (unsigned i = 0; i < members; i++) {
    const LLVMTypeRef member = shadow_member_type(type, i);
    const uint64_t bytes = size_of(shadow, member);
    const uint64_t offset = members > 1 ? LLVMOffsetOfElement(shadow->unit->layout, type, i) : 0;
    LLVMValueRef term = shadow_term(shadow, value, i);
    if (shadow_width(member)) term = operation_resize(shadow, term, shadow_width(member), 8 * (unsigned)bytes);
    store_term(shadow, pointer, offset, bytes, term);
  }
}

static void after_store(struct shadow *shadow, LLVMValueRef store, LLVMValueRef pointer) {
  const LLVMValueRef value = LLVMGetOperand(store, 0);
  const bool hooked = hook_of(shadow, store) != NULL;
  if (hooked && shadow_is_concrete(shadow, value)) return;
  struct item *item = group_add(shadow, emit_store, store);
  item->ordered = true;
  item->if_any_memory = !hooked;
  item->arguments[0] = value;
  item->arguments[1] = pointer;
  group_need(shadow, item, value);
}

/* ---- atomic operations ---- */

static LLVMValueRef updated(struct shadow *shadow, LLVMAtomicRMWBinOp operation, unsigned width, struct operand old,
                            struct operand with) {
  const struct operand ones = {shadow->zero, number(shadow, UINT64_MAX),
                               width > 64 ? number(shadow, UINT64_MAX) : NULL};
  struct operand both = old;
  switch (operation) {
  case LLVMAtomicRMWBinOpXchg: return with.term;
  case LLVMAtomicRMWBinOpAdd: return operation_binary(shadow, TERM_ADD, width, old, with);
  case LLVMAtomicRMWBinOpSub: return operation_binary(shadow, TERM_SUBTRACT, width, old, with);
  case LLVMAtomicRMWBinOpAnd: return operation_binary(shadow, TERM_AND, width, old, with);
  case LLVMAtomicRMWBinOpOr: return operation_binary(shadow, TERM_OR, width, old, with);
  case LLVMAtomicRMWBinOpXor: return operation_binary(shadow, TERM_XOR, width, old, with);
  case LLVMAtomicRMWBinOpMax: return operation_intrinsic(shadow, SYMBOLIC_SMAX, width, old, with);
  case LLVMAtomicRMWBinOpMin: return operation_intrinsic(shadow, SYMBOLIC_SMIN, width, old, with);
  case LLVMAtomicRMWBinOpUMax: return operation_intrinsic(shadow, SYMBOLIC_UMAX, width, old, with);
  case LLVMAtomicRMWBinOpUMin: return operation_intrinsic(shadow, SYMBOLIC_UMIN, width, old, with);
  case LLVMAtomicRMWBinOpNand:
    both.term = operation_binary(shadow, TERM_AND, width, old, with);
    return operation_binary(shadow, TERM_XOR, width, both, ones);
  default: return NULL;
  }
}

/* The old value's term was taken from memory by the hook; the new one's goes there. */
static void emit_update(struct shadow *shadow, struct item *item) {
  const LLVMValueRef update = item->instruction;
  const unsigned width = shadow_width(LLVMTypeOf(update));
  struct operand old = operation_operand(shadow, update);
  const struct operand with = operation_operand(shadow, LLVMGetOperand(update, 1));
  old.term = item->term;
  const LLVMValueRef term = updated(shadow, LLVMGetAtomicRMWBinOp(update), width, old, with);
  store_term(shadow, LLVMGetOperand(update, 0), 0, size_of(shadow, LLVMTypeOf(update)), term ? term : shadow->zero);
}

static bool is_followed(LLVMValueRef update) {
  return shadow_width(LLVMTypeOf(update)) && LLVMGetAtomicRMWBinOp(update) <= LLVMAtomicRMWBinOpUMin;
}

static void after_update(struct shadow *shadow, LLVMValueRef update) {
  const LLVMValueRef with = LLVMGetOperand(update, 1);
  const LLVMValueRef old = shadow->read;
  if (!is_followed(update)) {
    group_pin_term(shadow, update, old, shadow_pin_reason(update));
    group_pin(shadow, update, with, shadow_pin_reason(update));
  }
  if (shadow_width(LLVMTypeOf(update))) shadow_set_term(shadow, update, 0, is_followed(update) ? old : shadow->zero);
  if (!is_followed(update)) return;
  struct item *item = group_add(shadow, emit_update, update);
  item->ordered = true;
  item->if_any_memory = !hook_of(shadow, update);
  item->term = old;
  group_need(shadow, item, with);
}

/* Whether it succeeds is decided here, so that the second member of the result is concrete. */
static void emit_exchange(struct shadow *shadow, struct item *item) {
  struct unit *unit = shadow->unit;
  const LLVMValueRef exchange = item->instruction, value = LLVMGetOperand(exchange, 2);
  const unsigned width = shadow_width(LLVMTypeOf(value));
  struct operand old = operation_operand(shadow, LLVMGetOperand(exchange, 1));
  const struct operand expected = old;
  const LLVMValueRef found = LLVMBuildExtractValue(unit->builder, exchange, 0, "");
  const LLVMValueRef done = LLVMBuildExtractValue(unit->builder, exchange, 1, "");
  old = operation_operand(shadow, found);
  old.term = item->term;
  const LLVMValueRef equal = operation_compare(shadow, COMPARE_EQUAL, width, old, expected);
  hooks_call(unit, HOOK_branch, (LLVMValueRef[]){equal, operation_int64(shadow, done), item->arguments[0]});
  const LLVMValueRef term = LLVMBuildSelect(unit->builder, done, shadow_term(shadow, value, 0), old.term, "");
  store_term(shadow, LLVMGetOperand(exchange, 0), 0, width / 8, term);
}

static void after_exchange(struct shadow *shadow, LLVMValueRef exchange) {
  shadow_set_term(shadow, exchange, 0, shadow->read);
  shadow_set_term(shadow, exchange, 1, shadow->zero);
  struct item *item = group_add(shadow, emit_exchange, exchange);
  item->ordered = true;
  item->if_any_memory = !hook_of(shadow, exchange);
  item->term = shadow->read;
  item->arguments[0] = sites_of_instruction(shadow->unit, exchange, "");
  group_need(shadow, item, LLVMGetOperand(exchange, 1));
  group_need(shadow, item, LLVMGetOperand(exchange, 2));
}

/* ---- block operations ---- */

static bool intrinsic_starts_with(LLVMValueRef call, const char *prefix) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
         functions_starts_with(LLVMGetValueName2(callee, &length), prefix);
}

static bool copies(LLVMValueRef call) {
  return intrinsic_starts_with(call, "llvm.memcpy.") || intrinsic_starts_with(call, "llvm.memmove.");
}

bool memory_is_block_operation(LLVMValueRef call) {
  return copies(call) || intrinsic_starts_with(call, "llvm.memset.");
}

static LLVMValueRef length_of(struct shadow *shadow, LLVMValueRef call) {
  return LLVMBuildIntCast2(shadow->unit->builder, LLVMGetArgOperand(call, 2), shadow->unit->int64, false, "");
}

static void before_block_hooks(struct shadow *shadow, LLVMValueRef call) {
  group_pin(shadow, call, LLVMGetArgOperand(call, 2), PIN_SIZE);
  shadow_position(shadow);
  const LLVMValueRef length = length_of(shadow, call);
  for (unsigned i = 0; i < 1u + copies(call); i++) {
    const LLVMValueRef pointer = LLVMGetArgOperand(call, i);
    if (!shadow_is_concrete(shadow, pointer)) announce_address(shadow, call, pointer, length, 0);
  }
  group_flush(shadow);
}

static void after_block(struct shadow *shadow, LLVMValueRef call) {
  const LLVMValueRef to = LLVMGetArgOperand(call, 0), second = LLVMGetArgOperand(call, 1);
  const bool copied = copies(call), hooked = hook_of(shadow, call) != NULL;
  if (!copied && hooked && shadow_is_concrete(shadow, second)) return;
  group_want(shadow, second);
  group_flush(shadow);
  const LLVMValueRef term = copied ? NULL : shadow_term(shadow, second, 0);
  shadow_position(shadow);
  const LLVMValueRef length = length_of(shadow, call);
  if (copied)
    hooks_call(shadow->unit, HOOK_copy_terms, (LLVMValueRef[]){to, second, length});
  else
    hooks_call(shadow->unit, HOOK_fill_terms, (LLVMValueRef[]){to, length, term});
}

/* ---- together ---- */

void memory_before_hooks(struct shadow *shadow, LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction)) {
    before_block_hooks(shadow, instruction);
    return;
  }
  const LLVMValueRef pointer = pointer_of(instruction);
  if (pointer) memory_address(shadow, instruction, pointer, size_of(shadow, accessed_type(instruction)));
  group_flush(shadow);
}

void memory_before(struct shadow *shadow, LLVMValueRef instruction) {
  const LLVMValueRef pointer = pointer_of(instruction);
  if (!pointer) return;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad: before_load(shadow, instruction, pointer); break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: shadow->read = read_whole(shadow, instruction, pointer); break;
  default: break;
  }
}

void memory_after(struct shadow *shadow, LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction)) {
    after_block(shadow, instruction);
    return;
  }
  const LLVMValueRef pointer = pointer_of(instruction);
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore:
    if (pointer)
      after_store(shadow, instruction, pointer);
    else
      group_pin(shadow, instruction, LLVMGetOperand(instruction, 0), PIN_MODEL);
    break;
  case LLVMAtomicRMW:
    if (pointer) after_update(shadow, instruction);
    break;
  case LLVMAtomicCmpXchg:
    if (pointer) after_exchange(shadow, instruction);
    break;
  default: break;
  }
}
