/* SPDX-License-Identifier: MIT
 *
 * Nodes come from a pool: slabs that are given back with the tree, and a list of free nodes in between.
 *
 * The way to the last node whose path was asked for is kept: the next one has most of it in common. Its nodes are
 * alive.
 */
#include "explore/exhaustive/tree.h"

#include "base/error.h"
#include "base/number_map.h"

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
  VECTOR(struct step) way;                       /* to the last node whose path was asked for */
  VECTOR(const struct tree_node *) nodes_on_way; /* as many: the nodes that these steps lead to */
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
  vector_free(&tree->way);
  vector_free(&tree->nodes_on_way);
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

/* A step leads to it, and the steps to it are those of the way. */
static bool is_on_way(const struct tree *tree, const struct tree_node *node) {
  return node->depth > 0 && node->depth <= tree->way.count && tree->nodes_on_way.items[node->depth - 1] == node;
}

void tree_release(struct tree *tree, struct tree_node *node) {
  while (node) {
    BUG_ON(node->references == 0);
    if (--node->references > 0 || node->has_work) return;
    struct tree_node *parent = node->parent;
    if (is_on_way(tree, node)) tree->way.count = tree->nodes_on_way.count = node->depth - 1;
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

static void set_way_length(struct tree *tree, uint32_t length) {
  const struct step none = {NO_THREAD, 0};
  while (tree->way.count < length) {
    vector_push(&tree->way, none);
    vector_push(&tree->nodes_on_way, NULL);
  }
  tree->way.count = tree->nodes_on_way.count = length;
}

void tree_append_path(struct tree *tree, const struct tree_node *node, struct schedule *schedule) {
  set_way_length(tree, node->depth);
  for (const struct tree_node *at = node; at->parent && !is_on_way(tree, at); at = at->parent) {
    if (at->constraint) continue;
    tree->way.items[at->depth - 1] = at->step;
    tree->nodes_on_way.items[at->depth - 1] = at;
  }
  schedule_append(schedule, tree->way.items, node->depth);
}

void tree_list_constraints(const struct tree_node *node, term_list *list) {
  list->count = 0;
  while (list->capacity < node->decisions) list->items = memory_grow(list->items, &list->capacity, sizeof *list->items);
  list->count = node->decisions;
  for (; node->parent; node = node->parent)
    if (node->constraint) list->items[node->decisions - 1] = node->constraint;
}

/* --- the written form: nodes, parents first, then the work, the oldest first --- */

struct numbered {
  NUMBER_MAP(uint32_t) numbers; /* by address */
  VECTOR(const struct tree_node *) nodes;
};

static uint32_t number_of(const struct numbered *numbered, const struct tree_node *node) {
  return *number_map_find(&numbered->numbers, (uintptr_t)node);
}

static bool is_numbered(const struct numbered *numbered, const struct tree_node *node) {
  return number_map_find(&numbered->numbers, (uintptr_t)node);
}

/* With those above it that have no number yet. */
static void number_node(struct numbered *numbered, const struct tree_node *node) {
  const size_t first = numbered->nodes.count;
  for (; node && !is_numbered(numbered, node); node = node->parent) vector_push(&numbered->nodes, node);
  const struct tree_node **items = numbered->nodes.items;
  for (size_t low = first, high = numbered->nodes.count; low + 1 < high; low++, high--) {
    const struct tree_node *swapped = items[low];
    items[low] = items[high - 1];
    items[high - 1] = swapped;
  }
  for (size_t i = first; i < numbered->nodes.count; i++)
    *number_map_add(&numbered->numbers, (uintptr_t)items[i]) = (uint32_t)i;
}

static void write_step(struct step step, struct text *state) {
  written_add_number(state, step.thread);
  written_add_number(state, step.alternative);
}

static struct step read_step(struct written *state) {
  const thread_id thread = (thread_id)written_take_below(state, HEDDLE_MAX_THREADS);
  return (struct step){thread, (uint16_t)written_take_below(state, UINT16_MAX + 1u)};
}

static void write_nodes(const struct numbered *numbered, struct text *state) {
  written_add_number(state, numbered->nodes.count);
  for (size_t i = 0; i < numbered->nodes.count; i++) {
    const struct tree_node *node = numbered->nodes.items[i];
    BUG_ON(node->constraint || node->sides || node->values);
    if (node->parent) written_add_number(state, number_of(numbered, node->parent));
    if (node->parent) write_step(node->step, state);
    written_add_number(state, node->preemptions);
    written_add_number(state, node->degree);
    written_add_double(state, node->share);
  }
}

static void write_work(const struct numbered *numbered, const struct tree_node *node, struct text *state) {
  uint32_t count = 0;
  for (const struct tree_work *work = node->others; work; work = work->next) count++;
  written_add_number(state, number_of(numbered, node));
  written_add_number(state, node->threads);
  written_add_number(state, count);
  for (const struct tree_work *work = node->others; work; work = work->next) write_step(work->step, state);
}

void tree_write(const struct tree *tree, struct tree_node *const *nodes, size_t n_nodes, struct text *state) {
  struct numbered numbered = {0};
  VECTOR(const struct tree_node *) working = {0};
  number_node(&numbered, tree->root);
  for (const struct tree_node *node = tree->newest; node; node = node->next) {
    number_node(&numbered, node);
    vector_push(&working, node);
  }
  for (size_t i = 0; i < n_nodes; i++) number_node(&numbered, nodes[i]);
  write_nodes(&numbered, state);
  written_add_number(state, working.count);
  for (size_t i = working.count; i-- > 0;) write_work(&numbered, working.items[i], state);
  for (size_t i = 0; i < n_nodes; i++) written_add_number(state, number_of(&numbered, nodes[i]));
  vector_free(&working);
  vector_free(&numbered.nodes);
  number_map_free(&numbered.numbers);
}

typedef VECTOR(struct tree_node *) node_list;

/* Each is held. */
static bool read_nodes(struct tree *tree, struct written *state, uint32_t max_steps, node_list *nodes) {
  const size_t count = written_take_count(state, sizeof(double));
  for (size_t i = 0; i < count && !state->failed; i++) {
    struct tree_node *node = tree->root;
    if (i > 0) {
      struct tree_node *parent = nodes->items[written_take_below(state, i)];
      node = tree_add_child(tree, parent, read_step(state));
    } else {
      tree_hold(node);
    }
    vector_push(nodes, node);
    node->preemptions = (uint32_t)written_take_below(state, UINT32_MAX);
    node->degree = (uint32_t)written_take_below(state, UINT32_MAX);
    node->share = written_take_double(state);
    if (node->depth >= max_steps) return written_refuse(state);
  }
  return count > 0 && !state->failed;
}

static struct tree_node *read_number(struct written *state, const node_list *nodes) {
  return nodes->items[written_take_below(state, nodes->count)];
}

static bool read_work(struct tree *tree, struct written *state, const node_list *nodes) {
  struct tree_node *node = read_number(state, nodes);
  const uint64_t threads = written_take_number(state);
  const size_t count = written_take_count(state, 2);
  struct tree_work **end = &node->others;
  if (state->failed || node->has_work || (threads == 0 && count == 0)) return written_refuse(state);
  tree_add_threads(tree, node, threads);
  push(tree, node);
  for (size_t i = 0; i < count; i++, end = &(*end)->next) {
    *end = memory_allocate(sizeof **end);
    (*end)->step = read_step(state);
    tree->work_left++;
  }
  return !state->failed;
}

bool tree_read(struct tree *tree, struct written *state, uint32_t max_steps, struct tree_node **nodes, size_t n_nodes) {
  node_list all = {0};
  bool good = read_nodes(tree, state, max_steps, &all);
  for (size_t left = good ? written_take_count(state, 3) : 0; good && left > 0; left--)
    good = read_work(tree, state, &all);
  for (size_t i = 0; good && i < n_nodes; i++) {
    nodes[i] = read_number(state, &all);
    tree_hold(nodes[i]);
  }
  for (size_t i = 0; i < all.count; i++) tree_release(tree, all.items[i]);
  vector_free(&all);
  return good && !state->failed;
}
