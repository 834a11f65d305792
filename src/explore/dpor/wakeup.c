/* SPDX-License-Identifier: MIT
 *
 * Nodes come from slabs that are given back with the tree, and a list of unused ones.
 */
#include "explore/dpor/wakeup.h"

#include "base/error.h"
#include "explore/dpor/insertion.h"

#include <stdlib.h>
#include <string.h>

#define SLAB_NODES 512
#define CACHE_LINE 64

struct slab {
  struct slab *next;
  char room[SLAB_NODES * sizeof(struct wakeup_node) + CACHE_LINE]; /* nodes begin with a line of the cache */
};

static void add_slab(struct wakeup *tree) {
  struct slab *slab = memory_allocate(sizeof *slab);
  slab->next = tree->slabs;
  tree->slabs = slab;
  struct wakeup_node *nodes = (struct wakeup_node *)(slab->room + CACHE_LINE - (uintptr_t)slab->room % CACHE_LINE);
  for (size_t i = 0; i < SLAB_NODES; i++) vector_push(&tree->unused, &nodes[i]);
}

static struct wakeup_node *new_node(struct wakeup *tree, const struct event *event) {
  if (tree->unused.count == 0) add_slab(tree);
  struct wakeup_node *node = tree->unused.items[--tree->unused.count];
  *node = (struct wakeup_node){.event = *event, .id = ++tree->n_nodes};
  return node;
}

void wakeup_init(struct wakeup *tree) {
  *tree = (struct wakeup){0};
  tree->top = new_node(tree, &(struct event){.thread = NO_THREAD});
  tree->top->depth = UINT32_MAX;
  tree->frontier = tree->top;
}

static struct wakeup_node *new_child(struct wakeup *tree, struct wakeup_node *parent, const struct event *event) {
  struct wakeup_node *node = new_node(tree, event);
  node->parent = parent;
  node->depth = parent->depth + 1;
  node->was_reached = node->depth == 0;
  node->epoch = tree->epoch;
  return node;
}

struct wakeup_node *wakeup_add(struct wakeup *tree, struct wakeup_node *parent, const struct event *event) {
  struct wakeup_node *node = new_child(tree, parent, event);
  if (parent->last)
    parent->last->next = node;
  else
    parent->first = node;
  parent->last = node;
  return node;
}

struct wakeup_node *wakeup_add_right(struct wakeup *tree, struct wakeup_node *node, const struct event *event) {
  struct wakeup_node *sibling = new_child(tree, node->parent, event);
  sibling->next = node->next;
  node->next = sibling;
  if (node->parent->last == node) node->parent->last = sibling;
  return sibling;
}

/* As the node has work, it is not to the left of the first that has. */
struct wakeup_node *wakeup_add_left(struct wakeup *tree, struct wakeup_node *node, const struct event *event) {
  struct wakeup_node *parent = node->parent, *sibling = new_child(tree, parent, event);
  sibling->next = node;
  if (parent->first == node) {
    parent->first = sibling;
  } else {
    struct wakeup_node *left = parent->first;
    while (left->next != node) left = left->next;
    left->next = sibling;
  }
  if (parent->first_live == node) parent->first_live = sibling;
  tree->frontier = tree->top; /* the sibling may be to the left of it */
  return sibling;
}

/* ---- forgetting ---- */

static void free_sides(struct wakeup_node *node) {
  while (node->sides) {
    struct open_sides *sides = node->sides;
    node->sides = sides->next;
    free(sides);
  }
}

/* All that is not needed where only the step counts. */
static void free_contents(struct wakeup_node *node) {
  const bool has_lists = node->sleep || node->more || node->turning || node->words;
  if (!has_lists && !node->sides && !node->deferred && !node->values) return;
  for (uint32_t i = 0; i < node->n_sleep; i++) decided_release(node->sleep[i].decided);
  free(node->sleep);
  free(node->more);
  free(node->turning);
  free(node->words);
  free_sides(node);
  insertion_drop_deferred(node);
  values_release(node->values);
  node->sleep = NULL;
  node->more = NULL;
  node->turning = NULL;
  node->words = NULL;
  node->values = NULL;
  node->n_sleep = node->n_more = node->n_words = node->n_turning = 0;
}

static void put_back(struct wakeup *tree, struct wakeup_node *node) {
  free_contents(node);
  decided_release(node->decided);
  vector_push(&tree->unused, node);
}

static struct wakeup_node *deepest_first(struct wakeup_node *node) {
  while (node->first) node = node->first;
  return node;
}

