/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/select.h"

#include "base/error.h"

#include <stdlib.h>

#define MOST_ATTEMPTS 16  /* to find another target, for each thread */
#define MOST_CANDIDATES 8 /* for the first target, of each thread */
#define MOST_QUESTIONS 16 /* to the solver, before the caller looks at the clock */

struct waiting {
  event_ids events; /* extensions, and some that were executed since; the latest last */
  int attempts;     /* to find one that goes with another: more where that worked lately */
};

struct selection {
  struct net *net;
  struct net_configuration *configuration;
  struct pasts *pasts; /* in the configuration */
  struct absorber *absorber;
  struct inputs *inputs;
  struct input_notes *notes;
  uint32_t max_steps;
  bool is_bounded;
  term_list constraints;
  open_addresses addresses;
  VECTOR(struct waiting) waiting; /* by thread */
  VECTOR(thread_id) threads;      /* that have some, the one with the most first */
  event_ids under_way;            /* first targets of the runs that are */
};

struct selection *selection_create(struct net_configuration *configuration, struct pasts *pasts, uint32_t max_steps,
                                   struct absorber *absorber, struct inputs *inputs, struct input_notes *notes) {
  struct selection *self = memory_allocate(sizeof *self);
  self->net = configuration->net;
  self->configuration = configuration;
  self->pasts = pasts;
  self->max_steps = max_steps;
  self->absorber = absorber;
  self->inputs = inputs;
  self->notes = notes;
  return self;
}

