/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/extensions.h"

#include "explore/unfolding/operation.h"
#include "model/kinds.h"

#include <stdlib.h>

#define MOST_ACCESSES 256

/* Where the search for conditions of an object has come to, in one condition's children. */
struct descent {
  size_t first, next; /* of the children, in `items`; they go on to where those of the next descent begin */
  size_t length;      /* of the trail, with that condition */
};

struct extensions {
  struct net *net;
  struct net_configuration *configuration;
  struct pasts *pasts; /* in the configuration */
  event_ids found;
  /* The extension that is being put together: */
  event_id thread_condition;
  operation_id operation;
  bool is_unsure, gives_up;
  struct net_access accesses[MOST_ACCESSES];
  uint8_t fixed;      /* 1 + the access whose condition is given, 0 none */
  condition_id given; /* that condition */
  bool registers;     /* the thread condition becomes a user of what it meets */
  VECTOR(struct descent) descents;
  list_items items;     /* users and children that are being gone through */
  event_ids candidates; /* looks that may come before a change */
  reader_list readers;
};

struct extensions *extensions_create(struct net_configuration *configuration, struct pasts *pasts) {
  struct extensions *self = memory_allocate(sizeof *self);
  self->net = configuration->net;
  self->configuration = configuration;
  self->pasts = pasts;
  return self;
}

void extensions_destroy(struct extensions *self) {
  vector_free(&self->found);
  vector_free(&self->descents);
  vector_free(&self->items);
  vector_free(&self->candidates);
  vector_free(&self->readers);
  free(self);
}

event_ids *extensions_found(struct extensions *self) {
  return &self->found;
}

static thread_id own_thread(const struct extensions *self) {
  return self->net->events.items[self->thread_condition].thread;
}

/* ---- what was found ---- */

/* The last look of each thread but the own. */
static void list_readers(struct extensions *self, condition_id id) {
  const struct net *net = self->net;
  const struct condition_use *use = &self->configuration->uses.items[id];
  const size_t record = readers_begin(&self->readers, use->n_readers);
  for (access_id i = use->reader; i; i = self->configuration->next_readers.items[i])
    if (net->events.items[net->accesses.items[i].event].thread != own_thread(self))
      readers_add(&self->readers, record, net, net->accesses.items[i].event);
}

static void add_extension(struct extensions *self, uint8_t n_accesses) {
  struct net *net = self->net;
  self->readers.count = 0;
  for (uint8_t i = 0; i < n_accesses; i++)
    if (access_lists_looks(net, &self->accesses[i])) list_readers(self, self->accesses[i].condition);
  const struct event_key key = {.previous = self->thread_condition,
                                .thread = own_thread(self),
                                .n_accesses = n_accesses,
                                .accesses = self->accesses,
                                .readers = self->readers.items,
                                .n_readers = (uint32_t)self->readers.count};
  if (net_find(net, &key)) return;
  const event_id event = net_add(net, &key, self->operation);
  if (self->is_unsure) net->events.items[event].flags |= NET_UNSURE;
  vector_push(&self->found, event);
}

/* ---- looks before a change that lists them ---- */

static void choose_looks(struct extensions *self, uint8_t i, uint8_t n_accesses);

/* With and without each of the candidates. */
static void choose_candidates(struct extensions *self, size_t next, uint8_t i, uint8_t n_accesses) {
  struct net_configuration *configuration = self->configuration;
  while (next < self->candidates.count && configuration_has(configuration, self->candidates.items[next])) next++;
  if (next == self->candidates.count) {
    choose_looks(self, i + 1, n_accesses);
    return;
  }
  const event_id read = self->candidates.items[next];
  const size_t length = self->configuration->trail.count;
  configuration->states.items[read].marks |= MARK_EXCLUDED;
  choose_candidates(self, next + 1, i, n_accesses);
  configuration->states.items[read].marks &= (uint8_t)~MARK_EXCLUDED;
  if (!configuration_add(self->configuration, read)) return;
  choose_candidates(self, next + 1, i, n_accesses);
  configuration_remove(self->configuration, length);
}

static void find_candidates(struct extensions *self, condition_id condition) {
  struct net_configuration *configuration = self->configuration;
  const size_t first = self->items.count, length = configuration->trail.count;
  hub_list_looks(self->net, condition, configuration->lowest, &self->items);
  for (size_t i = first; i < self->items.count; i++) {
    const event_id read = self->items.items[i];
    if (self->net->events.items[read].thread == own_thread(self) || configuration_has(configuration, read)) continue;
    if (!configuration_add(configuration, read)) continue;
    configuration_remove(configuration, length);
    vector_push(&self->candidates, read);
  }
  self->items.count = first;
}

