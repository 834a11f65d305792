/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/deadlock.h"

#include "base/error.h"
#include "explore/unfolding/halts.h"
#include "explore/unfolding/markings.h"
#include "explore/unfolding/verdicts.h"

#include <stdlib.h>
#include <time.h>

/* Whether new circles may go through a halt, as of a version of what is known. */
struct gate {
  uint32_t version;
  bool is_open;
};

struct found {
  uint32_t first, n; /* in `events` */
};

struct deadlocks {
  struct net *net;
  struct net_configuration *configuration;
  struct pasts *pasts; /* in the configuration */
  can_happen *can_happen;
  void *context;
  struct halts halts;
  struct verdicts verdicts;
  struct markings *markings; /* NULL: that search is not under way */
  uint64_t n_members;        /* of halts: how often one was added, or learned to be blocked */
  uint64_t searched_members; /* how many there were when the search of the complete unfolding began */
  bool is_searched;          /* it has ended */
  bool is_bounded;
  VECTOR(struct gate) gates;
  uint32_t version; /* grows with the halts and verdicts */
  size_t n_tails;   /* that were looked at */
  halt_id path[64]; /* of halts, while a gate is looked at */
  event_ids chain;  /* the candidate set of Fig. 11, in the order of the chain */
  look look;
  VECTOR(struct found) queue;
  size_t n_taken;
  event_ids events;
  double seconds;
};

struct deadlocks *deadlocks_create(struct net_configuration *configuration, struct pasts *pasts, can_happen *can_happen,
                                   void *context) {
  struct deadlocks *self = memory_allocate(sizeof *self);
  self->net = configuration->net;
  self->configuration = configuration;
  self->pasts = pasts;
  self->can_happen = can_happen;
  self->context = context;
  self->version = 1;
  self->n_tails = 1;
  halts_init(&self->halts, self->net);
  return self;
}

