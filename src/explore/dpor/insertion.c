/* SPDX-License-Identifier: MIT
 *
 * Insertions into the tree of strategy `optimal` (insertion.h).
 */
#include "explore/dpor/insertion.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Waits for the run that reaches a guess. */
struct deferred {
  struct deferred *next;
  struct insertion insertion;
  struct wakeup_node *node;
  uint64_t sibling; /* id */
};

void insertion_free(struct insertion *insertion) {
  vector_free(&insertion->steps);
  vector_free(&insertion->moved);
  vector_free(&insertion->sleep);
}

/* ---- what is asleep ---- */

bool insertion_stands_for_all(const struct wakeup_node *node) {
  return node->is_whole || (node->is_leaf && !node->was_reached && !node->is_guess);
}

struct event insertion_whatever_decided(const struct wakeup_node *node) {
  struct event event = node->event;
  if (node->decided && event_is_exchange(&event)) event.kind = kind_attempted(event.kind);
  return event;
}

void sleepers_add_left_of(sleeper_list *list, const struct wakeup_node *node, const struct wakeup_node *child) {
  for (const struct wakeup_node *left = node->first; left != child; left = left->next)
    if (!left->is_void)
      vector_push(list, ((struct sleeper){insertion_whatever_decided(left),
                                          insertion_stands_for_all(left) ? NULL : left->decided}));
}

void sleepers_pass(sleeper_list *list, const struct event *step) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    struct sleeper *sleeping = &list->items[i];
    if (sleeping->event.thread == step->thread || events_depend(&sleeping->event, step)) continue;
    event_pass(&sleeping->event, step);
    if (kept < i) list->items[kept] = *sleeping;
    kept++;
  }
  list->count = kept;
}

/* ---- the steps ---- */

static bool is_unknown(const struct insertion *insertion, thread_id thread) {
  if (!insertion->is_cut_short) return false;
  const size_t word = thread / 64u;
  return word >= insertion->moved.count || !(insertion->moved.items[word] >> (thread % 64u) & 1);
}

/* Can the step be moved in front of the others? *place: the one that shows it, its thread's own or one that is in its
 * way; their number if there is none. */
static bool is_weak_initial(const struct insertion *insertion, const struct event *event, size_t *place) {
  const struct event *moved = event;
  struct event changed;
  for (size_t i = 0; i < insertion->steps.count; i++) {
    const struct event *step = &insertion->steps.items[i].event;
    *place = i;
    if (step->thread == moved->thread)
      return step->alternative == moved->alternative || i + 1 == insertion->steps.count;
    if (events_depend(moved, step)) return false;
    if (!event_is_changed_by(moved, step)) continue;
    changed = *moved;
    event_pass(&changed, step);
    moved = &changed;
  }
  *place = insertion->steps.count;
  return !is_unknown(insertion, event->thread);
}

/* The same for the step to a child, which the inputs of the run make decide as it did (`holds`) or not. */
static bool is_weak_initial_child(const struct insertion *insertion, const struct wakeup_node *child, bool holds,
                                  size_t *place) {
  if (holds) return is_weak_initial(insertion, &child->event, place);
  const struct event event = insertion_whatever_decided(child);
  return is_weak_initial(insertion, &event, place);
}

/* Leaves what follows the step. */
static void take_step(struct insertion *insertion, const struct event *event) {
  size_t i = 0;
  while (i < insertion->steps.count && insertion->steps.items[i].event.thread != event->thread) i++;
  if (i == insertion->steps.count) {
    for (i = 0; i < insertion->steps.count; i++) event_pass(&insertion->steps.items[i].event, event);
    return;
  }
  insertion->steps.count--;
  if (i < insertion->n_needed) insertion->n_needed--;
  memmove(&insertion->steps.items[i], &insertion->steps.items[i + 1],
          (insertion->steps.count - i) * sizeof insertion->steps.items[i]);
}

/* The step to the child, which the inputs of the run make decide in another way, comes before the others. */
static void put_in_front(struct insertion *insertion, const struct wakeup_node *child) {
  take_step(insertion, &child->event);
  vector_push(&insertion->steps, (struct planned){0});
  memmove(&insertion->steps.items[1], &insertion->steps.items[0],
          (insertion->steps.count - 1) * sizeof insertion->steps.items[0]);
  insertion->steps.items[0] = (struct planned){child->event, NULL, false};
}

