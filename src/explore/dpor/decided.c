/* SPDX-License-Identifier: MIT */
#include "explore/dpor/decided.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

struct decided *decided_hold(struct decided *decided) {
  if (decided) decided->references++;
  return decided;
}

void decided_release(struct decided *decided) {
  if (decided && --decided->references == 0) free(decided);
}

static struct decided *allocate(uint32_t count) {
  if (count == 0) return NULL;
  struct decided *decided = memory_allocate(sizeof *decided + count * sizeof *decided->constraints);
  decided->references = 1;
  decided->count = count;
  return decided;
}

/* The first decision that was made after this many steps, or more. */
static uint32_t first_behind(const struct trace_view *trace, uint32_t depth) {
  uint32_t low = 0, high = trace->record->n_decisions;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (trace->decisions[middle].step < depth)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct decisions_range decisions_behind(const struct trace_view *trace, uint32_t depth) {
  if (trace->record->n_decisions == 0) return (struct decisions_range){0, 0};
  return (struct decisions_range){first_behind(trace, depth), first_behind(trace, depth + 1)};
}

uint32_t decided_count(const struct path *path, struct decisions_range range) {
  uint32_t count = 0;
  for (uint32_t i = range.first; i < range.end; i++) count += path_side(path, i) != 0;
  return count;
}

struct decided *decided_make(const struct trace_view *trace, const struct path *path, struct decisions_range range,
                             thread_id thread) {
  struct decided *decided = allocate(range.first < range.end ? decided_count(path, range) : 0);
  uint32_t count = 0;
  bool is_own = true;
  for (uint32_t i = range.first; decided && i < range.end; i++) {
    const term_id side = path_side(path, i);
    if (!side) continue;
    is_own &= trace->decisions[i].thread == thread;
    decided->own += is_own;
    decided->constraints[count++] = side;
  }
  return decided;
}

struct decided *decided_turn(const struct decided *decided, uint32_t count, term_id constraint) {
  struct decided *turned = allocate(count + 1);
  if (count > 0) memcpy(turned->constraints, decided->constraints, count * sizeof *turned->constraints);
  turned->constraints[count] = constraint;
  return turned;
}

struct decided *decided_own(struct decided *decided) {
  if (!decided || decided->own == decided->count) return decided_hold(decided);
  struct decided *own = allocate(decided->own);
  if (own) memcpy(own->constraints, decided->constraints, own->count * sizeof *own->constraints);
  return own;
}

bool decided_begins(const struct decided *decided, const struct decided *beginning) {
  if (!beginning) return true;
  return decided && decided->count >= beginning->count &&
         memcmp(decided->constraints, beginning->constraints, beginning->count * sizeof *beginning->constraints) == 0;
}

bool decided_is_same(const struct decided *a, const struct decided *b) {
  if (!a || !b) return a == b;
  return a->count == b->count && memcmp(a->constraints, b->constraints, a->count * sizeof *a->constraints) == 0;
}

bool decided_holds(const struct decided *decided, struct inputs *inputs, const struct path *path) {
  return !decided || !path || path_holds(path, inputs, decided->constraints, decided->count);
}
