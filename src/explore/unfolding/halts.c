/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/halts.h"

#include "explore/unfolding/operation.h"
#include "model/kinds.h"

#include <stdlib.h>

void halts_init(struct halts *self, struct net *net) {
  *self = (struct halts){.net = net, .n_objects = 1};
  vector_push(&self->list, (struct halt){0});
  vector_push(&self->locks, (struct taken_lock){0});
}

void halts_free(struct halts *self) {
  for (size_t i = 0; i < self->list.count; i++) {
    vector_free(&self->list.items[i].members);
    vector_free(&self->list.items[i].pairs);
  }
  vector_free(&self->list);
  vector_free(&self->objects);
  vector_free(&self->of_event);
  vector_free(&self->held_by_event);
  vector_free(&self->locks);
  vector_free(&self->path);
  vector_free(&self->lives);
}

/* ---- locks held ---- */

static bool takes_rwlock(uint8_t kind) {
  return kind_need(kind) == NEEDS_UNWRITTEN || kind_need(kind) == NEEDS_UNUSED;
}

static bool takes(const struct net *net, const struct net_event *event, const struct condition *output) {
  if (net->objects.items[output->object].kind == OBJECT_MUTEX) return output->state == 1u + event->thread;
  return takes_rwlock(net->operations.items[event->operation].kind);
}

static uint32_t add_lock(struct halts *self, condition_id condition, uint32_t next) {
  vector_push(&self->locks, ((struct taken_lock){condition, next}));
  return (uint32_t)self->locks.count - 1;
}

/* The list without the latest lock of the object. */
static uint32_t without(struct halts *self, uint32_t list, object_id object) {
  if (!list) return 0;
  const struct taken_lock lock = self->locks.items[list];
  if (self->net->conditions.items[lock.condition].object == object) return lock.next;
  const uint32_t rest = without(self, lock.next, object);
  return rest == lock.next ? list : add_lock(self, lock.condition, rest);
}

static uint32_t held_behind(struct halts *self, event_id id, uint32_t list) {
  const struct net *net = self->net;
  const struct net_event *event = &net->events.items[id];
  condition_id output = event->first_output;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    if (net->accesses.items[event->first_access + i].mode != ACCESS_CHANGE) continue;
    const struct condition *condition = &net->conditions.items[output++];
    const enum object_kind kind = net->objects.items[condition->object].kind;
    if (kind != OBJECT_MUTEX && kind != OBJECT_RWLOCK) continue;
    const bool is_taken = takes(net, event, condition);
    if (!is_taken || kind == OBJECT_MUTEX) list = without(self, list, condition->object);
    if (is_taken) list = add_lock(self, output - 1, list);
  }
  return list;
}

static bool is_held_known(const struct halts *self, event_id event) {
  return event < self->held_by_event.count && self->held_by_event.items[event];
}

static void set_held(struct halts *self, event_id event, uint32_t list) {
  while (self->held_by_event.count <= event) vector_push(&self->held_by_event, 0);
  self->held_by_event.items[event] = 1 + list;
}

uint32_t halts_held(struct halts *self, event_id event) {
  const struct net *net = self->net;
  event_id id = event;
  self->path.count = 0;
  for (; !is_held_known(self, id) && !(net->events.items[id].flags & NET_STARTS); id = net->events.items[id].previous)
    vector_push(&self->path, id);
  if (!is_held_known(self, id)) set_held(self, id, 0);
  while (self->path.count > 0) {
    const uint32_t before = self->held_by_event.items[id] - 1;
    id = self->path.items[--self->path.count];
    set_held(self, id, held_behind(self, id, before));
  }
  return self->held_by_event.items[event] - 1;
}

object_id halts_life(struct halts *self, thread_id thread) {
  const struct net *net = self->net;
  for (; self->n_objects < net->objects.count; self->n_objects++) {
    const struct object *object = &net->objects.items[self->n_objects];
    if (object->kind != OBJECT_LIFE) continue;
    while (self->lives.count <= object->address) vector_push(&self->lives, 0);
    self->lives.items[object->address] = self->n_objects;
  }
  return thread < self->lives.count ? self->lives.items[thread] : 0;
}

/* ---- halts ---- */

/* Is what the operation needs with an owner whom the net follows? */
static bool kind_has_followed_owner(uint8_t kind) {
  switch (kind_class(kind)) {
  case CLASS_MUTEX:
  case CLASS_SPINLOCK:
  case CLASS_RWLOCK:
  case CLASS_CONDITION: return true;
  case CLASS_THREAD: return kind_effect(kind) == EFFECT_JOINS;
  default: return false;
  }
}

/* The object whose owner the operation can have to wait for. */
static object_id wanted_by(const struct net *net, operation_id id) {
  const uint8_t kind = net->operations.items[id].kind;
  if (!kind_waits(kind) || !kind_has_followed_owner(kind)) return 0;
  if (kind_need(kind) == NEEDS_RELOCK) return operation_object(net, id, 1);
  return net->operations.items[id].n_accesses > 0 ? operation_object(net, id, 0) : 0;
}

static bool waits(uint8_t kind) {
  if (kind_need(kind) == NEEDS_TOKEN) return kind_waits(kind) && kind_class(kind) == CLASS_SEMAPHORE;
  return kind_need(kind) == NEEDS_RELOCK || kind_need(kind) == NEEDS_OPENING;
}

