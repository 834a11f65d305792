/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/select.h"

#include "base/error.h"

#include <stdlib.h>

#define MOST_ATTEMPTS 16 /* to find another target, for each thread */

struct waiting {
  event_ids events; /* extensions, and some that were executed since; the latest last */
  int attempts;     /* to find one that goes with another: more where that worked lately */
};

struct selection {
  struct net *net;
  VECTOR(struct waiting) waiting; /* by thread */
  VECTOR(thread_id) threads;      /* that have some, the one with the most first */
};

struct selection *selection_create(struct net *net) {
  struct selection *self = memory_allocate(sizeof *self);
  self->net = net;
  return self;
}

void selection_destroy(struct selection *self) {
  for (size_t i = 0; i < self->waiting.count; i++) vector_free(&self->waiting.items[i].events);
  vector_free(&self->waiting);
  vector_free(&self->threads);
  free(self);
}

static bool is_open(const struct selection *self, event_id event) {
  return !(self->net->events.items[event].flags & (NET_EXECUTED | NET_IN_FLIGHT | NET_IMPOSSIBLE));
}

void selection_add(struct selection *self, const event_ids *extensions) {
  for (size_t i = 0; i < extensions->count; i++) {
    const event_id event = extensions->items[i];
    const thread_id thread = self->net->events.items[event].thread;
    if (!is_open(self, event)) continue;
    while (self->waiting.count <= thread) {
      vector_push(&self->threads, (thread_id)self->waiting.count);
      vector_push(&self->waiting, ((struct waiting){.attempts = MOST_ATTEMPTS}));
    }
    vector_push(&self->waiting.items[thread].events, event);
  }
}

static size_t count_of(const struct selection *self, size_t place) {
  return self->waiting.items[self->threads.items[place]].events.count;
}

/* They are nearly sorted already. */
static void sort_threads(struct selection *self) {
  for (size_t i = 1; i < self->threads.count; i++)
    for (size_t k = i; k > 0 && count_of(self, k) > count_of(self, k - 1); k--) {
      const thread_id thread = self->threads.items[k];
      self->threads.items[k] = self->threads.items[k - 1];
      self->threads.items[k - 1] = thread;
    }
}

static void drop_closed(struct selection *self, event_ids *waiting) {
  while (waiting->count > 0 && !is_open(self, waiting->items[waiting->count - 1])) waiting->count--;
}

static void add_target(struct selection *self, event_ids *targets, event_id event) {
  vector_push(targets, event);
  self->net->events.items[event].flags |= NET_IN_FLIGHT;
}

/* One of the thread's latest that can happen in the same run. */
static void add_other(struct selection *self, event_ids *targets, thread_id thread) {
  struct waiting *waiting = &self->waiting.items[thread];
  size_t place = waiting->events.count;
  for (int i = 0; i < waiting->attempts && place > 0; i++) {
    const event_id event = waiting->events.items[--place];
    if (!is_open(self, event) || self->net->events.items[event].flags & NET_UNSURE) continue;
    const size_t length = self->net->trail.count;
    if (!configuration_add(self->net, event)) continue;
    if (!configuration_ends_run(self->net)) {
      add_target(self, targets, event);
      if (waiting->attempts < MOST_ATTEMPTS) waiting->attempts *= 2;
      return;
    }
    configuration_remove(self->net, length);
  }
  if (waiting->attempts > 1) waiting->attempts /= 2;
}

/* The latest of the thread with the most; 0: there is none. What comes after the end of a run does not come. */
static event_id put_in_first(struct selection *self) {
  for (;;) {
    for (size_t i = 0; i < self->threads.count; i++)
      drop_closed(self, &self->waiting.items[self->threads.items[i]].events);
    sort_threads(self);
    if (self->threads.count == 0 || count_of(self, 0) == 0) return 0;
    event_ids *most = &self->waiting.items[self->threads.items[0]].events;
    const event_id event = most->items[--most->count];
    const bool is_possible = configuration_add(self->net, event);
    BUG_ON(!is_possible);
    if (!configuration_ends_run(self->net)) return event;
    configuration_remove(self->net, 0);
    net_cut(self->net, event);
  }
}

bool selection_take(struct selection *self, event_ids *targets) {
  const event_id event = put_in_first(self);
  if (!event) return false;
  add_target(self, targets, event);
  if (self->net->events.items[event].flags & NET_UNSURE) return true;
  for (size_t i = 1; i < self->threads.count && count_of(self, i) > 0; i++)
    add_other(self, targets, self->threads.items[i]);
  return true;
}