static bool has_step_of(const struct insertion *insertion, thread_id thread) {
  for (size_t i = 0; i < insertion->steps.count; i++)
    if (insertion->steps.items[i].event.thread == thread) return true;
  return false;
}

/* ---- adding ---- */

/* Would the inputs of the run decide this way? */
static bool fits(const struct insertion *insertion, struct inputs *inputs, const struct decided *decided) {
  if (insertion->is_last_run) return decided_holds(decided, inputs, insertion->path);
  return !decided || inputs_satisfy(inputs, insertion->values, decided->constraints, decided->count);
}

/* The steps become a branch that ends as soon as nothing is asleep: all that can follow is explored from there. */
static void add_branch(struct insertion *insertion, struct wakeup *tree, struct wakeup_node *node) {
  size_t i = 0;
  sleepers_add_left_of(&insertion->sleep, node, NULL);
  do {
    const struct planned *planned = &insertion->steps.items[i++];
    sleepers_pass(&insertion->sleep, &planned->event);
    node = wakeup_add(tree, node, &planned->event);
    node->decided = decided_own(planned->decided);
    node->is_guess = planned->is_guess;
    if (tree->epoch > 0) node->epoch = insertion->epoch;
  } while (i < insertion->steps.count && (insertion->sleep.count > 0 || insertion->is_unsure));
  node->is_unsure = insertion->is_unsure;
  node->is_guess |= insertion->is_unsure || insertion->sleep.count > 0;
  wakeup_add_leaf(tree, node, insertion->values);
}

/* A child to the left of another that still waits for the run that shows what it is. */
static struct wakeup_node *find_guess(const struct wakeup_node *node, const struct wakeup_node *end) {
  struct wakeup_node *child = node->first;
  while (child != end && !child->is_guess) child = child->next;
  return child == end ? NULL : child;
}

/* The step to the node stands for those after it that were none in the epoch of the insertion. */
static struct wakeup_node *pass_newer(struct insertion *insertion, const struct wakeup *tree,
                                      struct wakeup_node *node) {
  while (tree->epoch > 0 && node->first && node->first->since > insertion->epoch) {
    node = node->first;
    sleepers_pass(&insertion->sleep, &node->event);
  }
  return node;
}

/* The step at `place` shows whether the way of the insertion leads to the child. Other runs may have others in place of
 * those that are not needed for the last, and so another way. */
static void look_at_way(struct insertion *insertion, const struct wakeup_node *child, size_t place) {
  if (insertion->n_needed > 0 && (place >= insertion->n_needed || child->decided)) insertion->is_settled = false;
}

/* The same at the child `first` or to the right of it. */
static struct wakeup_node *add_from(struct insertion *insertion, struct wakeup *tree, struct inputs *inputs,
                                    struct wakeup_node *node, struct wakeup_node *first) {
  struct wakeup_node *child = first, *aside = NULL;
  insertion->sleep.count = 0;
  for (uint32_t i = 0; i < node->n_sleep; i++) vector_push(&insertion->sleep, node->sleep[i]);
  while (child) {
    if (child->is_guess) return child;
    if (child->is_void) {
      child = child->next;
      continue;
    }
    const bool holds = fits(insertion, inputs, child->decided);
    size_t place;
    const bool is_first = is_weak_initial_child(insertion, child, holds, &place);
    look_at_way(insertion, child, place);
    if (!is_first) {
      child = child->next;
      continue;
    }
    if (insertion_stands_for_all(child)) return NULL;
    if (!holds) {
      if (!has_step_of(insertion, child->event.thread)) aside = child;
      child = child->next;
      continue;
    }
    take_step(insertion, &child->event);
    if (insertion->steps.count == 0 || child->event.kind == EVENT_RUN_END) return NULL;
    if (tree->epoch > 0 && child->epoch < insertion->epoch) return child;
    sleepers_add_left_of(&insertion->sleep, node, child);
    sleepers_pass(&insertion->sleep, &child->event);
    node = pass_newer(insertion, tree, child);
    child = node->first;
    aside = NULL;
  }
  if (aside) put_in_front(insertion, aside);
  add_branch(insertion, tree, node);
  return NULL;
}

