/* SPDX-License-Identifier: MIT
 *
 * Trees of what threads do next, and causes: a leaf per thread.
 */
#include "explore/con2colic/forest.h"

#include "base/error.h"
#include "model/kinds.h"

#include <stdlib.h>

struct forest *forest_create(void) {
  struct forest *forest = memory_allocate(sizeof *forest);
  vector_push(&forest->nodes, (struct node){0}); /* number 0 is none */
  return forest;
}

void forest_destroy(struct forest *forest) {
  vector_free(&forest->nodes);
  free(forest);
}

size_t forest_count(const struct forest *forest) {
  return forest->nodes.count - 1;
}

/* What is only seen when it is performed (an access's terms) is compared as well: a thread that does the same does it
 * with the same terms. */
static bool does_same(const struct node *a, const struct node *b) {
  const bool is_arrival =
      a->kind == NODE_EVENT && kind_effect(a->event) == EFFECT_ARRIVES; /* how many come shows later */
  return a->kind == b->kind && a->thread == b->thread && a->event == b->event && a->object == b->object &&
         (a->size == b->size || is_arrival) && a->term == b->term && a->symbol == b->symbol &&
         a->alternative == b->alternative && a->value == b->value;
}

node_id forest_find(const struct forest *forest, node_id parent, const struct node *what) {
  for (node_id id = forest_at(forest, parent)->child; id; id = forest_at(forest, id)->sibling)
    if (does_same(forest_at(forest, id), what)) return id;
  return 0;
}

node_id forest_add(struct forest *forest, node_id parent, const struct node *what, bool *is_new) {
  const node_id known = forest_find(forest, parent, what);
  *is_new = !known;
  if (known) return known;
  const node_id id = (node_id)forest->nodes.count;
  struct node node = *what;
  node.parent = parent;
  node.child = 0;
  node.depth = node.kind == NODE_START ? 0 : forest_at(forest, parent)->depth + 1;
  BUG_ON(node.kind != NODE_START && forest_at(forest, parent)->thread != node.thread);
  /* After its siblings: what was found first is looked at first. */
  node.sibling = 0;
  vector_push(&forest->nodes, node);
  node_id *link = &forest_at(forest, parent)->child;
  while (*link) link = &forest_at(forest, *link)->sibling;
  *link = id;
  return id;
}

bool forest_is_on_way(const struct forest *forest, node_id node, node_id leaf) {
  const uint32_t depth = forest_at(forest, node)->depth;
  if (forest_at(forest, leaf)->thread != forest_at(forest, node)->thread) return false;
  while (forest_at(forest, leaf)->depth > depth) leaf = forest_at(forest, leaf)->parent;
  return leaf == node;
}

/* --- causes --- */

void cause_free(struct cause *cause) {
  vector_free(&cause->ways);
  vector_free(&cause->nodes);
}

const struct thread_way *cause_way(const struct cause *cause, thread_id thread) {
  for (size_t i = 0; i < cause->ways.count; i++)
    if (cause->ways.items[i].thread == thread) return &cause->ways.items[i];
  return NULL;
}

static node_id start_of(const struct forest *forest, node_id node) {
  while (forest_at(forest, node)->kind != NODE_START) node = forest_at(forest, node)->parent;
  return node;
}

/* A step of several accesses is not cut in two. */
static node_id end_of_step(const struct forest *forest, node_id node) {
  for (node_id id = forest_at(forest, node)->child; id;) {
    const struct node *child = forest_at(forest, id);
    const bool is_rest = child->kind == NODE_ACCESS && !(child->flags & NODE_STEP);
    if (is_rest) node = id;
    id = is_rest ? child->child : child->sibling;
  }
  return node;
}

bool cause_merge(struct cause *cause, const struct forest *forest, node_id node) {
  while (node) {
    node = end_of_step(forest, node);
    const thread_id thread = forest_at(forest, node)->thread;
    struct thread_way *way = (struct thread_way *)cause_way(cause, thread);
    if (way) {
      if (forest_is_on_way(forest, node, way->leaf)) return true;
      if (!forest_is_on_way(forest, way->leaf, node)) return false;
      way->leaf = node; /* its start is the same, so what created it is there already */
      return true;
    }
    vector_push(&cause->ways, ((struct thread_way){.thread = thread, .leaf = node}));
    node = forest_at(forest, start_of(forest, node))->parent;
  }
  return true;
}

void cause_start(struct cause *cause, const struct forest *forest, node_id sink) {
  cause->ways.count = cause->nodes.count = 0;
  const bool good = cause_merge(cause, forest, sink);
  BUG_ON(!good);
}

void cause_list_nodes(struct cause *cause, const struct forest *forest) {
  cause->nodes.count = 0;
  for (size_t i = 0; i < cause->ways.count; i++) {
    struct thread_way *way = &cause->ways.items[i];
    way->first = (uint32_t)cause->nodes.count;
    way->count = forest_at(forest, way->leaf)->depth + 1;
    for (uint32_t k = 0; k < way->count; k++) vector_push(&cause->nodes, 0);
    node_id node = way->leaf;
    for (uint32_t k = way->count; k-- > 0; node = forest_at(forest, node)->parent)
      cause->nodes.items[way->first + k] = node;
  }
}

bool cause_has(const struct cause *cause, const struct forest *forest, node_id node) {
  const struct thread_way *way = cause_way(cause, forest_at(forest, node)->thread);
  return way && forest_is_on_way(forest, node, way->leaf);
}