static void choose_looks(struct extensions *self, uint8_t i, uint8_t n_accesses) {
  while (i < n_accesses && !access_lists_looks(self->net, &self->accesses[i])) i++;
  if (i == n_accesses) {
    add_extension(self, n_accesses);
    return;
  }
  const size_t start = self->candidates.count;
  find_candidates(self, self->accesses[i].condition);
  choose_candidates(self, start, i, n_accesses);
  self->candidates.count = start;
}

/* ---- conditions that can be marked together ---- */

static void choose_access(struct extensions *self, uint8_t i, uint8_t n_chosen);

/* The i-th access meets the condition, which is there when the configuration has happened. */
static bool meet(struct extensions *self, uint8_t i, uint8_t n_chosen, condition_id id) {
  struct net *net = self->net;
  const struct possibility possibility =
      operation_possibility(net, self->operation, i, own_thread(self), net->conditions.items[id].state);
  if (possibility.mode == ACCESS_NONE) return false;
  const bool was_unsure = self->is_unsure, gave_up = self->gives_up;
  self->is_unsure |= possibility.is_unsure;
  self->gives_up |= possibility.gives_up;
  const bool stays = possibility.mode != ACCESS_PAST;
  self->accesses[n_chosen] = (struct net_access){.condition = id, .mode = possibility.mode};
  if (!stays) self->accesses[n_chosen].condition = operation_past(net, self->operation, i, own_thread(self), id);
  const event_id consumer = self->configuration->uses.items[id].consumer;
  if (stays) self->configuration->uses.items[id].consumer = NOBODY;
  choose_access(self, i + 1, n_chosen + 1);
  self->configuration->uses.items[id].consumer = consumer;
  self->is_unsure = was_unsure;
  self->gives_up = gave_up;
  return !stays;
}

/* The i-th access reaches the condition. False: what is below does not matter. */
typedef bool visit(struct extensions *self, uint8_t i, uint8_t n_chosen, condition_id id);

/* Children that the own thread has not made, as far as they can be marked together with what was chosen. */
static void go_below(struct extensions *self, condition_id id) {
  struct net *net = self->net;
  const size_t first = self->items.count;
  for (uint32_t list = net->conditions.items[id].children; list; list = net->thread_lists.items[list].next)
    if (net->thread_lists.items[list].thread != own_thread(self))
      hub_list_children(net, list, self->configuration->lowest, &self->items);
  vector_push(&self->descents, ((struct descent){first, first, self->configuration->trail.count}));
}

/* The next child of the condition that is being gone through. 0: there is no more, and it is done with. */
static condition_id next_child(struct extensions *self) {
  struct descent *descent = &self->descents.items[self->descents.count - 1];
  configuration_remove(self->configuration, descent->length);
  if (descent->next < self->items.count) return self->items.items[descent->next++];
  self->items.count = descent->first;
  self->descents.count--;
  return 0;
}

/* Visits all conditions from this one downwards that can be marked together with what was chosen: none below it that
 * the own thread made. There may be as many, one below the other, as a run has steps: this does not recurse. */
static void visit_downwards(struct extensions *self, uint8_t i, uint8_t n_chosen, condition_id id, visit *visit) {
  struct net *net = self->net;
  const size_t bottom = self->descents.count, n_items = self->items.count, length = self->configuration->trail.count;
  if (visit(self, i, n_chosen, id)) go_below(self, id);
  while (self->descents.count > bottom && !deadline_is_over(net->deadline)) {
    const condition_id child = next_child(self);
    if (child && configuration_add(self->configuration, net->conditions.items[child].event) &&
        visit(self, i, n_chosen, child))
      go_below(self, child);
  }
  self->descents.count = bottom;
  self->items.count = n_items;
  configuration_remove(self->configuration, length);
}

static bool meet_and_register(struct extensions *self, uint8_t i, uint8_t n_chosen, condition_id id) {
  const bool is_met_for_good = meet(self, i, n_chosen, id);
  if (is_met_for_good) return false;
  if (self->registers) net_add_user(self->net, id, self->thread_condition);
  return true;
}

static void choose_access(struct extensions *self, uint8_t i, uint8_t n_chosen) {
  struct net *net = self->net;
  if (i >= net->operations.items[self->operation].n_accesses) {
    choose_looks(self, 0, n_chosen);
    return;
  }
  const object_id object = operation_object(net, self->operation, i);
  if (self->gives_up && net->objects.items[object].kind == OBJECT_MUTEX) {
    choose_access(self, i + 1, n_chosen);
    return;
  }
  if (i + 1 == self->fixed)
    meet(self, i, n_chosen, self->given);
  else
    visit_downwards(self, i, n_chosen, configuration_current(self->configuration, object), meet_and_register);
}

/* ---- users ---- */

/* The run in which the thread reaches it shows it. */
static bool happens_at_once(const struct operation *operation) {
  const enum event_effect effect = kind_effect(operation->kind);
  return !operation->is_step && effect != EFFECT_JOINS && effect != EFFECT_LEAVES;
}