struct wakeup_node *insertion_add(struct insertion *insertion, struct wakeup *tree, struct inputs *inputs,
                                  struct wakeup_node *node, struct wakeup_node *sibling) {
  struct wakeup_node *guess = find_guess(node, sibling->next);
  return guess ? guess : add_from(insertion, tree, inputs, node, sibling->next);
}

/* ---- waiting ---- */

void insertion_defer(const struct insertion *insertion, struct wakeup *tree, struct wakeup_node *guess,
                     struct wakeup_node *node, uint64_t sibling) {
  struct deferred *deferred = memory_allocate(sizeof *deferred), **last = &guess->deferred;
  while (*last) last = &(*last)->next;
  *last = deferred;
  deferred->node = node;
  deferred->sibling = sibling;
  deferred->insertion = (struct insertion){.values = values_hold(insertion->values),
                                           .is_unsure = insertion->is_unsure,
                                           .is_cut_short = insertion->is_cut_short,
                                           .epoch = insertion->epoch};
  struct insertion *copy = &deferred->insertion;
  for (size_t i = 0; i < insertion->steps.count; i++) {
    vector_push(&copy->steps, insertion->steps.items[i]);
    decided_hold(insertion->steps.items[i].decided);
  }
  for (size_t i = 0; i < insertion->moved.count; i++) vector_push(&copy->moved, insertion->moved.items[i]);
  if (!guess->is_guess) wakeup_await(tree, guess);
}

static void free_deferred(struct deferred *deferred) {
  for (size_t i = 0; i < deferred->insertion.steps.count; i++)
    decided_release(deferred->insertion.steps.items[i].decided);
  values_release(deferred->insertion.values);
  insertion_free(&deferred->insertion);
  free(deferred);
}

void insertion_move_deferred(struct wakeup_node *node, const struct wakeup_node *from, struct wakeup_node *to) {
  for (struct deferred *deferred = node->deferred; deferred; deferred = deferred->next)
    if (deferred->node == from) deferred->node = to;
}

void insertion_drop_deferred(struct wakeup_node *guess) {
  while (guess->deferred) {
    struct deferred *deferred = guess->deferred;
    guess->deferred = deferred->next;
    free_deferred(deferred);
  }
}

/* The sibling, if it is at `child` or to the right of it. One that has been forgotten was to the left. */
static struct wakeup_node *find_sibling(struct wakeup_node *child, uint64_t id) {
  while (child && child->id != id) child = child->next;
  return child;
}

/* Does one to the left, now that it is known what it is, make it needless? */
static bool is_covered(const struct insertion *insertion, struct inputs *inputs, const struct wakeup_node *node,
                       const struct wakeup_node *sibling) {
  for (const struct wakeup_node *child = node->first; child != sibling; child = child->next) {
    const struct decided *decided = insertion_stands_for_all(child) ? NULL : child->decided;
    size_t place;
    if (!child->is_void && is_weak_initial_child(insertion, child, fits(insertion, inputs, child->decided), &place) &&
        fits(insertion, inputs, decided))
      return true;
  }
  return false;
}

static void try_again(struct wakeup *tree, struct inputs *inputs, const struct deferred *deferred,
                      struct wakeup_node *known) {
  const struct insertion *insertion = &deferred->insertion;
  while (known->parent != deferred->node) known = known->parent;
  struct wakeup_node *sibling = find_sibling(known, deferred->sibling);
  if (sibling && is_covered(insertion, inputs, deferred->node, sibling)) return;
  struct insertion work = {.values = insertion->values,
                           .is_unsure = insertion->is_unsure,
                           .is_cut_short = insertion->is_cut_short,
                           .epoch = insertion->epoch};
  for (size_t i = 0; i < insertion->steps.count; i++) vector_push(&work.steps, insertion->steps.items[i]);
  for (size_t i = 0; i < insertion->moved.count; i++) vector_push(&work.moved, insertion->moved.items[i]);
  struct wakeup_node *guess = sibling ? insertion_add(&work, tree, inputs, deferred->node, sibling)
                                      : add_from(&work, tree, inputs, deferred->node, known);
  if (guess) insertion_defer(insertion, tree, guess, deferred->node, deferred->sibling);
  insertion_free(&work);
}

