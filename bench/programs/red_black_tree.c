/* SPDX-License-Identifier: MIT
 *
 * A red-black tree with a lock, and two threads that insert, look up and remove.
 */
#include <assert.h>
#include <pthread.h>

enum colour { RED, BLACK };

struct node {
  int key;
  enum colour colour;
  struct node *parent, *children[2];
};

enum { NODES = 6 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node nodes[NODES];
static struct node *root;

static enum colour colour_of(const struct node *node) {
  return node ? node->colour : BLACK;
}

static int side_of(const struct node *node) {
  return node->parent->children[1] == node;
}

static void replace(struct node *node, struct node *with) {
  if (!node->parent)
    root = with;
  else
    node->parent->children[side_of(node)] = with;
  if (with) with->parent = node->parent;
}

/* The node goes down to this side, its child of the other side takes its place. */
static void rotate(struct node *node, int side) {
  struct node *child = node->children[!side], *inner = child->children[side];
  replace(node, child);
  node->children[!side] = inner;
  if (inner) inner->parent = node;
  child->children[side] = node;
  node->parent = child;
}

static struct node *find(int key) {
  struct node *node = root;
  while (node && node->key != key) node = node->children[key > node->key];
  return node;
}

/* ---- inserting ---- */

static void repair_after_insert(struct node *node) {
  while (node->parent && node->parent->colour == RED) {
    struct node *parent = node->parent, *grandparent = parent->parent;
    const int side = side_of(parent);
    struct node *uncle = grandparent->children[!side];
    if (colour_of(uncle) == RED) {
      parent->colour = uncle->colour = BLACK;
      grandparent->colour = RED;
      node = grandparent;
      continue;
    }
    if (side_of(node) != side) {
      node = parent;
      rotate(node, side);
      parent = node->parent;
    }
    parent->colour = BLACK;
    grandparent->colour = RED;
    rotate(grandparent, !side);
  }
  root->colour = BLACK;
}

static int insert(struct node *node, int key) {
  struct node *parent = NULL, *at = root;
  while (at) {
    if (at->key == key) return 0;
    parent = at;
    at = at->children[key > at->key];
  }
  *node = (struct node){.key = key, .colour = RED, .parent = parent};
  if (parent)
    parent->children[key > parent->key] = node;
  else
    root = node;
  repair_after_insert(node);
  return 1;
}

/* ---- removing ---- */

/* The subtree at this side of the parent has a black node less than the other. */
static void repair_after_removal(struct node *parent, int side) {
  for (;;) {
    struct node *sibling = parent->children[!side];
    if (colour_of(sibling) == RED) {
      sibling->colour = BLACK;
      parent->colour = RED;
      rotate(parent, side);
      sibling = parent->children[!side];
    }
    if (colour_of(sibling->children[0]) == BLACK && colour_of(sibling->children[1]) == BLACK) {
      sibling->colour = RED;
      if (parent->colour == RED || !parent->parent) break;
      side = side_of(parent);
      parent = parent->parent;
      continue;
    }
    if (colour_of(sibling->children[!side]) == BLACK) {
      sibling->children[side]->colour = BLACK;
      sibling->colour = RED;
      rotate(sibling, !side);
      sibling = parent->children[!side];
    }
    sibling->colour = parent->colour;
    sibling->children[!side]->colour = BLACK;
    parent->colour = BLACK;
    rotate(parent, side);
    return;
  }
  parent->colour = BLACK;
}

static int take_out(int key) {
  struct node *node = find(key);
  if (!node) return 0;
  if (node->children[0] && node->children[1]) {
    struct node *next = node->children[1];
    while (next->children[0]) next = next->children[0];
    node->key = next->key;
    node = next;
  }
  struct node *child = node->children[0] ? node->children[0] : node->children[1], *parent = node->parent;
  const int side = parent ? side_of(node) : 0;
  replace(node, child);
  if (node->colour == RED) return 1;
  if (colour_of(child) == RED)
    child->colour = BLACK;
  else if (parent)
    repair_after_removal(parent, side);
  return 1;
}

/* ---- what it must look like ---- */

/* Black nodes on every way down; -1: not as many on each, or two red nodes in a row, or keys in the wrong order. */
static int black_height(const struct node *node, int low, int high) {
  if (!node) return 1;
  if (node->key <= low || node->key >= high) return -1;
  if (node->colour == RED && (colour_of(node->children[0]) == RED || colour_of(node->children[1]) == RED)) return -1;
  const int left = black_height(node->children[0], low, node->key);
  const int right = black_height(node->children[1], node->key, high);
  if (left < 0 || left != right) return -1;
  return left + (node->colour == BLACK);
}

static int parents_fit(const struct node *node) {
  for (int side = 0; side < 2; side++) {
    const struct node *child = node->children[side];
    if (child && (child->parent != node || !parents_fit(child))) return 0;
  }
  return 1;
}

static int is_sound(void) {
  if (!root) return 1;
  if (root->parent || root->colour != BLACK) return 0;
  return black_height(root, -1, 1000) > 0 && parents_fit(root);
}

/* ---- the threads ---- */

static void *grow(void *unused) {
  pthread_mutex_lock(&lock);
  insert(&nodes[4], 40);
  if (root->colour != BLACK) assert(0);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *shrink(void *unused) {
  pthread_mutex_lock(&lock);
  if (take_out(10) && find(40)) take_out(20);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  static const int keys[] = {20, 10, 30};
  pthread_t threads[2];
  for (int i = 0; i < 3; i++) insert(&nodes[i], keys[i]);
  if (!is_sound()) return 1;
  pthread_create(&threads[0], NULL, grow, NULL);
  pthread_create(&threads[1], NULL, shrink, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
