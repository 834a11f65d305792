/* SPDX-License-Identifier: MIT
 *
 * In two steps. First a halt is chosen for every thread, such that each one that wants what somebody owns finds it held
 * by another; that is cheap, and most choices look like a deadlock that has been shown. For those that do not, thread
 * conditions are chosen, one for each thread: they are put into the configuration, which must stay consistent.
 * First comes one of a circle, or one that waits for what nobody owns, then those that wait for what one of the chosen
 * holds (Lemma 1), in the end the threads that have ended.
 */
#include "explore/unfolding/markings.h"

#include "base/error.h"
#include "explore/unfolding/operation.h"
#include "model/kinds.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CHOICES (1u << 20) /* of halts */
#define MOST_WORK (1u << 18)    /* thread conditions tried for one choice of halts */
#define WORK_AT_ONCE (1u << 16) /* before the caller is asked to look at the clock */

/* How a thread condition is found. */
struct placing {
  thread_id thread;
  thread_id holder; /* it waits for what this one holds; NO_THREAD: it does not */
};

struct markings {
  struct net *net;
  struct net_configuration *configuration;
  struct halts *halts;
  struct verdicts *verdicts;
  can_happen *can_happen;
  void *context;
  uint32_t n_threads;
  uint32_t n_choices;
  bool is_bounded;
  look look;
  /* The choices of halts that are left: n_threads each. */
  VECTOR(halt_id) choices;
  size_t next_choice;
  halt_id *chosen; /* by thread; 0: the thread does not exist */
  /* Thread conditions by their place in the trees of the threads: those after an event are beside each other. */
  uint32_t *place, *size;
  VECTOR(struct placing) plan;
  event_id *last; /* by thread: the thread condition chosen */
  uint32_t work;
  bool is_found;
};

/* ---- life ---- */

static uint32_t count_threads(const struct halts *halts) {
  uint32_t n = 0;
  for (size_t i = 1; i < halts->list.count; i++)
    if (halts->list.items[i].thread >= n) n = halts->list.items[i].thread + 1u;
  return n;
}

static void choose_halt(struct markings *self, thread_id thread);

struct markings *markings_create(struct halts *halts, struct net_configuration *configuration,
                                 struct verdicts *verdicts, can_happen *can_happen, void *context) {
  struct markings *self = memory_allocate(sizeof *self);
  self->net = halts->net;
  self->configuration = configuration;
  self->halts = halts;
  self->verdicts = verdicts;
  self->can_happen = can_happen;
  self->context = context;
  self->n_threads = count_threads(halts);
  self->chosen = memory_allocate((self->n_threads + 1) * sizeof *self->chosen);
  self->last = memory_allocate((self->n_threads + 1) * sizeof *self->last);
  if (self->n_threads > 0) choose_halt(self, 0);
  return self;
}

void markings_destroy(struct markings *self) {
  vector_free(&self->look);
  vector_free(&self->choices);
  vector_free(&self->plan);
  free(self->chosen);
  free(self->last);
  free(self->place);
  free(self->size);
  free(self);
}

bool markings_is_bounded(const struct markings *self) {
  return self->is_bounded;
}

static const struct halt *halt_of(const struct markings *self, thread_id thread) {
  return &self->halts->list.items[self->chosen[thread]];
}

/* ---- choosing halts ---- */

static thread_id joined_by(const struct net *net, operation_id join) {
  return (thread_id)net->operations.items[join].address;
}

/* The join that the thread stands before, 0: it has reached its end. `depth` ends a circle of threads that join each
 * other. */
static operation_id stops_at(const struct markings *self, thread_id thread, uint32_t depth) {
  const struct halt *halt = halt_of(self, thread);
  if (!halt->tail) return halt->operation;
  const struct tail *tail = &self->net->tails.items[halt->tail];
  for (uint32_t i = 0; i < tail->n_joins; i++) {
    const operation_id join = self->net->tail_operations.items[tail->joins + i];
    const thread_id joined = joined_by(self->net, join);
    if (joined < self->n_threads && (depth > self->n_threads || stops_at(self, joined, depth + 1))) return join;
  }
  return 0;
}

