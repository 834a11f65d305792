/* SPDX-License-Identifier: MIT
 *
 * What is asked of a SYN-sequence that has been made: which partners were possible, and a signature that is the same
 * for the same sequence.
 */
#include "base/number_set.h"
#include "explore/reachability/syn_run.h"

bool syn_run_is_possible(const struct syn_run *run, syn_id receive, uint32_t partner) {
  if (run->syn.events.items[receive].kind != SYN_COMPLETE) return true;
  const struct syn_op *op = &run->ops.items[run->op_of.items[receive]];
  const struct syn_op *other = &run->ops.items[run->op_of.items[partner]];
  const uint32_t taken_before = run->op_of.items[receive];
  if (!other->is_unsure || other->arrived > taken_before || other->thread >= 64) return true;
  return op->enabled >> other->thread & 1;
}

/* ---- signatures ---- */

static void sign(uint64_t signature[2], uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  const uint64_t hash = hash_mix(hash_mix(hash_mix(hash_mix(1, a), b), c), d);
  signature[0] += hash;
  signature[1] += hash_mix(hash, 0x5851f42d4c957f2dull);
}

void syn_run_signature(const struct syn_run *run, const uint32_t *sides, uint64_t signature[2]) {
  const struct syn *syn = &run->syn;
  signature[0] = signature[1] = 0;
  for (size_t i = 0; i < syn->events.count; i++) {
    const struct syn_event *event = &syn->events.items[i];
    const bool on_object = event->kind == SYN_COMPLETE;
    if (event->kind == SYN_SEND || event->partner == SYN_NONE) continue;
    const uint64_t place = on_object ? run->groups.items[event->object] : 1ull << 32 | event->thread;
    uint64_t from = event->partner;
    if (event->kind != SYN_CHOICE && event->partner < SYN_INITIAL) {
      const struct syn_event *partner = &syn->events.items[event->partner];
      from = (uint64_t)partner->thread << 32 | partner->number;
    }
    sign(signature, place, event->index, from, event->kind);
  }
  for (size_t i = 0; sides && i < run->decisions.count; i++) {
    const struct syn_event *event = &syn->events.items[run->decisions.items[i].event];
    sign(signature, 2ull << 32 | event->thread, event->index, sides[run->decisions.items[i].place], 0);
  }
}