void deadlocks_destroy(struct deadlocks *self) {
  if (self->markings) markings_destroy(self->markings);
  halts_free(&self->halts);
  verdicts_free(&self->verdicts);
  vector_free(&self->gates);
  vector_free(&self->chain);
  vector_free(&self->look);
  vector_free(&self->queue);
  vector_free(&self->events);
  free(self);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void enqueue(struct deadlocks *self, const event_ids *events) {
  const struct found found = {(uint32_t)self->events.count, (uint32_t)events->count};
  for (size_t i = 0; i < events->count; i++) vector_push(&self->events, events->items[i]);
  vector_push(&self->queue, found);
}

/* ---- circles of halts ---- */

static void add_to_look(struct deadlocks *self, operation_id id) {
  const struct operation *operation = &self->net->operations.items[id];
  look_add(&self->look, operation->site, operation->kind);
}

/* The path is a circle: is it one that is not known? */
static bool is_new_path(struct deadlocks *self, size_t length) {
  self->look.count = 0;
  for (size_t i = 0; i < length; i++) add_to_look(self, self->halts.list.items[self->path[i]].operation);
  return !verdicts_have_part(&self->verdicts, &self->look);
}

static bool fits_path(const struct deadlocks *self, halt_id id, size_t length) {
  const struct halts *halts = &self->halts;
  for (size_t i = 0; i < length; i++)
    if (halts->list.items[self->path[i]].thread == halts->list.items[id].thread ||
        halts_exclude(halts, self->path[i], id))
      return false;
  return true;
}

/* Can the path be made a circle that is not known? */
static bool closes_anew(struct deadlocks *self, size_t length) {
  const halt_id last = self->path[length - 1];
  if (deadline_is_over(self->net->deadline)) return true;
  if (halts_keeps(&self->halts, last, self->path[0])) return is_new_path(self, length);
  if (length == sizeof self->path / sizeof self->path[0]) return true;
  for (halt_id next = 1; next < self->halts.list.count; next++) {
    if (!halts_keeps(&self->halts, last, next) || !fits_path(self, next, length)) continue;
    self->path[length] = next;
    if (closes_anew(self, length + 1)) return true;
  }
  return false;
}

static bool is_gate_open(struct deadlocks *self, halt_id id) {
  while (self->gates.count <= id) vector_push(&self->gates, (struct gate){0});
  if (self->gates.items[id].version != self->version) {
    self->path[0] = id;
    self->gates.items[id] = (struct gate){self->version, closes_anew(self, 1)};
  }
  return self->gates.items[id].is_open;
}

/* ---- circles of thread conditions ---- */

static void search(struct deadlocks *self);

static bool is_in_chain(const struct deadlocks *self, thread_id thread) {
  for (size_t i = 0; i < self->chain.count; i++)
    if (self->net->events.items[self->chain.items[i]].thread == thread) return true;
  return false;
}

/* Is the first of the chain blocked by what the last one holds? */
static bool is_closed(struct deadlocks *self) {
  const event_id first = self->chain.items[0], last = self->chain.items[self->chain.count - 1];
  const halt_id wants = halts_of(&self->halts, first);
  if (!halts_keeps(&self->halts, halts_of(&self->halts, last), wants)) return false;
  const condition_id current = configuration_current(self->configuration, self->halts.list.items[wants].wanted);
  return halts_is_blocked(&self->halts, first, current);
}

static void found_circle(struct deadlocks *self) {
  self->look.count = 0;
  for (size_t i = 0; i < self->chain.count; i++) add_to_look(self, self->net->events.items[self->chain.items[i]].next);
  if (verdicts_have_part(&self->verdicts, &self->look) || !self->can_happen(self->context, self->configuration)) return;
  verdicts_add(&self->verdicts, &self->look, true);
  self->version++;
  enqueue(self, &self->chain);
}

static void consider(struct deadlocks *self, event_id candidate, condition_id condition) {
  struct net *net = self->net;
  const halt_id halt = halts_of(&self->halts, candidate);
  const size_t length = self->configuration->trail.count;
  if (deadline_is_over(net->deadline)) return;
  if (!halt || !halts_is_blocked(&self->halts, candidate, condition) || !is_gate_open(self, halt)) return;
  if (!configuration_add(self->configuration, candidate)) return;
  struct event_state *state = &self->configuration->states.items[candidate];
  if (!state->follower && !self->configuration->uses.items[condition].consumer) {
    state->follower = NOBODY;
    vector_push(&self->chain, candidate);
    if (is_closed(self))
      found_circle(self);
    else
      search(self);
    self->chain.count--;
    state->follower = 0;
  }
  configuration_remove(self->configuration, length);
}

static void consider_users(struct deadlocks *self, condition_id condition) {
  const struct net *net = self->net;
  for (uint32_t list = net->conditions.items[condition].users; list; list = net->thread_lists.items[list].next) {
    if (is_in_chain(self, net->thread_lists.items[list].thread)) continue;
    for (uint32_t node = net->thread_lists.items[list].first; node; node = net->nodes.items[node].next)
      consider(self, net->nodes.items[node].item, condition);
  }
}

/* Others may have locked it besides, or asked to, while the last of the chain holds it. */
static void consider_shared(struct deadlocks *self, condition_id condition) {
  struct net *net = self->net;
  const size_t length = self->configuration->trail.count;
  if (!net->conditions.items[condition].state) return;
  consider_users(self, condition);
  for (uint32_t list = net->conditions.items[condition].children; list; list = net->thread_lists.items[list].next)
    for (uint32_t node = net->thread_lists.items[list].first; node; node = net->nodes.items[node].next) {
      const condition_id child = net->nodes.items[node].item;
      if (!configuration_add(self->configuration, net->conditions.items[child].event)) continue;
      consider_shared(self, child);
      configuration_remove(self->configuration, length);
    }
}

/* Lemma 1: who waits for a lock that the last of the chain holds is among the users of the condition that taking it
 * made. */
static void search(struct deadlocks *self) {
  const struct net *net = self->net;
  const event_id last = self->chain.items[self->chain.count - 1];
  const object_id life = halts_life(&self->halts, net->events.items[last].thread);
  for (uint32_t lock = halts_held(&self->halts, last); lock; lock = self->halts.locks.items[lock].next) {
    const condition_id condition = self->halts.locks.items[lock].condition;
    if (net->objects.items[net->conditions.items[condition].object].kind == OBJECT_RWLOCK)
      consider_shared(self, condition);
    else
      consider_users(self, condition);
  }
  if (life) consider_users(self, net->objects.items[life].root);
}

static void search_from(struct deadlocks *self, event_id event) {
  pasts_put_to_run(self->pasts, event);
  self->configuration->states.items[event].follower = NOBODY;
  self->chain.count = 0;
  vector_push(&self->chain, event);
  if (is_closed(self))
    found_circle(self);
  else
    search(self);
  self->configuration->states.items[event].follower = 0;
}

/* ---- from outside ---- */

static void look_at(struct deadlocks *self, event_id event) {
  const size_t n_halts = self->halts.list.count;
  const halt_id halt = halts_add(&self->halts, event);
  if (!halt) return;
  self->n_members++;
  self->version += self->halts.list.count > n_halts;
  if (self->halts.list.items[halt].wanted && is_gate_open(self, halt)) search_from(self, event);
}

void deadlocks_absorb(struct deadlocks *self, const struct trace_view *trace) {
  const double start = now();
  struct net *net = self->net;
  if (trace->record->outcome == OUTCOME_DEADLOCK || trace->record->outcome == OUTCOME_LIVELOCK) {
    look_of_run(&self->look, trace);
    if (!verdicts_have(&self->verdicts, &self->look)) {
      verdicts_add(&self->verdicts, &self->look, false);
      self->version++;
    }
  }
  for (; self->n_tails < net->tails.count; self->n_tails++) {
    halts_add_tail(&self->halts, (uint32_t)self->n_tails);
    self->version++;
    self->n_members++;
  }
  for (size_t i = 0; i < net->fresh.count && !deadline_is_over(net->deadline); i++) look_at(self, net->fresh.items[i]);
  net->fresh.count = 0;
  self->seconds += now() - start;
}

void deadlocks_note_impossible(struct deadlocks *self, event_id extension) {
  halts_add_impossible(&self->halts, extension);
  self->n_members++;
}

bool deadlocks_take(struct deadlocks *self) {
  if (self->n_taken == self->queue.count) return false;
  pasts_put_away(self->pasts);
  const struct found *found = &self->queue.items[self->n_taken++];
  for (uint32_t i = 0; i < found->n; i++) {
    const bool is_possible = configuration_add(self->configuration, self->events.items[found->first + i]);
    BUG_ON(!is_possible);
  }
  return true;
}

static bool is_searched(const struct deadlocks *self) {
  return self->is_searched && self->searched_members == self->n_members;
}

static void end_search(struct deadlocks *self) {
  if (!self->markings) return;
  self->is_bounded = markings_is_bounded(self->markings);
  markings_destroy(self->markings);
  self->markings = NULL;
}

/* A run made for what was found may show what was not known before: then it is all searched again. */
static void begin_search(struct deadlocks *self) {
  if (self->markings && self->searched_members == self->n_members) return;
  end_search(self);
  self->markings = markings_create(&self->halts, self->configuration, &self->verdicts, self->can_happen, self->context);
  self->searched_members = self->n_members;
  self->is_searched = false;
}

bool deadlocks_search(struct deadlocks *self) {
  if (is_searched(self)) return false;
  const double start = now();
  pasts_put_away(self->pasts);
  begin_search(self);
  const bool is_found = markings_find(self->markings, &self->chain, &self->is_searched);
  if (is_found) enqueue(self, &self->chain);
  if (self->is_searched) end_search(self);
  self->seconds += now() - start;
  return is_found;
}

bool deadlocks_has_work(const struct deadlocks *self) {
  return self->n_taken < self->queue.count || !is_searched(self);
}

bool deadlocks_is_bounded(const struct deadlocks *self) {
  return self->is_bounded;
}

double deadlocks_seconds(const struct deadlocks *self) {
  return self->seconds;
}
