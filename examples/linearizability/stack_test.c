// SPDX-License-Identifier: MIT
//
// A lock-free stack, and a wrong one. The wrong pop reads the next element before it knows that the first one is still
// there, and writes the new top without comparing: two threads may get the same element.
#include <heddle-test.h>
#include <stdatomic.h>

enum { PUSH, POP, EMPTY = -1 };

struct node {
  long value;
  struct node *next;
};

static struct node nodes[4];
static struct node *_Atomic top;
static struct heddle_history history = HEDDLE_HISTORY(2);

static void push(struct node *node, long value) {
  node->value = value;
  struct node *first = top;
  do node->next = first;
  while (!atomic_compare_exchange_strong(&top, &first, node));
}

static long pop(void) {
  struct node *first = top;
  while (first && !atomic_compare_exchange_strong(&top, &first, first->next)) continue;
  return first ? first->value : EMPTY;
}

static long wrong_pop(void) {
  struct node *first = top;
  if (!first) return EMPTY;
  top = first->next; // BUG
  return first->value;
}

struct model {
  long values[4];
  int count;
};

static long apply(void *state, int operation, long argument) {
  struct model *model = state;
  if (operation == PUSH) {
    model->values[model->count++] = argument;
    return 0;
  }
  return model->count ? model->values[--model->count] : EMPTY;
}

HEDDLE_SPEC(specification, struct model, apply, "push", "pop")

static void *use(void *number) {
  const int me = *(int *)number;
  HEDDLE_CALL(&history, me, PUSH, me + 1, (push(&nodes[me], me + 1), 0));
  HEDDLE_CALL(&history, me, POP, 0, pop());
  return NULL;
}

static void *use_wrong(void *number) {
  const int me = *(int *)number;
  HEDDLE_CALL(&history, me, PUSH, me + 1, (push(&nodes[me], me + 1), 0));
  HEDDLE_CALL(&history, me, POP, 0, wrong_pop());
  return NULL;
}

static int numbers[] = {0, 1};

static void check(void *(*thread)(void *)) {
  for (int i = 0; i < 2; i++) heddle_spawn(thread, &numbers[i]);
  heddle_join_all();
  heddle_linearizable(&history, &specification);
}

HEDDLE_TEST(stack) {
  check(use);
}
HEDDLE_TEST(wrong_stack) {
  check(use_wrong);
}
