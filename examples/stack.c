// SPDX-License-Identifier: MIT
//
// A lock-free stack whose nodes are used again.
//
// What is wrong: pop reads the top node and its successor, then replaces the top if it is still the same node. In
// between, the other thread may have popped that node and the next one and pushed the first back: the top is the same
// node again, but its successor is not (the ABA problem), and pop puts a node on the stack that another thread owns.
// stack_fixed.c counts the changes of the top together with it.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  struct node *_Atomic next;
  atomic_int owned;
};

static struct node nodes[2];
static struct node *_Atomic top;

static void push(struct node *node) {
  struct node *old = top;
  do node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void) {
  struct node *old = top;
  while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) {
  }
  return old;
}

static struct node *take(void) {
  struct node *node = pop();
  if (node) assert(atomic_exchange(&node->owned, 1) == 0); // BUG
  return node;
}

static void give(struct node *node) {
  node->owned = 0;
  push(node);
}

static void *borrower(void *unused) {
  struct node *first = take(), *second = take();
  if (first) give(first);
  (void)second; // keeps it
  return NULL;
}

static void *taker(void *unused) {
  take();
  take();
  return NULL;
}

int main(void) {
  push(&nodes[0]);
  push(&nodes[1]);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, borrower, NULL);
  pthread_create(&threads[1], NULL, taker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