void insertion_resume(struct wakeup *tree, struct inputs *inputs, struct wakeup_node *guess) {
  guess->is_guess = false;
  while (guess->deferred) {
    struct deferred *deferred = guess->deferred;
    guess->deferred = deferred->next;
    try_again(tree, inputs, deferred, guess);
    free_deferred(deferred);
  }
}

/* ---- the written form: the node by how far it is above the guess, the sibling by its place among the children ---- */

static uint32_t levels_between(const struct wakeup_node *guess, const struct wakeup_node *node) {
  uint32_t levels = 0;
  for (; guess != node; guess = guess->parent) levels++;
  return levels;
}

/* From 1; 0: it was forgotten. */
static uint32_t place_of(const struct wakeup_node *node, uint64_t id) {
  uint32_t place = 1;
  for (const struct wakeup_node *child = node->first; child; child = child->next, place++)
    if (child->id == id) return place;
  return 0;
}

static void write_deferred(const struct wakeup_node *guess, const struct deferred *deferred, struct text *state) {
  const struct insertion *insertion = &deferred->insertion;
  BUG_ON(insertion->values);
  written_add_number(state, levels_between(guess, deferred->node));
  written_add_number(state, place_of(deferred->node, deferred->sibling));
  written_add_number(state, insertion->is_unsure);
  written_add_number(state, insertion->is_cut_short);
  written_add_number(state, insertion->steps.count);
  for (size_t i = 0; i < insertion->steps.count; i++) {
    BUG_ON(insertion->steps.items[i].decided);
    written_add_number(state, insertion->steps.items[i].is_guess);
    written_add_bytes(state, &insertion->steps.items[i].event, sizeof(struct event));
  }
  written_add_number(state, insertion->moved.count);
  for (size_t i = 0; i < insertion->moved.count; i++) written_add_number(state, insertion->moved.items[i]);
}

void insertion_write_deferred(const struct wakeup_node *guess, struct text *state) {
  uint32_t count = 0;
  for (const struct deferred *deferred = guess->deferred; deferred; deferred = deferred->next) count++;
  written_add_number(state, count);
  for (const struct deferred *deferred = guess->deferred; deferred; deferred = deferred->next)
    write_deferred(guess, deferred, state);
}

static struct wakeup_node *read_above(struct wakeup_node *guess, struct written *state) {
  uint64_t levels = written_take_number(state);
  if (levels == 0) return NULL;
  while (guess && levels-- > 0) guess = guess->parent;
  return guess;
}

static uint64_t read_sibling(const struct wakeup_node *node, struct written *state) {
  uint64_t place = written_take_number(state);
  if (place == 0) return 0;
  const struct wakeup_node *child = node->first;
  while (child && --place > 0) child = child->next;
  if (!child) written_refuse(state);
  return child ? child->id : 0;
}

static bool read_steps(struct insertion *insertion, struct written *state) {
  for (size_t left = written_take_count(state, sizeof(struct event)); left > 0; left--) {
    struct planned planned = {.is_guess = written_take_bool(state)};
    written_take_bytes(state, &planned.event, sizeof planned.event);
    if (state->failed || !sleeper_is_sound(&planned.event)) return written_refuse(state);
    vector_push(&insertion->steps, planned);
  }
  for (size_t left = written_take_count(state, 1); left > 0; left--)
    vector_push(&insertion->moved, written_take_number(state));
  return insertion->steps.count > 0 && !state->failed;
}

static bool read_deferred(struct wakeup_node *guess, struct deferred *deferred, struct written *state) {
  deferred->node = read_above(guess, state);
  if (!deferred->node || !deferred->node->parent) return written_refuse(state);
  deferred->sibling = read_sibling(deferred->node, state);
  deferred->insertion.is_unsure = written_take_bool(state);
  deferred->insertion.is_cut_short = written_take_bool(state);
  return read_steps(&deferred->insertion, state) || written_refuse(state);
}

bool insertion_read_deferred(struct wakeup_node *guess, struct written *state) {
  struct deferred **last = &guess->deferred;
  for (size_t left = written_take_count(state, 1); left > 0 && !state->failed; left--, last = &(*last)->next) {
    *last = memory_allocate(sizeof **last);
    if (!read_deferred(guess, *last, state)) return false;
  }
  return guess->deferred && !state->failed;
}
