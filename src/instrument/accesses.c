/* SPDX-License-Identifier: MIT
 *
 * Hooks before loads, stores, atomic operations and block operations.
 *
 *     before                                      after
 *     %v = load i32, ptr %p, align 4              %t = call i32 @__heddle_read_4(ptr %p, ptr @site)
 *                                                 %v = load i32, ptr %p, align 4
 *     %o = atomicrmw add ptr %p, i32 1 seq_cst    %t = call i32 @__heddle_atomic_update(ptr %p, i64 4, ptr @site)
 *                                                 %o = atomicrmw add ptr %p, i32 1 seq_cst
 *
 * Memory that only its thread can see (local.c) gets none.
 */
#include "abi/symbolic.h"
#include "instrument/internal.h"

enum { MOST_BUFFERED_BYTES = 4096 }; /* of larger copies, the runtime keeps what was read */

static uint64_t size_of(const struct unit *unit, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(unit->layout, type);
}

/* Segment-relative memory (__seg_fs and the like) has addresses of its own. */
static bool ordinary_pointer(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0;
}

LLVMValueRef accesses_site(struct unit *unit, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes) {
  struct text name = {0};
  names_append(unit, &name, pointer, bytes);
  const LLVMValueRef site = sites_of_instruction(unit, instruction, text_string(&name));
  text_free(&name);
  return site;
}

/* The hook of an access; shadow_memory.c asks for it. */
static void insert(struct unit *unit, enum hook hook, LLVMValueRef instruction, const LLVMValueRef *arguments) {
  map_put(&unit->announced, instruction, hooks_insert(unit, hook, instruction, arguments));
}

static bool has_hook_of_its_size(uint64_t bytes, uint64_t alignment) {
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && alignment >= bytes;
}

static enum hook hook_of_size(uint64_t bytes, bool writing) {
  switch (bytes) {
  case 1: return writing ? HOOK_write_1 : HOOK_read_1;
  case 2: return writing ? HOOK_write_2 : HOOK_read_2;
  case 4: return writing ? HOOK_write_4 : HOOK_read_4;
  default: return writing ? HOOK_write_8 : HOOK_read_8;
  }
}

/* The read of bits that a store to a bit-field leaves as they are, whatever they are:
 *
 *     %old = load i8, ptr %p
 *     %rest = and i8 %old, -8
 *     %new = or i8 %rest, 5          or none, for a store of zero
 *     store i8 %new, ptr %p
 */
static bool keeps_other_bits(LLVMValueRef load) {
  LLVMValueRef value = load;
  for (int step = 0; step < 3; step++) {
    const LLVMUseRef use = LLVMGetFirstUse(value);
    if (!use || LLVMGetNextUse(use)) return false;
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user)) return step > 0 && LLVMGetOperand(user, 1) == LLVMGetOperand(load, 0);
    const LLVMOpcode wanted = step == 0 ? LLVMAnd : LLVMOr;
    if (!LLVMIsAInstruction(user) || LLVMGetInstructionOpcode(user) != wanted) return false;
    if (step == 0 && !LLVMIsAConstantInt(LLVMGetOperand(user, 1))) return false;
    value = user;
  }
  return false;
}

/* A plain access of a known size. */
static void announce(struct unit *unit, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes,
                     uint64_t alignment, bool writing) {
  if (bytes == 0 || !ordinary_pointer(pointer)) return;
  bounds_instrument(unit, instruction, pointer, bytes);
  if (local_to_thread(unit, pointer, !writing)) return;
  const LLVMValueRef site = accesses_site(unit, instruction, pointer, bytes);
  if (has_hook_of_its_size(bytes, alignment)) {
    insert(unit, hook_of_size(bytes, writing), instruction, (LLVMValueRef[]){pointer, site});
    hot_inline(unit, instruction, map_get(&unit->announced, instruction));
    return;
  }
  const enum hook range = writing ? HOOK_write_range : HOOK_read_range;
  insert(unit, range, instruction, (LLVMValueRef[]){pointer, hooks_integer(unit, bytes), site});
}

static void announce_atomic(struct unit *unit, enum hook hook, LLVMValueRef instruction, LLVMValueRef pointer,
                            uint64_t bytes) {
  if (!ordinary_pointer(pointer) || local_to_thread(unit, pointer, hook == HOOK_atomic_read)) return;
  const LLVMValueRef site = accesses_site(unit, instruction, pointer, bytes);
  insert(unit, hook, instruction, (LLVMValueRef[]){pointer, hooks_integer(unit, bytes), site});
}