static bool begin(struct extensions *self, event_id thread_condition) {
  struct net *net = self->net;
  self->thread_condition = thread_condition;
  self->operation = net->events.items[thread_condition].next;
  self->is_unsure = self->gives_up = false;
  self->registers = false;
  self->fixed = 0;
  return self->operation != 0 && !net_is_barren(net, thread_condition) &&
         !happens_at_once(&net->operations.items[self->operation]);
}

/* The thread condition becomes a user of the condition. */
static bool register_user(struct extensions *self, uint8_t i, uint8_t n_chosen, condition_id id) {
  const uint32_t state = self->net->conditions.items[id].state;
  if (operation_possibility(self->net, self->operation, i, own_thread(self), state).mode == ACCESS_PAST) return false;
  net_add_user(self->net, id, self->thread_condition);
  return true;
}

/* The configuration is that of the event. */
static void follow_thread(struct extensions *self, event_id event) {
  struct net *net = self->net;
  if (!begin(self, event)) return;
  const uint8_t n_accesses = net->operations.items[self->operation].n_accesses;
  self->configuration->states.items[event].follower = NOBODY;
  self->registers = n_accesses == 1; /* in one go */
  for (uint8_t i = 0; i < n_accesses && !self->registers; i++)
    visit_downwards(self, i, 0, configuration_current(self->configuration, operation_object(net, self->operation, i)),
                    register_user);
  choose_access(self, 0, 0);
  self->configuration->states.items[event].follower = 0;
}

/* ---- what follows a condition ---- */

static uint8_t access_of(const struct extensions *self, object_id object) {
  uint8_t i = 0;
  while (operation_object(self->net, self->operation, i) != object) i++;
  return i;
}

/* Extensions of the thread condition with just this condition of one of its objects. */
static void meet_condition(struct extensions *self, condition_id id, bool is_new) {
  struct net *net = self->net;
  const uint8_t i = access_of(self, net->conditions.items[id].object);
  const enum access_mode mode =
      operation_possibility(net, self->operation, i, own_thread(self), net->conditions.items[id].state).mode;
  const bool stays = mode != ACCESS_PAST;
  if (is_new && stays) net_add_user(net, id, self->thread_condition);
  if (!is_new && mode != ACCESS_CHANGE) return;
  self->fixed = i + 1;
  self->given = id;
  if (stays) self->configuration->uses.items[id].consumer = NOBODY;
  choose_access(self, 0, 0);
  self->configuration->uses.items[id].consumer = 0;
}

/* The user meets the condition. The configuration is that of an event that made it, or (not is_new) looked at it. */
static void meet_user(struct extensions *self, event_id user, condition_id id, bool is_new) {
  struct net_configuration *configuration = self->configuration;
  const size_t length = configuration->trail.count;
  if (!begin(self, user) || !configuration_add(configuration, user)) return;
  if (!configuration->states.items[user].follower && !configuration->uses.items[id].consumer) {
    configuration->states.items[user].follower = NOBODY;
    meet_condition(self, id, is_new);
    configuration->states.items[user].follower = 0;
  }
  configuration_remove(configuration, length);
}

/* Users of the condition that belong to other threads meet `id`. */
static void meet_others(struct extensions *self, condition_id condition, condition_id id, thread_id thread,
                        bool is_new) {
  struct net *net = self->net;
  const size_t first = self->items.count;
  for (uint32_t list = net->conditions.items[condition].users; list; list = net->thread_lists.items[list].next)
    if (net->thread_lists.items[list].thread != thread)
      hub_list_users(net, list, self->configuration->lowest, &self->items);
  const size_t end = self->items.count;
  for (size_t i = first; i < end && !deadline_is_over(net->deadline); i++)
    meet_user(self, self->items.items[i], id, is_new);
  self->items.count = first;
}

static void follow_accesses(struct extensions *self, event_id event) {
  struct net *net = self->net;
  const struct net_event made = net->events.items[event];
  condition_id output = made.first_output;
  for (uint8_t i = 0; i < made.n_accesses; i++) {
    const struct net_access access = net->accesses.items[made.first_access + i];
    if (access.mode == ACCESS_CHANGE) meet_others(self, access.condition, output++, made.thread, true);
    if (access.mode == ACCESS_LOOK && net_lists_looks(net, access.condition))
      meet_others(self, access.condition, access.condition, made.thread, false);
  }
}

void extensions_of_thread(struct extensions *self, event_id event) {
  pasts_put(self->pasts, event);
  follow_thread(self, event);
}

void extensions_of_event(struct extensions *self, event_id event) {
  pasts_put(self->pasts, event);
  follow_accesses(self, event);
  follow_thread(self, event);
  if (!hub_is_due(self->net)) return;
  pasts_put_away(self->pasts);
  hub_choose(self->net);
}
