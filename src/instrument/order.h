/* SPDX-License-Identifier: MIT
 *
 * The blocks of a function in an order in which values come before their uses (except those of phis), and which block
 * dominates which. Blocks that cannot be reached are not among them.
 */
#ifndef HEDDLE_INSTRUMENT_ORDER_H
#define HEDDLE_INSTRUMENT_ORDER_H

#include "base/memory.h"
#include "instrument/map.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct order {
  VECTOR(LLVMBasicBlockRef) blocks; /* reverse postorder, the entry first */
  unsigned *dominators;             /* the index of the nearest; the entry's is its own */
  struct map places;                /* block -> 1 + its index */
};

void order_find(struct order *order, LLVMValueRef function);
bool order_dominates(const struct order *order, unsigned above, unsigned below);
void order_free(struct order *order);

#endif