static bool holds_object(const struct halts *self, uint32_t list, object_id object) {
  for (; list; list = self->locks.items[list].next)
    if (self->net->conditions.items[self->locks.items[list].condition].object == object) return true;
  return false;
}

static uint32_t count_locks(const struct halts *self, uint32_t list) {
  uint32_t n = 0;
  for (; list; list = self->locks.items[list].next) n++;
  return n;
}

static bool is_member(const struct halts *self, const struct halt *halt, const struct halt *wanted, uint32_t locks) {
  if (halt->thread != wanted->thread || halt->operation != wanted->operation || halt->tail != wanted->tail ||
      halt->n_held != count_locks(self, locks))
    return false;
  for (uint32_t i = 0; i < halt->n_held; i++)
    if (!holds_object(self, locks, self->objects.items[halt->held + i])) return false;
  return true;
}

static halt_id find(struct halts *self, struct halt *wanted, uint32_t locks) {
  for (halt_id i = 1; i < self->list.count; i++)
    if (is_member(self, &self->list.items[i], wanted, locks)) return i;
  wanted->held = (uint32_t)self->objects.count;
  for (uint32_t lock = locks; lock; lock = self->locks.items[lock].next)
    vector_push(&self->objects, self->net->conditions.items[self->locks.items[lock].condition].object);
  wanted->n_held = (uint32_t)self->objects.count - wanted->held;
  vector_push(&self->list, *wanted);
  return (halt_id)self->list.count - 1;
}

static halt_id add_member(struct halts *self, event_id event, struct halt *wanted) {
  if (halts_of(self, event)) return self->of_event.items[event];
  const halt_id id = find(self, wanted, halts_held(self, event));
  vector_push(&self->list.items[id].members, event);
  while (self->of_event.count <= event) vector_push(&self->of_event, 0);
  return self->of_event.items[event] = id;
}

halt_id halts_add(struct halts *self, event_id id) {
  const struct net *net = self->net;
  const struct net_event *event = &net->events.items[id];
  struct halt halt = {.thread = event->thread, .operation = event->next};
  if (event->flags & (NET_ENDS_RUN | NET_BARREN)) return 0;
  if (kind_effect(net->operations.items[event->operation].kind) == EFFECT_ENDS) return add_member(self, id, &halt);
  if (!event->next) return 0;
  const struct operation *next = &net->operations.items[event->next];
  halt.wanted = wanted_by(net, event->next);
  halt.waits = waits(next->kind);
  if ((!halt.wanted && !halt.waits) || next->flags & EVENT_GIVES_UP) return 0;
  return add_member(self, id, &halt);
}

halt_id halts_add_tail(struct halts *self, uint32_t tail) {
  const event_id event = self->net->tails.items[tail].event;
  if (event < self->of_event.count) self->of_event.items[event] = 0; /* it was thought to continue */
  struct halt halt = {.thread = self->net->events.items[event].thread,
                      .operation = self->net->events.items[event].next,
                      .tail = net_same_tail(self->net, tail)};
  return add_member(self, event, &halt);
}

void halts_add_impossible(struct halts *self, event_id extension) {
  const struct net *net = self->net;
  const struct net_event *tried = &net->events.items[extension];
  struct halt halt = {.thread = tried->thread, .operation = tried->operation, .waits = true};
  for (uint8_t i = 0; i < tried->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[tried->first_access + i];
    if (access->mode == ACCESS_PAST ||
        net->objects.items[net->conditions.items[access->condition].object].kind == OBJECT_WORLD)
      continue;
    const halt_id id = add_member(self, tried->previous, &halt);
    vector_push(&self->list.items[id].pairs, ((struct blocked_pair){tried->previous, access->condition}));
    return;
  }
}

bool halts_keeps(struct halts *self, halt_id holder_id, halt_id other_id) {
  const struct halt *holder = &self->list.items[holder_id], *other = &self->list.items[other_id];
  if (!other->wanted) return false;
  if (holder->operation && halts_life(self, holder->thread) == other->wanted) return true;
  for (uint32_t i = 0; i < holder->n_held; i++)
    if (self->objects.items[holder->held + i] == other->wanted) return true;
  return false;
}

bool halts_exclude(const struct halts *self, halt_id a, halt_id b) {
  const struct halt *one = &self->list.items[a], *two = &self->list.items[b];
  for (uint32_t i = 0; i < one->n_held; i++)
    for (uint32_t k = 0; k < two->n_held; k++)
      if (self->objects.items[one->held + i] == self->objects.items[two->held + k] &&
          self->net->objects.items[self->objects.items[one->held + i]].kind == OBJECT_MUTEX)
        return true;
  return false;
}

bool halts_is_blocked(const struct halts *self, event_id event, condition_id id) {
  const struct net *net = self->net;
  const operation_id next = net->events.items[event].next;
  const struct condition *condition = &net->conditions.items[id];
  for (uint8_t i = 0; i < net->operations.items[next].n_accesses; i++)
    if (operation_object(net, next, i) == condition->object &&
        operation_possibility(net, next, i, net->events.items[event].thread, condition->state).mode == ACCESS_NONE)
      return true;
  return false;
}
