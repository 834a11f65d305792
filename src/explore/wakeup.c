/* SPDX-License-Identifier: MIT
 *
 * Nodes come from slabs that are given back with the tree, and a list of unused ones.
 */
#include "explore/wakeup.h"

#include "base/error.h"

#include <stdlib.h>

#define SLAB_NODES 512

struct slab {
  struct slab *next;
  struct node nodes[SLAB_NODES];
};

static void add_slab(struct wakeup *tree) {
  struct slab *slab = memory_allocate(sizeof *slab);
  slab->next = tree->slabs;
  tree->slabs = slab;
  for (size_t i = 0; i < SLAB_NODES; i++) {
    slab->nodes[i].next = tree->unused;
    tree->unused = &slab->nodes[i];
  }
}

static struct node *new_node(struct wakeup *tree, const struct event *event) {
  if (!tree->unused) add_slab(tree);
  struct node *node = tree->unused;
  tree->unused = node->next;
  *node = (struct node){.event = *event, .id = ++tree->n_nodes};
  return node;
}

void wakeup_init(struct wakeup *tree) {
  *tree = (struct wakeup){0};
  tree->root = new_node(tree, &(struct event){.thread = NO_THREAD});
}

struct node *wakeup_add(struct wakeup *tree, struct node *parent, const struct event *event) {
  struct node *node = new_node(tree, event);
  node->parent = parent;
  node->depth = parent->depth + 1;
  if (parent->last)
    parent->last->next = node;
  else
    parent->first = node;
  parent->last = node;
  return node;
}

/* ---- forgetting ---- */

static void free_contents(struct node *node) {
  free(node->sleep);
  free(node->more);
  free(node->words);
  node->sleep = node->more = NULL;
  node->words = NULL;
  node->n_sleep = node->n_more = node->n_words = 0;
}

static struct node *deepest_first(struct node *node) {
  while (node->first) node = node->first;
  return node;
}

/* Everything below the node; without recursion, as trees may be deep. */
static void free_below(struct wakeup *tree, struct node *top) {
  for (struct node *node = deepest_first(top); node != top;) {
    struct node *parent = node->parent, *sibling = node->next;
    free_contents(node);
    node->next = tree->unused;
    tree->unused = node;
    node = sibling ? deepest_first(sibling) : parent;
    if (node == parent) parent->first = NULL;
  }
  top->first = top->last = top->first_live = NULL;
}

void wakeup_free(struct wakeup *tree) {
  free_below(tree, tree->root);
  free_contents(tree->root);
  while (tree->slabs) {
    struct slab *slab = tree->slabs;
    tree->slabs = slab->next;
    free(slab);
  }
}

/* Where everything to the left is done, what is done can go. */
static void forget(struct wakeup *tree) {
  for (struct node *node = tree->root; node;) {
    struct node *child = node->first_live ? node->first_live : node->first;
    for (; child && child->live == 0 && child->next; child = child->next) {
      free_below(tree, child);
      free_contents(child);
    }
    node->first_live = child;
    if (child && child->live == 0) {
      free_below(tree, child);
      free_contents(child);
      return;
    }
    node = child;
  }
}

/* ---- leaves ---- */

static void count_leaves(struct node *node, int waiting, int live) {
  for (; node; node = node->parent) {
    node->waiting += (uint32_t)waiting;
    node->live += (uint32_t)live;
  }
}

void wakeup_add_leaf(struct node *node) {
  node->is_leaf = true;
  count_leaves(node, 1, 1);
}

struct node *wakeup_take_leaf(struct wakeup *tree) {
  struct node *node = tree->root;
  if (node->waiting == 0) return NULL;
  while (node->first || !node->is_leaf) {
    struct node *child = node->first_live ? node->first_live : node->first;
    while (child->waiting == 0) child = child->next;
    node = child;
  }
  count_leaves(node, -1, 0);
  return node;
}

void wakeup_end_leaf(struct wakeup *tree, struct node *leaf) {
  leaf->is_leaf = false;
  count_leaves(leaf, 0, -1);
  forget(tree);
}

void wakeup_append_steps(const struct node *node, struct schedule *schedule) {
  struct step *steps = schedule_extend(schedule, node->depth);
  for (; node->parent; node = node->parent)
    steps[node->depth - 1] = (struct step){node->event.thread, node->event.alternative};
}
