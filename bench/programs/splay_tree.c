/* SPDX-License-Identifier: MIT
 *
 * A splay tree with a lock, and two threads that insert, look up and remove. Every operation moves the node it comes
 * to, or the last one on the way there, to the root (top-down, with two trees at the sides that are put together
 * again).
 */
#include <assert.h>
#include <pthread.h>

struct node {
  int key;
  struct node *left, *right;
};

enum { NODES = 6 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node nodes[NODES];
static struct node *root;

static struct node *rotate_right(struct node *node) {
  struct node *left = node->left;
  node->left = left->right;
  left->right = node;
  return left;
}

static struct node *rotate_left(struct node *node) {
  struct node *right = node->right;
  node->right = right->left;
  right->left = node;
  return right;
}

static struct node *splay(struct node *top, int key) {
  struct node sides = {0, NULL, NULL}, *left = &sides, *right = &sides;
  for (;;) {
    if (key < top->key) {
      if (!top->left) break;
      if (key < top->left->key) top = rotate_right(top);
      if (!top->left) break;
      right->left = top;
      right = top;
      top = top->left;
    } else if (key > top->key) {
      if (!top->right) break;
      if (key > top->right->key) top = rotate_left(top);
      if (!top->right) break;
      left->right = top;
      left = top;
      top = top->right;
    } else {
      break;
    }
  }
  left->right = top->left;
  right->left = top->right;
  top->left = sides.right;
  top->right = sides.left;
  return top;
}

static int insert(struct node *node, int key) {
  node->key = key;
  node->left = node->right = NULL;
  if (root) {
    root = splay(root, key);
    if (key == root->key) return 0;
    if (key < root->key) {
      node->left = root->left;
      node->right = root;
      root->left = NULL;
    } else {
      node->right = root->right;
      node->left = root;
      root->right = NULL;
    }
  }
  root = node;
  return 1;
}

static int contains(int key) {
  if (!root) return 0;
  root = splay(root, key);
  return root->key == key;
}

static int take_out(int key) {
  if (!root) return 0;
  root = splay(root, key);
  if (root->key != key) return 0;
  struct node *right = root->right;
  if (!root->left) {
    root = right;
    return 1;
  }
  root = splay(root->left, key);
  assert(!root->right);
  root->right = right;
  return 1;
}

/* ---- what it must look like ---- */

static int count_nodes(const struct node *node) {
  return node ? 1 + count_nodes(node->left) + count_nodes(node->right) : 0;
}

static int is_sorted(const struct node *node, int low, int high) {
  if (!node) return 1;
  if (node->key <= low || node->key >= high) return 0;
  return is_sorted(node->left, low, node->key) && is_sorted(node->right, node->key, high);
}

static int depth_of(const struct node *node) {
  if (!node) return 0;
  const int left = depth_of(node->left), right = depth_of(node->right);
  return 1 + (left > right ? left : right);
}

static int end_of(const struct node *node, int to_the_right) {
  while (to_the_right ? node->right : node->left) node = to_the_right ? node->right : node->left;
  return node->key;
}

static int is_sound(int nodes, int lowest, int highest) {
  if (!root) return nodes == 0;
  if (count_nodes(root) != nodes || !is_sorted(root, -1, 1000)) return 0;
  return depth_of(root) <= nodes && end_of(root, 0) == lowest && end_of(root, 1) == highest;
}

/* ---- the threads ---- */

static int locked_insert(int number, int key) {
  pthread_mutex_lock(&lock);
  const int done = insert(&nodes[number], key);
  pthread_mutex_unlock(&lock);
  return done;
}

static void *grow(void *unused) {
  locked_insert(4, 25);
  pthread_mutex_lock(&lock);
  if (contains(10)) take_out(25);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *shrink(void *unused) {
  pthread_mutex_lock(&lock);
  if (!take_out(10)) take_out(30);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  static const int keys[] = {20, 10, 30};
  pthread_t threads[2];
  for (int i = 0; i < 3; i++) insert(&nodes[i], keys[i]);
  if (!is_sound(3, 10, 30)) return 1;
  pthread_create(&threads[0], NULL, grow, NULL);
  pthread_create(&threads[1], NULL, shrink, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
