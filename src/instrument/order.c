/* SPDX-License-Identifier: MIT
 *
 * Reverse postorder by a depth-first walk with a stack of its own; nearest dominators by iteration (Cooper, Harvey,
 * Kennedy: A Simple, Fast Dominance Algorithm, 2001), whose numbers are postorder's where ours are reversed.
 */
#include "instrument/order.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#define UNKNOWN UINT_MAX

struct visit {
  LLVMBasicBlockRef block;
  unsigned next; /* successor to look at */
};

static void push_visit(struct visit **stack, size_t *count, size_t *capacity, struct map *seen,
                       LLVMBasicBlockRef block) {
  if (map_get(seen, block)) return;
  map_put(seen, block, block);
  if (*count == *capacity) *stack = memory_grow(*stack, capacity, sizeof **stack);
  (*stack)[(*count)++] = (struct visit){block, 0};
}

static void push_postorder(struct order *order, LLVMBasicBlockRef entry) {
  struct visit *stack = NULL;
  size_t count = 0, capacity = 0;
  struct map seen = {0};
  push_visit(&stack, &count, &capacity, &seen, entry);
  while (count) {
    struct visit *top = &stack[count - 1];
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(top->block);
    if (top->next < LLVMGetNumSuccessors(terminator)) {
      push_visit(&stack, &count, &capacity, &seen, LLVMGetSuccessor(terminator, top->next++));
    } else {
      vector_push(&order->blocks, top->block);
      count--;
    }
  }
  free(stack);
  map_free(&seen);
}

static void reverse(struct order *order) {
  const size_t count = order->blocks.count;
  for (size_t i = 0; i < count / 2; i++) {
    const LLVMBasicBlockRef block = order->blocks.items[i];
    order->blocks.items[i] = order->blocks.items[count - 1 - i];
    order->blocks.items[count - 1 - i] = block;
  }
  for (size_t i = 0; i < count; i++) map_put(&order->places, order->blocks.items[i], (void *)(uintptr_t)(i + 1));
}

static unsigned meet(const struct order *order, unsigned a, unsigned b) {
  while (a != b) {
    if (a > b)
      a = order->dominators[a];
    else
      b = order->dominators[b];
  }
  return a;
}

/* Moves the dominator of each successor up to what this block allows. */
static bool improve_successors(struct order *order, unsigned block) {
  const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(order->blocks.items[block]);
  bool changed = false;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
    const unsigned next = (unsigned)(uintptr_t)map_get(&order->places, LLVMGetSuccessor(terminator, i)) - 1;
    const unsigned old = order->dominators[next], new = old == UNKNOWN ? block : meet(order, old, block);
    order->dominators[next] = new;
    changed |= new != old;
  }
  return changed;
}

static void find_dominators(struct order *order) {
  const unsigned count = (unsigned)order->blocks.count;
  order->dominators = memory_allocate(count * sizeof *order->dominators);
  for (unsigned i = 1; i < count; i++) order->dominators[i] = UNKNOWN;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < count; i++) changed |= improve_successors(order, i);
  }
}

void order_find(struct order *order, LLVMValueRef function) {
  push_postorder(order, LLVMGetEntryBasicBlock(function));
  reverse(order);
  find_dominators(order);
}

bool order_dominates(const struct order *order, unsigned above, unsigned below) {
  while (below > above) below = order->dominators[below];
  return below == above;
}

void order_free(struct order *order) {
  vector_free(&order->blocks);
  free(order->dominators);
  map_free(&order->places);
}
