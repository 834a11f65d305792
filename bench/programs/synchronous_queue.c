/* SPDX-License-Identifier: MIT
 *
 * Synchronous queue: the algorithm behind SynchronousQueue of Java's collections in its default form, the dual stack of
 * Scherer, Lea and Scott, without time-outs. The stack holds either items whose givers wait or requests whose takers
 * wait. A thread that finds its counterpart puts a fulfilling node on top, matches it with the node below and takes
 * both off; others that meet a fulfilling node help it first. A waiting thread announces its semaphore, looks once more
 * and sleeps on it. PRODUCERS threads give ITEMS items each, CONSUMERS threads take as many in all.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#define TAKEN (PRODUCERS * ITEMS / CONSUMERS)

_Static_assert(PRODUCERS *ITEMS % CONSUMERS == 0, "every consumer takes equally many");

enum mode { REQUEST, DATA, FULFILLING }; /* FULFILLING is added to the others */

struct node {
  _Atomic(struct node *) next, match;
  _Atomic(sem_t *) waiter;
  int item;
  int mode;
};

static _Atomic(struct node *) head;

static bool swap(_Atomic(struct node *) *place, struct node *from, struct node *to) {
  return atomic_compare_exchange_strong(place, &from, to);
}

static void wake(struct node *node) {
  sem_t *const waiter = node->waiter;
  if (!waiter) return;
  node->waiter = NULL;
  sem_post(waiter);
}

static bool try_match(struct node *node, struct node *partner) {
  if (swap(&node->match, NULL, partner)) {
    wake(node);
    return true;
  }
  return node->match == partner;
}

static struct node *await_match(struct node *node, sem_t *permit) {
  struct node *match = node->match;
  if (match) return match;
  node->waiter = permit;
  while (!(match = node->match)) sem_wait(permit);
  return match;
}

/* Lies on the stack until somebody comes; then helps to take both nodes off. */
static int wait_on_stack(struct node *node, sem_t *permit) {
  const struct node *const match = await_match(node, permit);
  struct node *const top = head;
  if (top && top->next == node) swap(&head, top, node->next);
  return node->mode == REQUEST ? match->item : node->item;
}

/* One step of matching the fulfilling node on top with the one below it. The node below, if they are matched now. */
static struct node *match_below(struct node *fulfilling) {
  struct node *const below = fulfilling->next;
  if (!below) {
    swap(&head, fulfilling, NULL);
    return NULL;
  }
  struct node *const rest = below->next;
  if (try_match(below, fulfilling)) {
    swap(&head, fulfilling, rest);
    return below;
  }
  swap(&fulfilling->next, below, rest);
  return NULL;
}

/* The item that went from one thread to the other. The node is the thread's own and new. */
static int transfer(struct node *node, int mode, int item, sem_t *permit) {
  for (;;) {
    struct node *const top = head;
    const bool same = !top || top->mode == mode;
    if (!same && top->mode & FULFILLING) {
      match_below(top);
      continue;
    }
    node->item = item;
    node->mode = same ? mode : mode | FULFILLING;
    node->next = top;
    if (!swap(&head, top, node)) continue;
    if (same) return wait_on_stack(node, permit);
    struct node *const partner = match_below(node);
    if (partner) return mode == REQUEST ? partner->item : item;
  }
}

static sem_t permits[PRODUCERS + CONSUMERS];
static struct node given[PRODUCERS][ITEMS], taken[CONSUMERS][TAKEN];

static void *producer(void *argument) {
  const long self = (long)argument;
  for (int i = 0; i < ITEMS; i++) transfer(&given[self][i], DATA, 1 + i, &permits[self]);
  return NULL;
}

static void *consumer(void *argument) {
  const long self = (long)argument;
  for (int i = 0; i < TAKEN; i++) {
    const int item = transfer(&taken[self][i], REQUEST, 0, &permits[PRODUCERS + self]);
    assert(item >= 1 && item <= ITEMS);
    if (PRODUCERS == 1 && CONSUMERS == 1) assert(item == 1 + i);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int t = 0; t < PRODUCERS + CONSUMERS; t++) sem_init(&permits[t], 0, 0);
  for (long t = 0; t < PRODUCERS; t++) pthread_create(&threads[t], NULL, producer, (void *)t);
  for (long t = 0; t < CONSUMERS; t++) pthread_create(&threads[PRODUCERS + t], NULL, consumer, (void *)t);
  for (int t = 0; t < PRODUCERS + CONSUMERS; t++) pthread_join(threads[t], NULL);
  return 0;
}
