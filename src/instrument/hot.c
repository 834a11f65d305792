/* SPDX-License-Identifier: MIT
 *
 * Where hooks of accesses are inlined: in small loops, together with the loops inside, and in small functions that are
 * called there. Elsewhere a call is smaller and quicker to compile, and its time does not matter.
 */
#include "instrument/internal.h"
#include "instrument/order.h"

enum { MOST_BLOCKS = 16, MOST_ACCESSES = 8 }; /* of a small loop or function */

typedef VECTOR(LLVMBasicBlockRef) block_list;

struct loop {
  LLVMBasicBlockRef header;
  block_list blocks;
};

static bool contains(const block_list *list, LLVMBasicBlockRef block) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i] == block) return true;
  return false;
}

static void add_predecessors(struct loop *loop, LLVMBasicBlockRef block) {
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user)) continue;
    const LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
    if (!contains(&loop->blocks, from)) vector_push(&loop->blocks, from);
  }
}

/* All blocks from which the end leads back to the header; false if there are many. */
static bool gather(struct loop *loop, LLVMBasicBlockRef end) {
  vector_push(&loop->blocks, loop->header);
  if (end != loop->header) vector_push(&loop->blocks, end);
  for (size_t i = 1; i < loop->blocks.count && loop->blocks.count <= MOST_BLOCKS; i++)
    add_predecessors(loop, loop->blocks.items[i]);
  return loop->blocks.count <= MOST_BLOCKS;
}

static unsigned accesses_in(LLVMBasicBlockRef block) {
  unsigned count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    count += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
  return count;
}

static bool is_small(const struct loop *loop) {
  unsigned accesses = 0;
  for (size_t i = 0; i < loop->blocks.count; i++) accesses += accesses_in(loop->blocks.items[i]);
  return accesses <= MOST_ACCESSES;
}

static bool is_small_function(LLVMValueRef function) {
  unsigned accesses = 0;
  if (LLVMIsDeclaration(function) || LLVMCountBasicBlocks(function) > MOST_BLOCKS) return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    accesses += accesses_in(block);
  return accesses <= MOST_ACCESSES;
}

static void mark_called(struct unit *unit, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    const LLVMValueRef callee = exceptions_is_call(i) ? LLVMGetCalledValue(i) : NULL;
    if (callee && LLVMIsAFunction(callee) && is_small_function(callee)) map_put(&unit->hot, callee, callee);
  }
}

static void mark_loop(struct unit *unit, LLVMBasicBlockRef header, LLVMBasicBlockRef end) {
  struct loop loop = {.header = header};
  if (gather(&loop, end) && is_small(&loop))
    for (size_t i = 0; i < loop.blocks.count; i++) {
      map_put(&unit->hot, loop.blocks.items[i], loop.blocks.items[i]);
      mark_called(unit, loop.blocks.items[i]);
    }
  vector_free(&loop.blocks);
}

/* ---- edges that lead back ---- */

static void mark_loops(struct unit *unit, const struct order *order) {
  for (unsigned place = 0; place < order->blocks.count; place++) {
    const LLVMBasicBlockRef block = order->blocks.items[place];
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
      const LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, i);
      const unsigned target = (unsigned)(uintptr_t)map_get(&order->places, next) - 1;
      if (target <= place && order_dominates(order, target, place)) mark_loop(unit, next, block);
    }
  }
}

static void find_in_function(struct unit *unit, LLVMValueRef function) {
  struct order order = {0};
  order_find(&order, function);
  mark_loops(unit, &order);
  order_free(&order);
}

void hot_find(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) find_in_function(unit, f);
}

void hot_inline(struct unit *unit, LLVMValueRef instruction, LLVMValueRef hook) {
  const LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  if (!map_get(&unit->hot, block) && !map_get(&unit->hot, LLVMGetBasicBlockParent(block))) return;
  const LLVMAttributeRef always = LLVMCreateEnumAttribute(unit->context, functions_attribute_kind("alwaysinline"), 0);
  LLVMAddCallSiteAttribute(hook, LLVMAttributeFunctionIndex, always);
}