static bool is_kept(const struct markings *self, thread_id thread) {
  for (uint32_t i = 0; i < self->n_threads; i++)
    if (self->chosen[i] && halts_keeps(self->halts, self->chosen[i], self->chosen[thread])) return true;
  return false;
}

/* The look of the choice; false: it is not a deadlock. */
static bool look_of_choice(struct markings *self) {
  bool is_deadlock = false;
  self->look.count = 0;
  for (uint32_t i = 0; i < self->n_threads; i++) {
    const struct halt *halt = halt_of(self, (thread_id)i);
    const operation_id stop = stops_at(self, (thread_id)i, 0);
    if (halt->tail && !stop && self->net->tails.items[halt->tail].exits) return false;
    if (halt->wanted && !halt->waits && !is_kept(self, (thread_id)i)) return false;
    is_deadlock |= halt->operation && !halt->tail;
    if (stop) look_add(&self->look, self->net->operations.items[stop].site, self->net->operations.items[stop].kind);
  }
  return is_deadlock;
}

static bool fits_earlier(const struct markings *self, thread_id thread, halt_id halt) {
  for (thread_id i = 0; i < thread; i++)
    if (self->chosen[i] && halts_exclude(self->halts, self->chosen[i], halt)) return false;
  return true;
}

/* Can what an earlier thread wants still be held by somebody? */
static bool is_hopeless(const struct markings *self, thread_id thread) {
  for (thread_id i = 0; i < thread; i++) {
    const struct halt *halt = halt_of(self, i);
    bool is_kept_later = !halt->wanted || halt->waits || is_kept(self, i);
    for (halt_id k = 1; k < self->halts->list.count && !is_kept_later; k++)
      is_kept_later = self->halts->list.items[k].thread >= thread && halts_keeps(self->halts, k, self->chosen[i]);
    if (!is_kept_later) return true;
  }
  return false;
}

static void keep_choice(struct markings *self) {
  if (!look_of_choice(self) || verdicts_have(self->verdicts, &self->look)) return;
  for (uint32_t i = 0; i < self->n_threads; i++) vector_push(&self->choices, self->chosen[i]);
}

/* A thread that has ended holding nothing may just as well never have been. */
static bool has_plain_end(const struct markings *self, thread_id thread) {
  for (halt_id i = 1; i < self->halts->list.count; i++) {
    const struct halt *halt = &self->halts->list.items[i];
    if (halt->thread == thread && !halt->operation && halt->n_held == 0) return true;
  }
  return false;
}

static void choose_halt(struct markings *self, thread_id thread) {
  if (self->n_choices++ > MOST_CHOICES || deadline_is_over(self->net->deadline)) {
    self->is_bounded = true;
    return;
  }
  if (is_hopeless(self, thread)) return;
  if (thread == self->n_threads) {
    keep_choice(self);
    return;
  }
  self->chosen[thread] = 0;
  if (thread > 0 && !has_plain_end(self, thread)) choose_halt(self, thread + 1);
  for (halt_id i = 1; i < self->halts->list.count; i++) {
    if (self->halts->list.items[i].thread != thread || !fits_earlier(self, thread, i)) continue;
    self->chosen[thread] = i;
    choose_halt(self, thread + 1);
  }
  self->chosen[thread] = 0;
}

/* ---- thread conditions in the order of the threads' trees ---- */

static event_id parent_of(const struct net *net, event_id event) {
  return net->events.items[event].flags & NET_STARTS ? 0 : net->events.items[event].previous;
}

/* An event has a larger id than its parent: sizes come from the back, places from the front. */
static void number_events(struct markings *self) {
  const uint32_t n = (uint32_t)self->net->events.count;
  self->place = memory_allocate(n * sizeof *self->place);
  self->size = memory_allocate(n * sizeof *self->size);
  uint32_t *used = memory_allocate(n * sizeof *used);
  for (event_id id = n - 1; id > 0; id--) self->size[parent_of(self->net, id)] += ++self->size[id];
  for (event_id id = 1; id < n; id++) {
    const event_id parent = parent_of(self->net, id);
    self->place[id] = self->place[parent] + 1 + used[parent];
    used[parent] += self->size[id];
  }
  free(used);
}

