/* SPDX-License-Identifier: MIT
 *
 * The written form of the tree of strategy `optimal`, for programs without inputs: all nodes, each before its children
 * and those from left to right; then the insertions that wait for a guess. What is counted on the way from the top
 * follows from which leaves wait and which are under way. Ids are given anew: they only tell nodes apart.
 */
#include "explore/dpor/wakeup.h"

#include "base/error.h"
#include "base/number_map.h"
#include "explore/dpor/insertion.h"

#include <stdlib.h>

enum written_leaf { LEAF_NONE, LEAF_WAITS, LEAF_UNDER_WAY };

typedef VECTOR(struct wakeup_node *) node_list;

/* In the order in which they are written; NULL after the last. */
static struct wakeup_node *next_node(struct wakeup_node *node) {
  if (node->first) return node->first;
  while (node && !node->next) node = node->parent;
  return node ? node->next : NULL;
}

/* ---- writing ---- */

static uint32_t count_children(const struct wakeup_node *node) {
  uint32_t count = 0;
  for (const struct wakeup_node *child = node->first; child; child = child->next) count++;
  return count;
}

/* A node without children has no work but its own. */
static enum written_leaf leaf_of(const struct wakeup_node *node) {
  if (!node->is_leaf) return LEAF_NONE;
  uint32_t below = 0;
  for (const struct wakeup_node *child = node->first; child; child = child->next) below += child->waiting > 0;
  return node->waiting > below ? LEAF_WAITS : LEAF_UNDER_WAY;
}

static void write_lists(const struct wakeup_node *node, struct text *state) {
  written_add_number(state, node->n_sleep);
  for (uint32_t i = 0; i < node->n_sleep; i++) {
    BUG_ON(node->sleep[i].decided);
    written_add_bytes(state, &node->sleep[i].event, sizeof node->sleep[i].event);
  }
  written_add_number(state, node->n_more);
  written_add_bytes(state, node->more, node->n_more * sizeof *node->more);
  written_add_number(state, node->n_words);
  written_add_bytes(state, node->words, node->n_words * sizeof *node->words);
  written_add_number(state, node->n_turning);
  for (uint32_t i = 0; i < node->n_turning; i++) {
    written_add_number(state, node->turning[i].earlier);
    written_add_number(state, node->turning[i].is_unsure);
  }
}

static void write_node(const struct wakeup_node *node, struct text *state) {
  BUG_ON(node->decided || node->sides || node->values);
  const bool has_lists = node->n_sleep || node->n_more || node->n_words || node->n_turning;
  const bool flags[] = {node->was_reached, node->is_unsure, node->is_void, node->is_guess, node->is_whole, has_lists};
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof flags; i++) number |= (uint64_t)flags[i] << i;
  written_add_number(state, count_children(node));
  written_add_number(state, number);
  written_add_number(state, leaf_of(node));
  written_add_bytes(state, &node->event, sizeof node->event);
  if (has_lists) write_lists(node, state);
}

/* Where children with nothing to do end: the place of `first_live` among them, from 1; 0: not known. */
static void write_first_live(const struct wakeup_node *node, struct text *state) {
  uint32_t place = 0;
  for (const struct wakeup_node *child = node->first_live ? node->first : NULL; child; child = child->next) {
    place++;
    if (child == node->first_live) break;
  }
  written_add_number(state, place);
}

void wakeup_write(const struct wakeup *tree, struct wakeup_node *const *leaves, size_t n_leaves, struct text *state) {
  NUMBER_MAP(uint32_t) numbers = {0};
  uint32_t count = 0, n_guesses = 0;
  for (struct wakeup_node *node = tree->top; node; node = next_node(node)) {
    *number_map_add(&numbers, (uintptr_t)node) = count++;
    n_guesses += node->deferred != NULL;
    write_node(node, state);
  }
  for (struct wakeup_node *node = tree->top; node; node = next_node(node))
    if (node->first) write_first_live(node, state);
  written_add_number(state, n_guesses);
  for (struct wakeup_node *node = tree->top; node; node = next_node(node)) {
    if (!node->deferred) continue;
    written_add_number(state, *number_map_find(&numbers, (uintptr_t)node));
    insertion_write_deferred(node, state);
  }
  for (size_t i = 0; i < n_leaves; i++) written_add_number(state, *number_map_find(&numbers, (uintptr_t)leaves[i]));
  number_map_free(&numbers);
}

/* ---- reading ---- */

static bool read_sleep(struct wakeup_node *node, struct written *state) {
  const size_t count = written_take_count(state, sizeof(struct event));
  if (count == 0) return !state->failed;
  node->sleep = memory_allocate(count * sizeof *node->sleep);
  node->n_sleep = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    written_take_bytes(state, &node->sleep[i].event, sizeof node->sleep[i].event);
    if (!sleeper_is_sound(&node->sleep[i].event)) return written_refuse(state);
  }
  return true;
}

/* Races with steps before this one. */
static bool read_turning(struct wakeup_node *node, struct written *state) {
  const size_t count = written_take_count(state, 2);
  const uint32_t n_before = node->parent && node->depth > 0 ? node->depth - 1 : 0;
  if (count == 0) return !state->failed;
  node->turning = memory_allocate(count * sizeof *node->turning);
  node->n_turning = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    node->turning[i].earlier = (uint32_t)written_take_below(state, n_before);
    node->turning[i].is_unsure = written_take_bool(state);
  }
  return !state->failed;
}

