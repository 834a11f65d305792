/* SPDX-License-Identifier: MIT
 *
 * The races of a run, and their reversals: what they are, whether they are explored elsewhere, and where in the tree
 * they become new branches.
 */
#include "explore/dpor/optimal.h"

#include <string.h>

/* ---- the steps before a point ---- */

/* Which threads were created before the first step. */
static void begin_order(struct optimal *self, const struct optimal_run *run) {
  const struct wakeup_node *start = run->way.nodes.items[0];
  for (uint32_t i = 0; order_length(self->order) == 0 && i < start->n_more; i++)
    order_push(self->order, &start->more[i], NULL, 0);
}

void optimal_go_to(struct optimal *self, const struct optimal_run *run, const struct wakeup_node *node) {
  begin_order(self, run);
  for (uint32_t depth = order_length(self->order) + 1; depth <= node->depth; depth++)
    optimal_push_node(self, run->way.nodes.items[depth]);
}

/* ---- new branches ---- */

/* A run that was cut short does not say what a thread would have done that did not move after this depth: it may have
 * been in the way of the step, had there been time. */
static bool is_unknown(const struct optimal *self, const struct optimal_run *run, const struct event *event,
                       uint32_t depth) {
  return run->is_cut_short && order_last_step_of(self->order, event->thread) <= depth;
}

/* Arrivals at a barrier say how many there were, which is different in another order. */
static void count_arrivals(const struct optimal *self, struct insertion *insertion, uint32_t depth, size_t at) {
  struct event *event = &insertion->steps.items[at].event;
  if (!event_arrives(event)) return;
  event->value = order_arrived_before(self->order, depth, event) + 1;
  for (size_t i = 0; i < at; i++)
    event->value +=
        event_arrives(&insertion->steps.items[i].event) && insertion->steps.items[i].event.object == event->object;
  if (event->size && event->value > event->size) event->value -= event->size;
}

static void add_to_rest(const struct optimal *self, const struct optimal_run *run, struct insertion *insertion,
                        uint32_t step) {
  const bool has_node = self->has_decisions && step + 1 < run->way.nodes.count;
  vector_push(&insertion->steps, ((struct planned){*order_event(self->order, step),
                                                   has_node ? run->way.nodes.items[step + 1]->decided : NULL, false}));
}

static void list_steps(const struct optimal *self, const struct optimal_run *run, struct insertion *insertion,
                       const struct reversal_steps *reversal, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) add_to_rest(self, run, insertion, reversal->steps[i]);
}

/* Can the later step of the race be moved in front of those that do not happen before it? In its new place it may be
 * another than it was. */
static bool can_come_early(const struct optimal *self, const struct found *found,
                           const struct reversal_steps *reversal) {
  if (found->race.is_unsure || found->later == order_length(self->order)) return false;
  if (events_touch_the_same(&reversal->last, order_event(self->order, found->later))) return true;
  for (size_t i = 0; i < reversal->count; i++) {
    const uint32_t step = reversal->steps[i];
    if (!order_happens_before(self->order, step, found->later) &&
        events_depend(&reversal->last, order_event(self->order, step)))
      return false;
  }
  return true;
}

/* The steps of the reversal, with the later one of the race after the first `before` of them. */
static void list_rest(const struct optimal *self, const struct optimal_run *run, struct insertion *insertion,
                      const struct found *found, const struct reversal_steps *reversal, size_t before) {
  insertion->steps.count = 0;
  list_steps(self, run, insertion, reversal, 0, before);
  vector_push(&insertion->steps, ((struct planned){reversal->last, NULL, reversal->is_guess}));
  list_steps(self, run, insertion, reversal, before, reversal->count);
  for (size_t i = 0; i < insertion->steps.count; i++) count_arrivals(self, insertion, found->race.earlier, i);
}

/* How many steps of the reversal come before the later one of the race, which comes as soon as it can: what follows it
 * is often not needed. */
static size_t bring_forward(const struct optimal *self, const struct found *found, struct reversal_steps *reversal) {
  if (!can_come_early(self, found, reversal)) return reversal->count;
  return order_bring_forward(self->order, reversal, found->later);
}