void accesses_instrument_load(struct unit *unit, LLVMValueRef load) {
  const LLVMValueRef pointer = LLVMGetOperand(load, 0);
  const uint64_t bytes = size_of(unit, LLVMTypeOf(load));
  /* A range may be undefined, a value not. */
  const uint64_t alignment = keeps_other_bits(load) ? 0 : LLVMGetAlignment(load);
  if (LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic)
    announce(unit, load, pointer, bytes, alignment, false);
  else
    announce_atomic(unit, HOOK_atomic_read, load, pointer, bytes);
}

void accesses_instrument_store(struct unit *unit, LLVMValueRef store) {
  const LLVMValueRef pointer = LLVMGetOperand(store, 1);
  const uint64_t bytes = size_of(unit, LLVMTypeOf(LLVMGetOperand(store, 0)));
  if (LLVMGetOrdering(store) == LLVMAtomicOrderingNotAtomic)
    announce(unit, store, pointer, bytes, LLVMGetAlignment(store), true);
  else
    announce_atomic(unit, HOOK_atomic_write, store, pointer, bytes);
}

void accesses_instrument_update(struct unit *unit, LLVMValueRef update) {
  const uint64_t bytes = size_of(unit, LLVMTypeOf(update));
  announce_atomic(unit, HOOK_atomic_update, update, LLVMGetOperand(update, 0), bytes);
}

void accesses_instrument_compare_exchange(struct unit *unit, LLVMValueRef exchange) {
  const LLVMValueRef pointer = LLVMGetOperand(exchange, 0);
  if (!ordinary_pointer(pointer) || local_to_thread(unit, pointer, false)) return;
  LLVMValueRef expected = LLVMGetOperand(exchange, 1);
  const uint64_t bytes = size_of(unit, LLVMTypeOf(expected));
  const LLVMValueRef site = accesses_site(unit, exchange, pointer, bytes);
  const LLVMBuilderRef builder = unit->builder;
  LLVMPositionBuilderBefore(builder, exchange);
  if (LLVMGetTypeKind(LLVMTypeOf(expected)) == LLVMPointerTypeKind)
    expected = LLVMBuildPtrToInt(builder, expected, unit->int64, "");
  const LLVMTypeRef wide = LLVMIntTypeInContext(unit->context, 128);
  const LLVMValueRef whole = LLVMBuildZExtOrBitCast(builder, expected, wide, "");
  const LLVMValueRef shift = LLVMConstInt(wide, 64, false);
  const LLVMValueRef low = LLVMBuildTrunc(builder, whole, unit->int64, "");
  const LLVMValueRef high = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, whole, shift, ""), unit->int64, "");
  insert(unit, HOOK_atomic_compare_exchange, exchange,
         (LLVMValueRef[]){pointer, hooks_integer(unit, bytes), low, high, site});
}

/* Assembly does not follow terms: what it reads is pinned, what it writes has none. */
static void pin_operand(struct unit *unit, enum hook hook, LLVMValueRef call, LLVMValueRef pointer, uint64_t bytes) {
  const LLVMValueRef size = hooks_integer(unit, bytes), zero = LLVMConstInt(unit->int32, 0, false);
  LLVMValueRef term = map_get(&unit->announced, call);
  if (hook != HOOK_atomic_write) {
    const LLVMValueRef site = sites_of_instruction(unit, call, "");
    if (!term) term = hooks_insert(unit, HOOK_read_terms, call, (LLVMValueRef[]){pointer, size});
    hooks_insert(unit, HOOK_pin, call, (LLVMValueRef[]){term, hooks_integer(unit, PIN_ASSEMBLY), site});
  }
  if (hook != HOOK_atomic_read) hooks_insert(unit, HOOK_fill_terms, call, (LLVMValueRef[]){pointer, size, zero});
}

void accesses_instrument_operand(struct unit *unit, enum hook hook, LLVMValueRef call, LLVMValueRef pointer,
                                 uint64_t bytes) {
  if (!ordinary_pointer(pointer)) return;
  map_put(&unit->announced, call, NULL);
  announce_atomic(unit, hook, call, pointer, bytes);
  if (bytes <= 16 && unit->follows) pin_operand(unit, hook, call, pointer, bytes);
}

static uint64_t alignment_of_argument(LLVMValueRef call, unsigned argument) {
  const LLVMAttributeRef alignment =
      LLVMGetCallSiteEnumAttribute(call, argument + 1, functions_attribute_kind("align"));
  return alignment ? LLVMGetEnumAttributeValue(alignment) : 1;
}

