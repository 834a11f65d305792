/* SPDX-License-Identifier: MIT
 *
 * What strategy `optimal` keeps when more memory turns out to be shared. docs/algorithms/dpor.md has the argument.
 *
 * Each time that happens an epoch begins. No run that was absorbed in earlier ones had a conflict on the new bytes:
 * otherwise it would have shown that they are shared. So its accesses of them race with nothing, and what was explored
 * is what would have been explored had the bytes been known, with each of these accesses right after the step before
 * it. (A step that depends on everything races with them: once there was one, all starts again.) Only the tree has to
 * be brought up to date: steps are missing in it. Which ones, a run shows that passes:
 *
 *   - A plan is of the epoch of its leaf. The runtime lets every step carry the accesses that were none in that epoch.
 *   - When its run is absorbed, they become nodes on the way to the leaf, each below the step that carried it
 *     (optimal_renew_way). A node on the way is of the present epoch from then on: all steps to it and after it are
 *     there.
 *   - A node of an earlier epoch has all its children after the steps that are missing. An insertion, whose steps are
 *     of the present epoch, waits in front of it until a run has come by. If none will, one is made for that: a probe.
 *
 * Epochs never grow on the way from the top to a leaf. So a leaf is of the earliest epoch on its way, and its plan
 * leaves out the nodes that were found to be steps after it.
 */
#include "explore/dpor/optimal.h"

#define MOST_EPOCHS UINT16_MAX

/* ---- the plan ---- */

void optimal_write_steps(struct optimal *self, struct wakeup_node *leaf, struct schedule *schedule) {
  if (self->tree.epoch == 0) {
    way_append_steps(&self->prefix, leaf, schedule);
    return;
  }
  way_go_to(&self->prefix.way, leaf);
  self->prefix.steps.count = 0;
  for (uint32_t depth = 1; depth <= leaf->depth; depth++) {
    const struct wakeup_node *node = self->prefix.way.nodes.items[depth];
    const struct step step = {node->event.thread, node->event.alternative};
    if (node->since <= leaf->epoch) schedule_append(schedule, &step, 1);
  }
}

/* ---- a new epoch ---- */

enum keeping optimal_keep(void *memory, void *cookie, uint64_t version, uint64_t *n_void) {
  struct optimal *self = memory;
  struct optimal_attempt *attempt = cookie;
  if (!self->knowledge || self->has_decisions || self->has_global || self->tree.epoch == MOST_EPOCHS)
    return KEEPS_NOTHING;
  self->tree.epoch++;
  vector_push(&self->versions, version);
  if (!attempt) return KEEPS_BUT_THIS;
  wakeup_return_leaf(&self->tree, attempt->leaf);
  attempt->next = self->unused;
  self->unused = attempt;
  self->n_under_way--;
  return KEEPS_BUT_THIS;
}

/* ---- events ---- */

static bool is_carried(const struct event *event) {
  return event_class_of(event) == CLASS_MEMORY && event->flags & EVENT_CARRIED;
}

struct event optimal_event(const struct event *event) {
  struct event made = *event;
  if (is_carried(event)) made.flags &= (uint8_t)~EVENT_CARRIED;
  return made;
}

/* Of the bytes of the granule that the event touches, the version in which the first was found to be shared. */
static uint64_t first_version(const struct knowledge *knowledge, uint32_t place, const struct event *event) {
  const struct shared_granule *granule = &knowledge->shared[place];
  uint64_t first = UINT64_MAX;
  for (unsigned i = 0; i < 8; i++) {
    const uint64_t byte = granule->address + i;
    const bool touches = byte >= event->object && byte - event->object < event->size;
    if (touches && granule->mask >> i & 1 && knowledge->since[place][i] < first) first = knowledge->since[place][i];
  }
  return first;
}

/* The first epoch in which the event was a step. */
static uint16_t epoch_of(const struct optimal *self, const struct event *event) {
  uint64_t version = UINT64_MAX;
  for (uint32_t i = 0; i < self->knowledge->n_shared; i++) {
    const uint64_t first = first_version(self->knowledge, i, event);
    if (first < version) version = first;
  }
  uint16_t epoch = 0;
  while (epoch < self->tree.epoch && self->versions.items[epoch] < version) epoch++;
  return epoch;
}

/* ---- the way to the leaf ---- */

/* A step that was not in the tree; as if the run that reached the node had shown it. */
static struct wakeup_node *add_step(struct optimal *self, struct optimal_run *run, struct wakeup_node *node,
                                    const struct event *event) {
  const struct event step = optimal_event(event);
  struct wakeup_node *added = wakeup_split(&self->tree, node, &step);
  added->since = epoch_of(self, event);
  if (!node->was_reached) return added;
  run->sleep.count = 0;
  for (uint32_t i = 0; i < node->n_sleep; i++) vector_push(&run->sleep, node->sleep[i]);
  sleepers_pass(&run->sleep, &step);
  optimal_keep_sleep(added, &run->sleep, &step);
  optimal_keep_enabled(added, run->trace, event);
  added->was_reached = true;
  self->events++;
  return added;
}

static bool is_same_access(const struct event *a, const struct event *b) {
  return a->thread == b->thread && a->object == b->object && a->size == b->size && a->site == b->site;
}

/* The node after the step, if it is one of the way: `next` is the next that was in the tree. NULL: the run leaves it.
 */
static struct wakeup_node *pass_step(struct optimal *self, struct optimal_run *run, struct wakeup_node *node,
                                     struct wakeup_node *next, const struct event *event, uint16_t epoch) {
  const bool is_newer = next->since > epoch;
  if (is_carried(event))
    return is_newer && is_same_access(event, &next->event) ? next : add_step(self, run, node, event);
  const bool is_same = event->thread == next->event.thread && event->alternative == next->event.alternative;
  return is_same && !is_newer ? next : NULL;
}

/* From here on what happens after the step is as this run shows it. It shows nothing of that at the leaf, which matters
 * only if something follows there. */
static void renew_node(const struct optimal *self, const struct optimal_run *run, struct wakeup_node *node) {
  if (node == run->leaf && node->first) return;
  node->epoch = self->tree.epoch;
  if (node != run->leaf && node->was_reached) node->n_more = 0;
}

static void forget_way(struct optimal *self, struct optimal_run *run) {
  order_pop(self->order, 0);
  run->way.nodes.count = run->way.ids.count = 0;
  run->turning.count = 0;
}

void optimal_renew_way(struct optimal *self, struct optimal_run *run, const struct optimal_attempt *attempt) {
  const struct trace_view *trace = run->trace;
  struct way old = {0};
  way_go_to(&old, run->leaf);
  struct wakeup_node *node = old.nodes.items[0];
  uint32_t depth = 0; /* of the node, before steps were added */
  run->record_from = 0;
  if (!(trace->record->flags & TRACE_CARRIES)) self->is_stale = true;
  renew_node(self, run, node);
  for (uint32_t i = 0; i < trace->record->n_events && node != run->leaf && !self->is_stale; i++) {
    const struct event *event = &trace->events[i];
    if (!event_is_step(event)) {
      if (node->was_reached && node->depth > 0) optimal_keep_more(node, event);
      continue;
    }
    struct wakeup_node *const next = old.nodes.items[depth + 1];
    node = pass_step(self, run, node, next, event, attempt->epoch);
    if (!node) break;
    depth += node == next;
    renew_node(self, run, node);
  }
  forget_way(self, run);
  struct wakeup_node *start = run->leaf;
  while (!start->was_reached) start = start->parent;
  run->known_to = start->depth;
  way_free(&old);
}