static void list_moved(const struct optimal *self, const struct optimal_run *run, struct insertion *insertion,
                       uint32_t depth) {
  insertion->moved.count = 0;
  if (!run->is_cut_short) return;
  for (thread_id thread = 0; thread < order_threads(self->order); thread++) {
    if (thread % 64u == 0) vector_push(&insertion->moved, 0);
    if (order_last_step_of(self->order, thread) > depth) insertion->moved.items[thread / 64u] |= 1ull << (thread % 64u);
  }
}

/* ---- what is explored elsewhere ---- */

/* Whether what begins with the reversal is explored elsewhere: that of this run, or in each run that begins alike. */
enum cover { NOT_COVERED, COVERED, COVERED_ALWAYS };

/* Is the first step of the thread in the reversal one that happens before the later step of the race, or that one? */
static bool is_needed(const struct optimal *self, const struct found *found, const struct reversal_steps *reversal,
                      thread_id thread) {
  if (found->later == order_length(self->order)) return false;
  for (size_t i = 0; i < reversal->count; i++)
    if (order_event(self->order, reversal->steps[i])->thread == thread)
      return order_happens_before(self->order, reversal->steps[i], found->later);
  return thread == reversal->last.thread;
}

static enum cover covers(const struct optimal *self, const struct optimal_run *run, const struct found *found,
                         const struct event *event, const struct decided *decided,
                         const struct reversal_steps *reversal) {
  if (!order_is_weak_initial(self->order, event, reversal)) return NOT_COVERED;
  if (event->thread != reversal->last.thread && is_unknown(self, run, event, found->race.earlier)) return NOT_COVERED;
  if (!decided_holds(decided, self->inputs, run->path)) return NOT_COVERED;
  return !decided && is_needed(self, found, reversal, event->thread) ? COVERED_ALWAYS : COVERED;
}

static enum cover covers_child(const struct optimal *self, const struct optimal_run *run, const struct found *found,
                               const struct wakeup_node *child, const struct reversal_steps *reversal) {
  if (child->is_void) return NOT_COVERED;
  const struct decided *decided = insertion_stands_for_all(child) ? NULL : child->decided;
  const bool holds = decided_holds(child->decided, self->inputs, run->path);
  const struct event event = holds ? child->event : insertion_whatever_decided(child);
  return covers(self, run, found, &event, decided, reversal);
}

/* What is asleep, and the children to the left of `end`, do not count on this. */
static enum cover find_cover(const struct optimal *self, const struct optimal_run *run, const struct found *found,
                             const struct wakeup_node *end, const struct reversal_steps *reversal) {
  const struct wakeup_node *node = run->way.nodes.items[found->race.earlier];
  enum cover best = NOT_COVERED;
  for (uint32_t i = 0; i < node->n_sleep && best < COVERED_ALWAYS; i++) {
    const enum cover cover = covers(self, run, found, &node->sleep[i].event, node->sleep[i].decided, reversal);
    if (cover > best) best = cover;
  }
  for (const struct wakeup_node *child = node->first; child != end && best < COVERED_ALWAYS; child = child->next) {
    const enum cover cover = covers_child(self, run, found, child, reversal);
    if (cover > best) best = cover;
  }
  return best;
}

static void note_turning(struct optimal_run *run, uint32_t depth) {
  size_t i = run->turning.count;
  while (i > 0 && run->turning.items[i - 1] > depth) i--;
  if (i > 0 && run->turning.items[i - 1] == depth) return;
  vector_push(&run->turning, 0);
  memmove(&run->turning.items[i + 1], &run->turning.items[i],
          (run->turning.count - 1 - i) * sizeof *run->turning.items);
  run->turning.items[i] = depth;
}

/* In each run that begins alike the race is to be reversed again. */
static void keep_turning(struct optimal_run *run, const struct found *found) {
  if (found->later + 1 >= run->way.nodes.count) return;
  struct wakeup_node *node = run->way.nodes.items[found->later + 1];
  node->turning = memory_resize(node->turning, (node->n_turning + 1) * sizeof *node->turning);
  node->turning[node->n_turning++] = found->race;
  note_turning(run, node->depth);
}