static void announce_block(struct unit *unit, LLVMValueRef call, unsigned argument, bool writing) {
  const LLVMValueRef pointer = LLVMGetArgOperand(call, argument), length = LLVMGetArgOperand(call, 2);
  if (LLVMIsAConstantInt(length)) {
    const uint64_t bytes = LLVMConstIntGetZExtValue(length);
    announce(unit, call, pointer, bytes, alignment_of_argument(call, argument), writing);
    return;
  }
  if (!ordinary_pointer(pointer) || local_to_thread(unit, pointer, !writing)) return;
  const LLVMValueRef site = accesses_site(unit, call, pointer, 0);
  LLVMPositionBuilderBefore(unit->builder, call);
  const LLVMValueRef bytes = LLVMBuildIntCast2(unit->builder, length, unit->int64, false, "");
  insert(unit, writing ? HOOK_write_range : HOOK_read_range, call, (LLVMValueRef[]){pointer, bytes, site});
}

static LLVMValueRef entry_alloca(struct unit *unit, LLVMValueRef inside, uint64_t bytes, unsigned alignment) {
  const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inside));
  LLVMPositionBuilderBefore(unit->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  const LLVMValueRef buffer = LLVMBuildAlloca(unit->builder, LLVMArrayType2(unit->byte, bytes), "");
  LLVMSetAlignment(buffer, alignment);
  return buffer;
}

/* A copy between shared places is a read and then a write, and other threads may act in between: what was read has to
 * survive there.
 *
 *     before                           after
 *     call memcpy(%to, %from, 24)      call read_range(%from, 24, @site)
 *                                      call memcpy(%buffer, %from, 24)
 *                                      call write_range(%to, 24, @site)
 *                                      call memcpy(%to, %buffer, 24)
 *
 *     call memcpy(%to, %from, %n)      call read_range(%from, %n, @site)
 *                                      %held = call hold(%from, %n)
 *                                      call write_range(%to, %n, @site)
 *                                      call memcpy(%to, %held, %n)
 */
static void hold(struct unit *unit, LLVMValueRef call) {
  const LLVMValueRef from = LLVMGetArgOperand(call, 1), length = LLVMGetArgOperand(call, 2);
  if (!ordinary_pointer(from)) return;
  LLVMPositionBuilderBefore(unit->builder, call);
  const LLVMValueRef bytes = LLVMBuildIntCast2(unit->builder, length, unit->int64, false, "");
  LLVMSetOperand(call, 1, hooks_call(unit, HOOK_hold, (LLVMValueRef[]){from, bytes}));
}

static void read_into_buffer(struct unit *unit, LLVMValueRef call) {
  const LLVMValueRef from = LLVMGetArgOperand(call, 1), length = LLVMGetArgOperand(call, 2);
  if (!LLVMIsAConstantInt(length) || LLVMConstIntGetZExtValue(length) > MOST_BUFFERED_BYTES) {
    hold(unit, call);
    return;
  }
  const unsigned alignment = (unsigned)alignment_of_argument(call, 1), whole = alignment > 16 ? alignment : 16;
  const LLVMValueRef buffer = entry_alloca(unit, call, LLVMConstIntGetZExtValue(length), whole);
  LLVMPositionBuilderBefore(unit->builder, call);
  LLVMBuildMemCpy(unit->builder, buffer, whole, from, alignment, length);
  const LLVMValueRef bytes = LLVMBuildIntCast2(unit->builder, length, unit->int64, false, "");
  if (unit->follows) hooks_call(unit, HOOK_copy_terms, (LLVMValueRef[]){buffer, from, bytes});
  LLVMSetOperand(call, 1, buffer);
}

static bool both_may_be_seen(struct unit *unit, LLVMValueRef call) {
  return !local_to_thread(unit, LLVMGetArgOperand(call, 0), false) &&
         !local_to_thread(unit, LLVMGetArgOperand(call, 1), true);
}

bool accesses_instrument_block(struct unit *unit, LLVMValueRef call, const char *intrinsic) {
  const bool copies =
      functions_starts_with(intrinsic, "llvm.memcpy.") || functions_starts_with(intrinsic, "llvm.memmove.");
  if (!copies && !functions_starts_with(intrinsic, "llvm.memset.")) return false;
  if (copies) {
    const bool in_two_steps = both_may_be_seen(unit, call);
    announce_block(unit, call, 1, false);
    if (in_two_steps) read_into_buffer(unit, call);
  }
  map_put(&unit->announced, call, NULL); /* its write is what counts */
  announce_block(unit, call, 0, true);
  return true;
}

void accesses_instrument_by_value(struct unit *unit, LLVMValueRef call) {
  const unsigned kind = functions_attribute_kind("byval");
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    if (!by_value) continue;
    const uint64_t bytes = size_of(unit, LLVMGetTypeAttributeValue(by_value));
    announce(unit, call, LLVMGetArgOperand(call, i), bytes, alignment_of_argument(call, i), false);
  }
}
