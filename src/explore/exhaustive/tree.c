/* SPDX-License-Identifier: MIT
 *
 * Nodes come from a pool: slabs that are given back with the tree, and a list of free nodes in between.
 */
#include "explore/exhaustive/tree.h"

#include "base/error.h"

#include <stdlib.h>

#define SLAB_NODES 1024

struct tree_work {
  struct tree_work *next;
  struct step step;
};

struct slab {
  struct slab *next;
  struct tree_node nodes[SLAB_NODES];
};

struct tree {
  struct tree_node *root;
  struct tree_node *newest; /* stack of nodes with work */
  struct tree_node *free;
  struct slab *slabs;
  uint64_t work_left;
};

static void add_slab(struct tree *tree) {
  struct slab *slab = memory_allocate(sizeof *slab);
  slab->next = tree->slabs;
  tree->slabs = slab;
  for (size_t i = 0; i < SLAB_NODES; i++) {
    slab->nodes[i].next = tree->free;
    tree->free = &slab->nodes[i];
  }
}

static struct tree_node *new_node(struct tree *tree, struct step step) {
  if (!tree->free) add_slab(tree);
  struct tree_node *node = tree->free;
  tree->free = node->next;
  *node = (struct tree_node){.step = step, .references = 1};
  return node;
}

struct tree *tree_create(void) {
  struct tree *tree = memory_allocate(sizeof *tree);
  tree->root = new_node(tree, (struct step){NO_THREAD, 0});
  tree->root->share = 1;
  return tree;
}

static void free_work(struct tree_node *node) {
  values_release(node->values);
  free(node->sides);
  while (node->others) {
    struct tree_work *work = node->others;
    node->others = work->next;
    free(work);
  }
}

void tree_destroy(struct tree *tree) {
  for (struct tree_node *node = tree->newest; node; node = node->next) free_work(node);
  while (tree->slabs) {
    struct slab *slab = tree->slabs;
    tree->slabs = slab->next;
    free(slab);
  }
  free(tree);
}

struct tree_node *tree_root(struct tree *tree) {
  return tree->root;
}

struct tree_node *tree_add_child(struct tree *tree, struct tree_node *parent, struct step step) {
  struct tree_node *node = new_node(tree, step);
  node->parent = parent;
  node->depth = parent->depth + 1;
  node->decisions = parent->decisions;
  parent->references++;
  return node;
}

struct tree_node *tree_add_side(struct tree *tree, struct tree_node *parent, term_id constraint) {
  struct tree_node *node = new_node(tree, parent->step);
  node->parent = parent;
  node->depth = parent->depth;
  node->decisions = parent->decisions + 1;
  node->preemptions = parent->preemptions;
  node->constraint = constraint;
  parent->references++;
  return node;
}

void tree_hold(struct tree_node *node) {
  node->references++;
}

void tree_release(struct tree *tree, struct tree_node *node) {
  while (node) {
    BUG_ON(node->references == 0);
    if (--node->references > 0 || node->has_work) return;
    struct tree_node *parent = node->parent;
    node->next = tree->free;
    tree->free = node;
    node = parent;
  }
}

static void push(struct tree *tree, struct tree_node *node) {
  if (node->has_work) return;
  node->has_work = true;
  node->next = tree->newest;
  tree->newest = node;
}

void tree_add_threads(struct tree *tree, struct tree_node *node, uint64_t threads) {
  if (threads == 0) return;
  tree->work_left += (uint64_t)__builtin_popcountll(threads & ~node->threads);
  node->threads |= threads;
  push(tree, node);
}

void tree_add_work(struct tree *tree, struct tree_node *node, struct step step) {
  if (step.alternative == 0 && step.thread < 64) {
    tree_add_threads(tree, node, 1ull << step.thread);
    return;
  }
  struct tree_work *work = memory_allocate(sizeof *work);
  *work = (struct tree_work){node->others, step};
  node->others = work;
  tree->work_left++;
  push(tree, node);
}

void tree_add_sides(struct tree *tree, struct tree_node *node, const struct sides *sides) {
  BUG_ON(node->sides);
  node->sides = memory_allocate(sizeof *sides);
  *node->sides = *sides;
  tree->work_left++;
  push(tree, node);
}

void tree_set_values(struct tree_node *node, struct values *values) {
  if (node->has_work && !node->values) node->values = values_hold(values);
}

struct tree_node *tree_newest(struct tree *tree) {
  return tree->newest;
}

/* The newest point has no work any more. */
static void pop(struct tree *tree) {
  struct tree_node *newest = tree->newest;
  newest->has_work = false;
  tree->newest = newest->next;
  values_release(newest->values);
  newest->values = NULL;
}

static struct step remove_step(struct tree_node *node) {
  if (node->threads) {
    const thread_id thread = (thread_id)__builtin_ctzll(node->threads);
    node->threads &= node->threads - 1;
    return (struct step){thread, 0};
  }
  struct tree_work *work = node->others;
  const struct step step = work->step;
  node->others = work->next;
  free(work);
  return step;
}

struct step tree_take_step(struct tree *tree, struct values **values) {
  struct tree_node *newest = tree->newest;
  const struct step step = remove_step(newest);
  *values = values_hold(newest->values);
  tree_hold(newest);
  tree->work_left--;
  if (!newest->threads && !newest->others) pop(tree);
  return step;
}

void tree_end_sides(struct tree *tree) {
  struct tree_node *newest = tree->newest;
  free(newest->sides);
  newest->sides = NULL;
  tree->work_left--;
  pop(tree);
  /* Nobody may hold it any more. */
  tree_hold(newest);
  tree_release(tree, newest);
}

uint64_t tree_work_left(const struct tree *tree) {
  return tree->work_left;
}

void tree_append_path(const struct tree_node *node, struct schedule *schedule) {
  struct step *steps = schedule_extend(schedule, node->depth);
  for (; node->parent; node = node->parent)
    if (!node->constraint) steps[node->depth - 1] = node->step;
}

void tree_list_constraints(const struct tree_node *node, term_list *list) {
  list->count = 0;
  while (list->capacity < node->decisions) list->items = memory_grow(list->items, &list->capacity, sizeof *list->items);
  list->count = node->decisions;
  for (; node->parent; node = node->parent)
    if (node->constraint) list->items[node->decisions - 1] = node->constraint;
}