static const uint32_t *sort_place;

static int compare_members(const void *a, const void *b) {
  const uint32_t x = sort_place[*(const event_id *)a], y = sort_place[*(const event_id *)b];
  return (x > y) - (x < y);
}

static int compare_pairs(const void *a, const void *b) {
  const struct blocked_pair *x = a, *y = b;
  const int by_event = compare_members(&x->event, &y->event);
  return by_event ? by_event : (x->condition > y->condition) - (x->condition < y->condition);
}

static void add_pairs(struct markings *self, condition_id condition) {
  const struct net *net = self->net;
  for (uint32_t list = net->conditions.items[condition].users; list; list = net->thread_lists.items[list].next)
    for (uint32_t node = net->thread_lists.items[list].first; node; node = net->nodes.items[node].next) {
      const event_id user = net->nodes.items[node].item;
      struct halt *halt = &self->halts->list.items[halts_of(self->halts, user)];
      if (halt->waits && halts_is_blocked(self->halts, user, condition))
        vector_push(&halt->pairs, ((struct blocked_pair){user, condition}));
    }
}

/* Those that were tried in vain stay, the others are made anew. */
static void drop_pairs(struct markings *self, struct halt *halt) {
  size_t n = 0;
  for (size_t i = 0; i < halt->pairs.count; i++)
    if (!halts_is_blocked(self->halts, halt->pairs.items[i].event, halt->pairs.items[i].condition))
      halt->pairs.items[n++] = halt->pairs.items[i];
  halt->pairs.count = n;
}

static void prepare(struct markings *self) {
  number_events(self);
  sort_place = self->place;
  for (halt_id i = 1; i < self->halts->list.count; i++) drop_pairs(self, &self->halts->list.items[i]);
  for (condition_id i = 1; i < self->net->conditions.count; i++) add_pairs(self, i);
  for (halt_id i = 1; i < self->halts->list.count; i++) {
    struct halt *halt = &self->halts->list.items[i];
    if (halt->members.count > 0)
      qsort(halt->members.items, halt->members.count, sizeof halt->members.items[0], compare_members);
    if (halt->pairs.count > 0) qsort(halt->pairs.items, halt->pairs.count, sizeof halt->pairs.items[0], compare_pairs);
  }
}

/* ---- the order in which threads are placed ---- */

static bool is_planned(const struct markings *self, thread_id thread) {
  for (size_t i = 0; i < self->plan.count; i++)
    if (self->plan.items[i].thread == thread) return true;
  return false;
}

/* A chosen one that keeps what the thread wants, NO_THREAD none. */
static thread_id keeper_of(const struct markings *self, thread_id thread, bool only_planned) {
  if (halt_of(self, thread)->waits) return NO_THREAD;
  for (uint32_t i = 0; i < self->n_threads; i++)
    if (self->chosen[i] && halts_keeps(self->halts, self->chosen[i], self->chosen[thread]) &&
        (!only_planned || is_planned(self, (thread_id)i)))
      return (thread_id)i;
  return NO_THREAD;
}

/* Stands still, or keeps others from going on: the rest has nothing to do with it. */
static bool takes_part(const struct markings *self, thread_id thread) {
  const struct halt *halt = halt_of(self, thread);
  return self->chosen[thread] && ((halt->operation && !halt->tail) || halt->n_held > 0);
}

static bool plan_waiter(struct markings *self) {
  for (uint32_t i = 0; i < self->n_threads; i++) {
    if (!takes_part(self, (thread_id)i) || is_planned(self, (thread_id)i)) continue;
    const thread_id holder = keeper_of(self, (thread_id)i, true);
    if (holder == NO_THREAD) continue;
    vector_push(&self->plan, ((struct placing){(thread_id)i, holder}));
    return true;
  }
  return false;
}

/* From a thread to the one that it waits for, until there is none or they go round. */
static bool plan_root(struct markings *self) {
  uint32_t thread = 0;
  while (thread < self->n_threads && (!takes_part(self, (thread_id)thread) || is_planned(self, (thread_id)thread)))
    thread++;
  if (thread == self->n_threads) return false;
  for (uint32_t i = 0; i < self->n_threads; i++) {
    const thread_id holder = keeper_of(self, (thread_id)thread, false);
    if (holder == NO_THREAD || !takes_part(self, holder)) break;
    thread = holder;
  }
  vector_push(&self->plan, ((struct placing){(thread_id)thread, NO_THREAD}));
  return true;
}