static void begin_insertion(const struct optimal *self, const struct optimal_run *run, struct insertion *insertion,
                            const struct found *found) {
  insertion->values = run_values(run);
  insertion->path = run->path;
  insertion->is_unsure = found->race.is_unsure;
  insertion->is_cut_short = run->is_cut_short;
  insertion->is_last_run = true;
  insertion->epoch = self->tree.epoch;
  list_moved(self, run, insertion, found->race.earlier);
}

/* To the right of the step that the run took. False: other runs that begin alike may need another place for it. */
static bool insert(struct optimal *self, struct optimal_run *run, const struct found *found,
                   struct reversal_steps *reversal) {
  struct insertion *insertion = &run->insertion;
  struct wakeup_node *const *way = &run->way.nodes.items[found->race.earlier];
  const size_t before = bring_forward(self, found, reversal);
  begin_insertion(self, run, insertion, found);
  list_rest(self, run, insertion, found, reversal, before);
  insertion->n_needed = before + 1;
  insertion->is_settled = true;
  struct wakeup_node *guess = insertion_add(insertion, &self->tree, self->inputs, way[0], way[1]);
  if (!guess) return insertion->is_settled;
  list_rest(self, run, insertion, found, reversal, before);
  insertion_defer(insertion, &self->tree, guess, way[0], way[1]->id);
  return false;
}

/* Has a run that began alike reversed the race with all these steps, and perhaps others, which commute with the last?
 * A run that is made for other inputs may decide in another way. */
static bool is_as_before(const struct optimal *self, const struct optimal_run *run, const struct found *found,
                         const struct reversal_steps *reversal) {
  if (!found->is_again || found->race.is_unsure || self->has_cut || self->has_decisions || self->tree.epoch > 0)
    return false;
  return reversal->count == 0 || reversal->steps[reversal->count - 1] < run->new_from;
}

/* False: it is to be reversed again in each run that begins alike. Once steps have been added to the tree, all are. */
static bool settle_race(struct optimal *self, struct optimal_run *run, const struct found *found,
                        const struct event *event) {
  const struct wakeup_node *taken = run->way.nodes.items[found->race.earlier + 1];
  struct reversal_steps reversal;
  if (!order_reverse(self->order, &found->race, found->later, event, &reversal)) return true;
  /* In its new place it may touch something else. What other runs do before it, and what commutes with it here, may
   * not commute with it there. It may even commute with the earlier step of the race: then what is explored after that
   * step covers it. */
  const bool turns = !events_touch_the_same(&reversal.last, event);
  if (!turns && is_as_before(self, run, found, &reversal)) return false;
  const enum cover cover = find_cover(self, run, found, turns ? taken->next : taken, &reversal);
  const bool is_settled = cover ? cover == COVERED_ALWAYS : insert(self, run, found, &reversal);
  return is_settled && !turns && !found->race.is_unsure && self->tree.epoch == 0;
}

void optimal_reverse_race(struct optimal *self, struct optimal_run *run, const struct found *found,
                          const struct event *event) {
  if (!settle_race(self, run, found, event) && !found->is_again) keep_turning(run, found);
}

void optimal_go_to_again(struct optimal *self, struct optimal_run *run, const struct wakeup_node *node) {
  order_pop(self->order, 0);
  begin_order(self, run);
  for (uint32_t depth = 1; depth <= node->depth; depth++) {
    optimal_push_node(self, run->way.nodes.items[depth]);
    optimal_note_races(self, run, depth - 1, false, true);
  }
}

void optimal_reverse_races(struct optimal *self, struct optimal_run *run) {
  for (size_t i = 0; i < run->found.count && !deadline_is_over(self->deadline); i++) {
    const struct found *found = &run->found.items[i];
    optimal_reverse_race(self, run, found, order_event(self->order, found->later));
  }
}

void optimal_reverse_again(struct optimal *self, struct optimal_run *run, const struct wakeup_node *node) {
  for (size_t k = 0; k < run->turning.count && run->turning.items[k] <= node->depth; k++) {
    const uint32_t depth = run->turning.items[k];
    const struct wakeup_node *later = run->way.nodes.items[depth];
    for (uint32_t i = 0; i < later->n_turning; i++)
      optimal_reverse_race(self, run, &(struct found){later->turning[i], depth - 1, true}, &later->event);
  }
}