void selection_destroy(struct selection *self) {
  for (size_t i = 0; i < self->waiting.count; i++) vector_free(&self->waiting.items[i].events);
  vector_free(&self->waiting);
  vector_free(&self->threads);
  vector_free(&self->under_way);
  vector_free(&self->constraints);
  vector_free(&self->addresses);
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

/* ---- inputs ---- */

void selection_add_addresses(struct selection *self, const open_addresses *addresses) {
  for (size_t i = 0; i < addresses->count; i++) vector_push(&self->addresses, addresses->items[i]);
}

uint64_t selection_left(const struct selection *self) {
  return self->net->n_waiting + self->addresses.count;
}

/* What the configuration says about inputs, from this place of the trail on. */
static void list_constraints(struct selection *self, const struct net_configuration *configuration, size_t from) {
  const struct net *net = self->net;
  self->constraints.count = 0;
  for (size_t i = from; i < configuration->trail.count && self->inputs; i++) {
    const struct net_event *event = &net->events.items[configuration->trail.items[i]];
    if (net_decides(net, event)) vector_push(&self->constraints, event->choice);
  }
}

/* Inputs with which the configuration happens; those of the run that showed `like` unless they will not do. */
static enum answer find_inputs(struct selection *self, const struct net_configuration *configuration, event_id like,
                               struct values **values) {
  const struct values *hint = absorber_values(self->absorber, like);
  list_constraints(self, configuration, 0);
  const term_id *constraints = self->constraints.items;
  const size_t count = self->constraints.count;
  if (count == 0 || inputs_satisfy(self->inputs, hint, constraints, count)) {
    *values = values_hold((struct values *)(uintptr_t)hint);
    return ANSWER_SATISFIABLE;
  }
  const enum answer answer = inputs_solve(self->inputs, constraints, count, 0, hint, values);
  self->notes->unsolved |= answer == ANSWER_UNKNOWN;
  return answer;
}

static bool goes_with(struct selection *self, const struct net_configuration *configuration, size_t from,
                      const struct values *values) {
  list_constraints(self, configuration, from);
  return self->constraints.count == 0 ||
         inputs_satisfy(self->inputs, values, self->constraints.items, self->constraints.count);
}

bool selection_find_inputs(struct selection *self, const struct net_configuration *configuration,
                           struct values **values) {
  *values = NULL;
  return !configuration_ends_run(configuration) &&
         find_inputs(self, configuration, configuration->trail.items[0], values) == ANSWER_SATISFIABLE;
}

/* ---- taking ---- */

bool selection_is_bounded(const struct selection *self) {
  return self->is_bounded;
}

static bool is_too_long(const struct selection *self, const struct net_configuration *configuration) {
  const struct net *net = self->net;
  size_t n_steps = 0;
  if (configuration->trail.count <= self->max_steps) return false;
  for (size_t i = 0; i < configuration->trail.count; i++)
    n_steps += net_is_step(net, &net->events.items[configuration->trail.items[i]]);
  return n_steps > self->max_steps;
}

/* Can it not happen in a run, whatever the inputs? What comes after the end of a run does not. */
static bool is_beyond(const struct selection *self, const struct net_configuration *configuration) {
  return configuration_ends_run(configuration) || is_too_long(self, configuration);
}

/* One of the thread's latest that can happen in the same run. */
static void add_other(struct selection *self, event_ids *targets, thread_id thread, const struct values *values) {
  struct net_configuration *configuration = self->configuration;
  struct waiting *waiting = &self->waiting.items[thread];
  const size_t length = configuration->trail.count;
  size_t place = waiting->events.count;
  for (int i = 0; i < waiting->attempts && place > 0; i++) {
    const event_id event = waiting->events.items[--place];
    if (!is_open(self, event) || self->net->events.items[event].flags & NET_UNSURE) continue;
    if (!configuration_add(configuration, event)) continue;
    if (is_beyond(self, configuration) || !goes_with(self, configuration, length, values)) {
      configuration_remove(configuration, length);
      continue;
    }
    add_target(self, targets, event);
    if (waiting->attempts < MOST_ATTEMPTS) waiting->attempts *= 2;
    return;
  }
  if (waiting->attempts > 1) waiting->attempts /= 2;
}

/* Could a run that is under way show the given event anyway? */
static bool may_be_shown(const struct selection *self) {
  struct net_configuration *configuration = self->configuration;
  const size_t length = configuration->trail.count;
  for (size_t i = self->under_way.count; i-- > 0;) {
    if (!configuration_add(configuration, self->under_way.items[i])) continue;
    configuration_remove(configuration, length);
    return true;
  }
  return false;
}

/* One of the thread's latest, which no run that is under way can show; its past is put in. 0: there is none. */
static event_id take_latest(struct selection *self, event_ids *waiting) {
  for (size_t i = 0; i < MOST_CANDIDATES && i < waiting->count; i++) {
    event_id *place = &waiting->items[waiting->count - 1 - i];
    const event_id event = *place;
    if (!is_open(self, event)) continue;
    pasts_put_to_run(self->pasts, event);
    if (!may_be_shown(self)) {
      *place = waiting->items[--waiting->count];
      return event;
    }
  }
  return 0;
}

static event_id take_candidate(struct selection *self) {
  event_id event = 0;
  for (size_t i = 0; i < self->threads.count; i++)
    drop_closed(self, &self->waiting.items[self->threads.items[i]].events);
  sort_threads(self);
  for (size_t i = 0; i < self->threads.count && !event; i++)
    event = take_latest(self, &self->waiting.items[self->threads.items[i]].events);
  return event;
}

/* 0: there is none, or it was in vain. */
static event_id take_waiting(struct selection *self, struct values **values) {
  const struct net_configuration *configuration = self->configuration;
  const event_id event = take_candidate(self);
  if (!event) return 0;
  self->is_bounded |= is_too_long(self, configuration);
  if (!net_is_barren(self->net, self->net->events.items[event].previous) && !is_beyond(self, configuration) &&
      find_inputs(self, configuration, self->net->events.items[event].previous, values) == ANSWER_SATISFIABLE)
    return event;
  net_cut(self->net, event);
  return 0;
}

/* Another value of an address: 0 likewise. */
static event_id take_address(struct selection *self, struct values **values) {
  struct open_address *open = &self->addresses.items[self->addresses.count - 1];
  term_id constraint;
  pasts_put_to_run(self->pasts, open->event);
  list_constraints(self, self->configuration, 0);
  const enum answer answer = sides_next(&open->sides, self->inputs, self->constraints.items, self->constraints.count,
                                        absorber_values(self->absorber, open->event), values, &constraint);
  const struct event_key key = {
      .previous = open->event, .choice = constraint, .thread = self->net->events.items[open->event].thread};
  const operation_id operation = open->operation;
  notes_look_at_answer(self->notes, &open->sides, answer);
  if (open->sides.stage == SIDES_OVER) self->addresses.count--;
  if (answer != ANSWER_SATISFIABLE) return 0;
  event_id event = net_find(self->net, &key);
  if (!event) event = net_add(self->net, &key, operation);
  if (is_open(self, event)) {
    pasts_put_to_run(self->pasts, event);
    return event;
  }
  values_release(*values);
  return 0;
}

bool selection_take(struct selection *self, event_ids *targets, struct values **values) {
  event_id event = 0;
  *values = NULL;
  for (int i = 0; i < MOST_QUESTIONS && !event; i++) {
    event = take_waiting(self, values);
    if (!event && self->addresses.count > 0) event = take_address(self, values);
  }
  if (!event) return false;
  add_target(self, targets, event);
  vector_push(&self->under_way, event);
  if (self->net->events.items[event].flags & (NET_UNSURE | NET_RETRIED)) return true;
  for (size_t i = 0; i < self->threads.count; i++)
    if (self->threads.items[i] != self->net->events.items[event].thread)
      add_other(self, targets, self->threads.items[i], *values);
  return true;
}

void selection_end(struct selection *self, event_id first) {
  size_t i = 0;
  while (i < self->under_way.count && self->under_way.items[i] != first) i++;
  BUG_ON(i == self->under_way.count);
  self->under_way.items[i] = self->under_way.items[--self->under_way.count];
}