static void make_plan(struct markings *self) {
  self->plan.count = 0;
  while (plan_waiter(self) || plan_root(self)) continue;
}

/* ---- choosing thread conditions ---- */

static void place_next(struct markings *self, size_t step);
static void place_rest(struct markings *self);

static event_id last_of(const struct net_configuration *configuration, thread_id thread) {
  for (size_t i = 0; i < configuration->trail.count; i++) {
    const event_id event = configuration->trail.items[i];
    if (configuration->net->events.items[event].thread == thread && !configuration->states.items[event].follower)
      return event;
  }
  return 0;
}

static bool is_over(struct markings *self) {
  const bool is_bounded = self->work >= MOST_WORK || deadline_is_over(self->net->deadline);
  self->is_bounded |= is_bounded;
  return self->is_found || is_bounded;
}

/* `step`: in the plan; SIZE_MAX: one of the rest. */
static void go_on(struct markings *self, size_t step) {
  if (step == SIZE_MAX)
    place_rest(self);
  else
    place_next(self, step + 1);
}

/* The condition stays as it is. The net does not grow meanwhile. */
static void keep_condition(struct markings *self, condition_id id, size_t step) {
  const event_id maker = self->net->conditions.items[id].event;
  struct condition_use *use = &self->configuration->uses.items[id];
  const event_id consumer = use->consumer;
  if (maker && !configuration_add(self->configuration, maker)) return;
  if (use->consumer && use->consumer != NOBODY) return;
  use->consumer = NOBODY;
  go_on(self, step);
  use->consumer = consumer;
}

static void try(struct markings *self, event_id id, condition_id condition, size_t step) {
  struct net_configuration *configuration = self->configuration;
  const thread_id thread = self->net->events.items[id].thread;
  const size_t length = configuration->trail.count;
  self->work++;
  if (!configuration_add(configuration, id)) return;
  if (!configuration->states.items[id].follower) {
    configuration->states.items[id].follower = NOBODY;
    self->last[thread] = id;
    if (condition)
      keep_condition(self, condition, step);
    else
      go_on(self, step);
    if (!self->is_found) self->last[thread] = 0;
    configuration->states.items[id].follower = 0;
  }
  configuration_remove(configuration, length);
}

static bool is_behind(const struct markings *self, event_id event, event_id last) {
  return !last || self->place[event] - self->place[last] < self->size[last];
}

/* Members of the halt that come after what the thread has done in the configuration. */
static void try_members(struct markings *self, thread_id thread, size_t step) {
  const halt_id id = self->chosen[thread];
  const event_ids *members = &self->halts->list.items[id].members;
  const event_id last = last_of(self->configuration, thread);
  size_t low = 0, high = members->count;
  while (last && low < high) {
    const size_t middle = (low + high) / 2;
    if (self->place[members->items[middle]] < self->place[last])
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < members->count && is_behind(self, members->items[low], last) && !is_over(self); low++)
    if (halts_of(self->halts, members->items[low]) == id) try(self, members->items[low], 0, step);
}

static void try_pairs(struct markings *self, thread_id thread, size_t step) {
  const struct halt *halt = halt_of(self, thread);
  const event_id last = last_of(self->configuration, thread);
  for (size_t i = 0; i < halt->pairs.count && !is_over(self); i++) {
    const struct blocked_pair pair = halt->pairs.items[i];
    if (is_behind(self, pair.event, last)) try(self, pair.event, pair.condition, step);
  }
}

static void try_users(struct markings *self, condition_id condition, thread_id thread, size_t step) {
  const struct net *net = self->net;
  uint32_t list = net->conditions.items[condition].users;
  while (list && net->thread_lists.items[list].thread != thread) list = net->thread_lists.items[list].next;
  if (!list) return;
  for (uint32_t node = net->thread_lists.items[list].first; node && !is_over(self);
       node = net->nodes.items[node].next) {
    const event_id user = net->nodes.items[node].item;
    if (halts_of(self->halts, user) == self->chosen[thread] && halts_is_blocked(self->halts, user, condition))
      try(self, user, 0, step);
  }
}