/* Everything below the node; without recursion, as trees may be deep. */
static void free_below(struct wakeup *tree, struct wakeup_node *top) {
  for (struct wakeup_node *node = deepest_first(top); node != top;) {
    struct wakeup_node *parent = node->parent, *sibling = node->next;
    put_back(tree, node);
    node = sibling ? deepest_first(sibling) : parent;
    if (node == parent) parent->first = NULL;
  }
  top->first = top->last = top->first_live = NULL;
}

void wakeup_free(struct wakeup *tree) {
  free_below(tree, tree->top);
  vector_free(&tree->unused);
  vector_free(&tree->awaited);
  while (tree->slabs) {
    struct slab *slab = tree->slabs;
    tree->slabs = slab->next;
    free(slab);
  }
}

/* Does a sibling to the left stand for all that the node stands for? *left: its neighbour. */
static bool has_stand_in(const struct wakeup_node *node, struct wakeup_node **left) {
  bool found = false;
  if (!node->is_whole && node->event.kind != EVENT_RUN_END) return false;
  for (struct wakeup_node *other = node->parent->first; other != node; other = other->next) {
    *left = other;
    found |= other->is_whole == node->is_whole && other->event.kind == node->event.kind &&
             other->event.thread == node->event.thread && other->event.alternative == node->event.alternative;
  }
  return found;
}

/* What is below a node that is done goes, and the node itself if only its decisions make it different from a sibling.
 */
static void forget_node(struct wakeup *tree, struct wakeup_node *node) {
  struct wakeup_node *left = NULL, *parent = node->parent;
  free_below(tree, node);
  free_contents(node);
  if (!has_stand_in(node, &left)) return;
  left->next = node->next;
  if (parent->last == node) parent->last = left;
  if (parent->first_live == node) parent->first_live = left;
  put_back(tree, node);
}

/* The first child that is not done; those before it are forgotten. */
static struct wakeup_node *first_with_work(struct wakeup *tree, struct wakeup_node *node) {
  struct wakeup_node *child = node->first_live ? node->first_live : node->first;
  while (child && child->live == 0) {
    struct wakeup_node *next = child->next;
    if (next) node->first_live = next;
    forget_node(tree, child);
    child = next;
  }
  return child;
}

/* Where everything to the left is done, what is done can go. */
static void forget(struct wakeup *tree) {
  struct wakeup_node *node = tree->frontier, *child;
  while (node->live == 0 && node->parent) node = node->parent;
  for (; (child = first_with_work(tree, node)); node = child) node->first_live = child;
  tree->frontier = node;
}

/* ---- leaves ---- */

/* A node counts its own work and its children that have some: mostly those above it have some anyway. */
static void begin_waiting(struct wakeup *tree, struct wakeup_node *node) {
  tree->n_waiting++;
  while (node && node->waiting++ == 0) node = node->parent;
}

static void end_waiting(struct wakeup *tree, struct wakeup_node *node) {
  tree->n_waiting--;
  while (node && --node->waiting == 0) node = node->parent;
}

static void begin_life(struct wakeup_node *node) {
  while (node && node->live++ == 0) node = node->parent;
}

static void end_life(struct wakeup_node *node) {
  while (node && --node->live == 0) node = node->parent;
}

void wakeup_add_leaf(struct wakeup *tree, struct wakeup_node *node, struct values *values) {
  node->is_leaf = true;
  node->values = values_hold(values);
  begin_waiting(tree, node);
  begin_life(node);
}

void wakeup_add_sides(struct wakeup *tree, struct wakeup_node *node, const struct sides *sides, uint32_t before) {
  struct open_sides *open = memory_allocate(sizeof *open);
  *open = (struct open_sides){node->sides, *sides, before};
  node->sides = open;
  begin_waiting(tree, node);
  begin_life(node);
}

struct wakeup_node *wakeup_leftmost(struct wakeup *tree) {
  struct wakeup_node *node = tree->frontier;
  if (tree->n_waiting == 0) return NULL;
  while (node->waiting == 0) node = node->parent;
  return wakeup_leftmost_below(node);
}

struct wakeup_node *wakeup_leftmost_below(struct wakeup_node *node) {
  for (;;) {
    struct wakeup_node *child = node->first_live ? node->first_live : node->first;
    while (child && child->waiting == 0) child = child->next;
    if (!child) {
      BUG_ON(!node->is_leaf && !node->sides);
      return node;
    }
    node = child;
  }
}