static bool read_more(struct wakeup_node *node, struct written *state) {
  const size_t count = written_take_count(state, sizeof *node->more);
  if (count == 0) return !state->failed;
  size_t room = 1; /* the next power of 2, as optimal.c expects where it adds to them */
  while (room < count) room *= 2;
  node->more = memory_allocate(room * sizeof *node->more);
  node->n_more = (uint32_t)count;
  written_take_bytes(state, node->more, count * sizeof *node->more);
  for (size_t i = 0; i < count; i++)
    if (!sleeper_is_sound(&node->more[i])) return written_refuse(state);
  return true;
}

static bool read_words(struct wakeup_node *node, struct written *state) {
  const size_t count = written_take_count(state, sizeof *node->words);
  if (count == 0) return !state->failed;
  if (count > HEDDLE_MAX_THREADS / 64u) return written_refuse(state);
  node->words = memory_allocate(count * sizeof *node->words);
  node->n_words = (uint16_t)count;
  return written_take_bytes(state, node->words, count * sizeof *node->words);
}

/* Before the first step nobody has moved. */
static bool event_is_sound(const struct wakeup_node *node) {
  const bool is_step = node->parent && node->depth > 0;
  return is_step ? sleeper_is_sound(&node->event) : node->event.thread == NO_THREAD && node->event.kind == EVENT_NONE;
}

static bool read_node(struct wakeup *tree, struct wakeup_node *node, struct written *state, size_t *n_children) {
  *n_children = written_take_count(state, sizeof node->event);
  const uint64_t flags = written_take_below(state, 1u << 6);
  const enum written_leaf leaf = written_take_below(state, LEAF_UNDER_WAY + 1);
  written_take_bytes(state, &node->event, sizeof node->event);
  node->was_reached |= flags & 1;
  node->is_unsure = flags >> 1 & 1;
  node->is_void = flags >> 2 & 1;
  node->is_guess = flags >> 3 & 1;
  node->is_whole = flags >> 4 & 1;
  if (state->failed || !event_is_sound(node)) return written_refuse(state);
  if (!node->parent && (leaf || flags)) return written_refuse(state); /* the top is nothing but that */
  if (leaf) wakeup_add_leaf(tree, node, NULL);
  if (leaf == LEAF_UNDER_WAY) wakeup_take_leaf(tree, node);
  if (!(flags >> 5)) return true;
  return read_sleep(node, state) && read_more(node, state) && read_words(node, state) && read_turning(node, state);
}

/* The top is one level above depth 0. */
static size_t level_of(const struct wakeup_node *node) {
  return (uint32_t)(node->depth + 1);
}

static bool read_nodes(struct wakeup *tree, struct written *state, uint32_t max_steps, node_list *all) {
  VECTOR(size_t) missing = {0}; /* by level: children that are still to be read */
  struct wakeup_node *node = tree->top;
  size_t n_children;
  for (bool good = read_node(tree, node, state, &n_children); good;) {
    vector_push(all, node);
    vector_push(&missing, n_children);
    while (node && missing.items[level_of(node)] == 0) {
      node = node->parent;
      missing.count--;
    }
    if (!node) break;
    missing.items[level_of(node)]--;
    node = wakeup_add(tree, node, &(struct event){.thread = NO_THREAD});
    good = node->depth <= max_steps ? read_node(tree, node, state, &n_children) : written_refuse(state);
  }
  vector_free(&missing);
  return !state->failed;
}

/* All children to the left of it are done. */
static bool read_first_live(struct wakeup_node *node, struct written *state) {
  uint64_t place = written_take_number(state);
  struct wakeup_node *child = node->first;
  if (place == 0) return !state->failed;
  for (; child && --place > 0; child = child->next)
    if (child->live > 0) return written_refuse(state);
  node->first_live = child;
  return child || written_refuse(state);
}

static bool read_guesses(struct written *state, const node_list *all) {
  for (size_t left = written_take_count(state, 2); left > 0 && !state->failed; left--) {
    struct wakeup_node *node = all->items[written_take_below(state, all->count)];
    if (!node->is_guess || node->deferred || !insertion_read_deferred(node, state)) return written_refuse(state);
  }
  return !state->failed;
}

/* Is the run of the node under way? */
static bool is_under_way(const struct wakeup_node *node) {
  return leaf_of(node) == LEAF_UNDER_WAY;
}

static bool read_leaves(struct written *state, const node_list *all, struct wakeup_node **leaves, size_t n_leaves) {
  size_t n_under_way = 0;
  for (size_t i = 0; i < all->count; i++) n_under_way += is_under_way(all->items[i]);
  for (size_t i = 0; i < n_leaves; i++) {
    leaves[i] = all->items[written_take_below(state, all->count)];
    for (size_t k = 0; k < i; k++)
      if (leaves[k] == leaves[i]) return written_refuse(state);
    if (!is_under_way(leaves[i])) return written_refuse(state);
  }
  return n_under_way == n_leaves;
}

bool wakeup_read(struct wakeup *tree, struct written *state, uint32_t max_steps, struct wakeup_node **leaves,
                 size_t n_leaves) {
  node_list all = {0};
  bool good = read_nodes(tree, state, max_steps, &all);
  for (size_t i = 0; good && i < all.count; i++)
    if (all.items[i]->first) good = read_first_live(all.items[i], state);
  good = good && read_guesses(state, &all) && read_leaves(state, &all, leaves, n_leaves);
  vector_free(&all);
  return good && !state->failed;
}
