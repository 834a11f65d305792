// SPDX-License-Identifier: MIT
//
// stack.c repaired: the top is a node and a count of changes, replaced together by a 16-byte compare-exchange. Random
// schedules, since the tagged stack has too many interleavings to try them all in a moment.
//
// heddle: --strategy random --max-runs 20000
// expect: exit=3 bugs=0 warnings=0 runs=20000
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
  struct node *_Atomic next;
  atomic_int owned;
};

struct top {
  struct node *node;
  unsigned long changes;
};

static struct node nodes[2];
static _Atomic(struct top) top;

static void push(struct node *node) {
  struct top old = top, new;
  do {
    node->next = old.node;
    new = (struct top){node, old.changes + 1};
  } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static struct node *pop(void) {
  struct top old = top, new;
  do {
    if (!old.node) return NULL;
    new = (struct top){old.node->next, old.changes + 1};
  } while (!atomic_compare_exchange_strong(&top, &old, new));
  return old.node;
}

static struct node *take(void) {
  struct node *node = pop();
  if (node) assert(atomic_exchange(&node->owned, 1) == 0);
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