void wakeup_take_leaf(struct wakeup *tree, struct wakeup_node *leaf) {
  end_waiting(tree, leaf);
}

void wakeup_return_leaf(struct wakeup *tree, struct wakeup_node *leaf) {
  begin_waiting(tree, leaf);
}

void wakeup_end_leaf(struct wakeup *tree, struct wakeup_node *leaf) {
  leaf->is_leaf = false;
  if (!leaf->sides) {
    values_release(leaf->values);
    leaf->values = NULL;
  }
  end_life(leaf);
  forget(tree);
}

void wakeup_end_sides(struct wakeup *tree, struct wakeup_node *node) {
  struct open_sides *open = node->sides;
  node->sides = open->next;
  free(open);
  end_waiting(tree, node);
  end_life(node);
  forget(tree);
}

/* ---- how much is done ---- */

/* The first child with work left; *done of all *count children come before it, or have none. */
static const struct wakeup_node *count_children(const struct wakeup_node *node, uint32_t *done, uint32_t *count) {
  const struct wakeup_node *live = NULL;
  *done = *count = 0;
  for (const struct wakeup_node *child = node->first; child; child = child->next, (*count)++) {
    *done += child->live == 0;
    if (!live && child->live > 0) live = child;
  }
  return live;
}

double wakeup_part_done(const struct wakeup *tree) {
  double share = 1, part = 0;
  uint32_t done, count;
  if (tree->top->live == 0) return 1;
  for (const struct wakeup_node *node = tree->top; node; share /= count > 0 ? count : 1) {
    node = count_children(node, &done, &count);
    if (count > 0) part += share * done / count;
  }
  return part;
}

/* ---- nodes of earlier epochs ---- */

void wakeup_await(struct wakeup *tree, struct wakeup_node *node) {
  if (node->live == 0) wakeup_add_leaf(tree, deepest_first(node), NULL);
  if (node->waiting > 0) vector_push(&tree->awaited, ((struct awaited){node, node->id}));
}

struct wakeup_node *wakeup_take_awaited(struct wakeup *tree) {
  while (tree->awaited.count > 0) {
    const struct awaited awaited = tree->awaited.items[--tree->awaited.count];
    struct wakeup_node *node = awaited.node;
    const bool is_there = node->id == awaited.id && node->epoch < tree->epoch;
    if (is_there && node->waiting > 0) return wakeup_leftmost_below(node);
  }
  return NULL;
}

static struct wakeup_node *next_below(const struct wakeup_node *top, struct wakeup_node *node) {
  if (node->first) return node->first;
  while (node != top && !node->next) node = node->parent;
  return node == top ? NULL : node->next;
}

/* One step more comes before the node, the one that follows `split`. */
static void push_down(struct wakeup_node *node, const struct wakeup_node *split, struct wakeup_node *added) {
  node->depth++;
  for (uint32_t i = 0; i < node->n_turning; i++) node->turning[i].earlier += node->turning[i].earlier >= split->depth;
  insertion_move_deferred(node, split, added);
}

struct wakeup_node *wakeup_split(struct wakeup *tree, struct wakeup_node *node, const struct event *event) {
  struct wakeup_node *added = new_child(tree, node, event);
  added->first = node->first;
  added->last = node->last;
  added->first_live = node->first_live;
  for (struct wakeup_node *child = added->first; child; child = child->next) {
    child->parent = added;
    added->waiting += child->waiting > 0;
    added->live += child->live > 0;
  }
  node->waiting += (added->waiting > 0) - added->waiting;
  node->live += (added->live > 0) - added->live;
  node->first = node->last = added;
  node->first_live = NULL;
  for (struct wakeup_node *below = next_below(added, added); below; below = next_below(added, below))
    push_down(below, node, added);
  return added;
}

/* ---- the way to a node ---- */

static uint32_t count_constraints(const struct wakeup_node *node) {
  uint32_t count = 0;
  for (; node; node = node->parent) count += node->decided ? node->decided->count : 0;
  return count;
}

void wakeup_list_constraints(const struct wakeup_node *node, uint32_t count, term_list *list) {
  size_t end = count_constraints(node->parent) + count;
  list->count = 0;
  while (list->count < end) vector_push(list, 0);
  for (; node; node = node->parent, count = node && node->decided ? node->decided->count : 0) {
    if (count == 0) continue;
    end -= count;
    memcpy(&list->items[end], node->decided->constraints, count * sizeof *list->items);
  }
}