/* Who waits for what the holder keeps; of a lock for readers and writers all that may wait. */
static void try_waiters(struct markings *self, const struct placing *placing, size_t step) {
  const struct net *net = self->net;
  const object_id wanted = halt_of(self, placing->thread)->wanted;
  if (net->objects.items[wanted].kind == OBJECT_RWLOCK) {
    try_members(self, placing->thread, step);
    return;
  }
  if (net->objects.items[wanted].kind == OBJECT_LIFE) {
    try_users(self, net->objects.items[wanted].root, placing->thread, step);
    return;
  }
  for (uint32_t lock = halts_held(self->halts, self->last[placing->holder]); lock;
       lock = self->halts->locks.items[lock].next) {
    const condition_id condition = self->halts->locks.items[lock].condition;
    if (net->conditions.items[condition].object == wanted) try_users(self, condition, placing->thread, step);
  }
}

static void place_next(struct markings *self, size_t step) {
  if (step == self->plan.count) {
    place_rest(self);
    return;
  }
  const struct placing placing = self->plan.items[step];
  if (placing.holder != NO_THREAD)
    try_waiters(self, &placing, step);
  else if (halt_of(self, placing.thread)->waits)
    try_pairs(self, placing.thread, step);
  else
    try_members(self, placing.thread, step);
}

/* A thread of the configuration that has no place yet. */
static uint32_t next_thread(const struct markings *self) {
  const struct net *net = self->net;
  if (!self->last[0]) return 0;
  const event_ids *trail = &self->configuration->trail;
  for (size_t i = 0; i < trail->count; i++) {
    const struct operation *operation = &net->operations.items[net->events.items[trail->items[i]].operation];
    if (kind_effect(operation->kind) != EFFECT_CREATES || operation->address >= HEDDLE_MAX_THREADS) continue;
    if (operation->address >= self->n_threads || !self->last[operation->address]) return (uint32_t)operation->address;
  }
  return NO_THREAD;
}

static bool everyone_is_blocked(const struct markings *self) {
  for (uint32_t i = 0; i < self->n_threads; i++) {
    const struct halt *halt = halt_of(self, (thread_id)i);
    if (!self->last[i] || halt->waits || halt->tail || !halt->wanted) continue;
    if (!halts_is_blocked(self->halts, self->last[i], configuration_current(self->configuration, halt->wanted)))
      return false;
  }
  return true;
}

static void place_rest(struct markings *self) {
  const uint32_t thread = next_thread(self);
  if (thread == NO_THREAD)
    self->is_found = everyone_is_blocked(self) && self->can_happen(self->context, self->configuration);
  else if (thread < self->n_threads && self->chosen[thread])
    try_members(self, (thread_id)thread, SIZE_MAX);
}

/* ---- from outside ---- */

static void search_choice(struct markings *self) {
  memcpy(self->chosen, &self->choices.items[self->next_choice], self->n_threads * sizeof *self->chosen);
  self->next_choice += self->n_threads;
  self->work = 0;
  self->is_found = false;
  memset(self->last, 0, self->n_threads * sizeof *self->last);
  look_of_choice(self);
  if (verdicts_have(self->verdicts, &self->look)) return;
  if (!self->place) prepare(self);
  make_plan(self);
  place_next(self, 0);
}

bool markings_find(struct markings *self, event_ids *events, bool *has_ended) {
  uint32_t work = 0;
  for (; self->next_choice < self->choices.count && work < WORK_AT_ONCE; work += self->work + 1) {
    if (deadline_is_over(self->net->deadline)) return false;
    search_choice(self);
    if (!self->is_found) continue;
    verdicts_add(self->verdicts, &self->look, false);
    events->count = 0;
    for (uint32_t i = 0; i < self->n_threads; i++)
      if (self->last[i]) vector_push(events, self->last[i]);
    return true;
  }
  *has_ended = self->next_choice == self->choices.count;
  return false;
}
