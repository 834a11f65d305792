/* SPDX-License-Identifier: MIT
 *
 * Configurations of a net, and whether events can happen together.
 *
 * Putting an event in walks only over what it follows that is not there yet. They cannot happen together if a thread
 * condition or a condition would be used up twice. In the ordinary unfolding a look uses up a copy: where a condition
 * is used up, the looks at it must be just those that the change lists. In the contextual one a look must come before
 * the change, and the union of "follows" and that relation must not have a cycle. A cycle needs a new event that looks
 * at what an event used up that was there before: only then it is searched for. As events are executed after what they
 * follow, it also needs a look that was not executed before the change after it (a late look), and the event of the
 * cycle that was executed first is such a change: nothing that was executed before is searched.
 */
#include "explore/unfolding/configuration.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void configuration_init(struct net_configuration *self, struct net *net) {
  *self = (struct net_configuration){.net = net};
}

void configuration_release(struct net_configuration *self) {
  vector_free(&self->trail);
  vector_free(&self->states);
  vector_free(&self->uses);
  vector_free(&self->next_readers);
  vector_free(&self->near);
  vector_free(&self->late_looks);
  vector_free(&self->befores);
  vector_free(&self->stack);
  vector_free(&self->visits);
}

uint64_t configuration_size_bytes(const struct net_configuration *self) {
  return self->states.count * sizeof *self->states.items + self->uses.count * sizeof *self->uses.items +
         self->next_readers.count * sizeof *self->next_readers.items;
}

#define GROW(vector, wanted)                                                                                           \
  do {                                                                                                                 \
    while ((vector)->capacity < (wanted))                                                                              \
      (vector)->items = memory_grow((vector)->items, &(vector)->capacity, sizeof *(vector)->items);                    \
    memset(&(vector)->items[(vector)->count], 0, ((wanted) - (vector)->count) * sizeof *(vector)->items);              \
    (vector)->count = (wanted);                                                                                        \
  } while (0)

static bool has_grown(const struct net_configuration *self) {
  const struct net *net = self->net;
  return self->states.count < net->events.count || self->uses.count < net->conditions.count ||
         self->near.count < net->objects.count;
}

static void grow(struct net_configuration *self) {
  const struct net *net = self->net;
  size_t condition = self->uses.count;
  GROW(&self->states, net->events.count);
  GROW(&self->uses, net->conditions.count);
  for (; condition < net->conditions.count; condition++)
    self->uses.items[condition].maker = net->conditions.items[condition].event;
  GROW(&self->next_readers, net->accesses.count);
  GROW(&self->near, net->objects.count);
}

static bool is_inside(const struct net_configuration *self, event_id event) {
  return self->states.items[event].marks & MARK_INSIDE;
}

/* ---- putting in ---- */

/* Would it use up what something else uses up? */
static bool is_free(const struct net_configuration *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  const struct net_access *access = &self->net->accesses.items[event->first_access];
  if (self->states.items[id].marks & MARK_EXCLUDED) return false;
  if (!(event->flags & NET_STARTS) && self->states.items[event->previous].follower) return false;
  for (uint8_t i = 0; i < event->n_accesses; i++)
    if (access[i].mode == ACCESS_CHANGE && self->uses.items[access[i].condition].consumer) return false;
  return true;
}

/* ---- late looks ---- */

static void note_late_look(struct net_configuration *self, event_id look, event_id change) {
  const uint32_t *ranks = self->net->ranks.items;
  const size_t count = self->late_looks.count;
  if (ranks[look] < ranks[change] || (count > 0 && self->late_looks.items[count - 1].change <= ranks[change])) return;
  vector_push(&self->late_looks, ((struct late_look){self->trail.count, ranks[change]}));
}

/* The event is put in; what it changes may have been looked at, what it looks at may have been changed. */
static void find_late_looks(struct net_configuration *self, event_id id, const struct net_access *access) {
  const struct condition_use *use = &self->uses.items[access->condition];
  if (access->mode == ACCESS_LOOK && use->consumer && use->consumer != NOBODY) note_late_look(self, id, use->consumer);
  if (access->mode != ACCESS_CHANGE) return;
  for (access_id i = use->reader; i; i = self->next_readers.items[i])
    note_late_look(self, self->net->accesses.items[i].event, id);
}

static void forget_late_looks(struct net_configuration *self, size_t length) {
  while (self->late_looks.count > 0 && self->late_looks.items[self->late_looks.count - 1].length > length)
    self->late_looks.count--;
}

static void push_missing(struct net_configuration *self, event_id event) {
  if (event && !is_inside(self, event)) vector_push(&self->stack, event);
}

static void put_access(struct net_configuration *self, event_id id, access_id place) {
  const struct net *net = self->net;
  const struct net_access *access = &net->accesses.items[place];
  struct condition_use *use = &self->uses.items[access->condition];
  if (net->is_contextual) find_late_looks(self, id, access);
  if (access->mode == ACCESS_CHANGE) use->consumer = id;
  if (access->mode == ACCESS_LOOK) {
    self->next_readers.items[place] = use->reader;
    use->reader = place;
    use->n_readers++;
  }
  push_missing(self, use->maker);
}

/* The looks that an ordinary change comes after. */
static void put_readers(struct net_configuration *self, const struct net_event *event) {
  const struct net *net = self->net;
  const uint32_t *record = &net->readers.items[event->readers];
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    if (!access_lists_looks(net, &net->accesses.items[event->first_access + i])) continue;
    for (uint32_t k = 0; k < record[1]; k++) push_missing(self, record[2 + k]);
    record += 2 + record[1];
  }
}

static void put(struct net_configuration *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  self->states.items[id].marks |= MARK_INSIDE | MARK_NEW;
  vector_push(&self->trail, id);
  if (!(event->flags & NET_STARTS)) self->states.items[event->previous].follower = id;
  push_missing(self, event->previous);
  for (uint8_t i = 0; i < event->n_accesses; i++) put_access(self, id, event->first_access + i);
  if (event->readers) put_readers(self, event);
}

static void take(struct net_configuration *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  self->states.items[id].marks &= (uint8_t) ~(MARK_INSIDE | MARK_NEW);
  if (!(event->flags & NET_STARTS)) self->states.items[event->previous].follower = 0;
  for (uint8_t i = event->n_accesses; i-- > 0;) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    struct condition_use *use = &self->uses.items[access->condition];
    if (access->mode == ACCESS_CHANGE) use->consumer = 0;
    if (access->mode == ACCESS_LOOK) {
      use->reader = self->next_readers.items[event->first_access + i];
      use->n_readers--;
    }
  }
}

/* ---- the hub ---- */

/* The event was put in when the trail had this length. */
static void put_lowest(struct net_configuration *self, event_id id, size_t length) {
  if (!hub_is_used(self->net)) return;
  vector_push(&self->befores, ((struct lowest_before){length, self->lowest}));
  self->lowest = hub_put(self->net, self->lowest, id);
}

static void take_lowest(struct net_configuration *self, size_t length) {
  while (self->befores.count > 0) {
    const struct lowest_before *before = &self->befores.items[self->befores.count - 1];
    if (before->length < length) return;
    self->lowest = before->lowest;
    self->befores.count--;
  }
}

void configuration_remove(struct net_configuration *self, size_t length) {
  while (self->trail.count > length) take(self, self->trail.items[--self->trail.count]);
  forget_late_looks(self, length);
  take_lowest(self, length);
}

/* ---- looks and changes ---- */

/* The looks at a condition that is used up are those that its user lists. */
static bool has_listed_looks(const struct net *net, condition_id id, const struct condition_use *use) {
  access_id place = net->events.items[use->consumer].first_access;
  while (net->accesses.items[place].condition != id || net->accesses.items[place].mode != ACCESS_CHANGE) place++;
  return net_readers(net, use->consumer, place)[0] == use->n_readers;
}

static bool is_ordinary(const struct net_configuration *self, const struct net_event *event) {
  const struct net *net = self->net;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    const struct condition_use *use = &self->uses.items[access->condition];
    if (access->mode == ACCESS_PAST || !use->consumer || !net_lists_looks(net, access->condition)) continue;
    if (use->consumer == NOBODY ? access->mode == ACCESS_CHANGE : !has_listed_looks(net, access->condition, use))
      return false;
  }
  return true;
}

/* ---- what comes before an event ---- */

/* What comes before the event of the visit and was not given yet: the previous one of its thread, then who made what it
 * touches, and who looked at what it changes. 0: that was all. */
static event_id next_before(const struct net_configuration *self, struct search_visit *visit) {
  const struct net *net = self->net;
  const struct net_event *event = &net->events.items[visit->event];
  const bool is_first = !visit->has_begun;
  visit->has_begun = true;
  if (is_first && event->previous) return event->previous;
  for (;;) {
    while (visit->reader) {
      const event_id look = net->accesses.items[visit->reader].event;
      visit->reader = self->next_readers.items[visit->reader];
      if (look != visit->event) return look;
    }
    if (visit->access == event->n_accesses) return 0;
    const struct net_access *access = &net->accesses.items[event->first_access + visit->access++];
    const struct condition_use *use = &self->uses.items[access->condition];
    if (access->mode == ACCESS_CHANGE) visit->reader = use->reader;
    if (use->maker) return use->maker;
  }
}

static void enter(struct net_configuration *self, event_id id) {
  self->states.items[id].marks |= MARK_ENTERED;
  vector_push(&self->stack, id);
  vector_push(&self->visits, (struct search_visit){.event = id});
}

static void leave(struct net_configuration *self, event_ids *list) {
  const event_id id = self->visits.items[--self->visits.count].event;
  self->states.items[id].marks |= MARK_LEFT;
  if (list) vector_push(list, id);
}

static bool is_to_be_searched(const struct net_configuration *self, event_id id) {
  return (self->states.items[id].marks & (MARK_INSIDE | MARK_LEFT)) == MARK_INSIDE;
}

/* Everything with this rank or a larger one that comes before the event, in the order of coming; false: it comes before
 * itself. A run may be long: this does not recurse. */
static bool search(struct net_configuration *self, event_id id, uint32_t lowest, event_ids *list) {
  self->visits.count = 0;
  if (is_to_be_searched(self, id)) enter(self, id);
  while (self->visits.count > 0) {
    const event_id before = next_before(self, &self->visits.items[self->visits.count - 1]);
    if (!before)
      leave(self, list);
    else if (self->net->ranks.items[before] < lowest)
      continue;
    else if (is_to_be_searched(self, before) && self->states.items[before].marks & MARK_ENTERED)
      return false;
    else if (is_to_be_searched(self, before))
      enter(self, before);
  }
  return true;
}

static void forget_search(struct net_configuration *self) {
  while (self->stack.count > 0)
    self->states.items[self->stack.items[--self->stack.count]].marks &= (uint8_t) ~(MARK_ENTERED | MARK_LEFT);
}

/* Does it look at what one that was there before uses up? */
static bool looks_back(const struct net_configuration *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    const event_id consumer = self->uses.items[access->condition].consumer;
    if (access->mode == ACCESS_LOOK && consumer && consumer != NOBODY &&
        !(self->states.items[consumer].marks & MARK_NEW))
      return true;
  }
  return false;
}

static bool is_contextual(struct net_configuration *self, event_id id) {
  const size_t count = self->late_looks.count;
  if (count == 0 || !looks_back(self, id)) return true;
  const bool good = search(self, id, self->late_looks.items[count - 1].change, NULL);
  forget_search(self);
  return good;
}

static bool is_consistent(struct net_configuration *self, event_id id) {
  const struct net *net = self->net;
  if (net->is_contextual && !is_contextual(self, id)) return false;
  return (net->is_contextual && !net->has_world) || is_ordinary(self, &net->events.items[id]);
}

static bool are_consistent(struct net_configuration *self, size_t length) {
  for (size_t i = length; i < self->trail.count; i++)
    if (!is_consistent(self, self->trail.items[i])) return false;
  return true;
}

/* Only the contextual unfolding asks what is new. */
static void forget_new(struct net_configuration *self, size_t length) {
  if (!self->net->is_contextual) return;
  for (size_t i = length; i < self->trail.count; i++)
    self->states.items[self->trail.items[i]].marks &= (uint8_t)~MARK_NEW;
}

/* Puts in the event and what it follows. False: it cannot, and some of that is there. */
static bool put_all(struct net_configuration *self, event_id id) {
  self->stack.count = 0;
  vector_push(&self->stack, id);
  while (self->stack.count > 0) {
    const event_id next = self->stack.items[--self->stack.count];
    if (is_inside(self, next)) continue;
    if (!is_free(self, next)) return false;
    put(self, next);
  }
  return true;
}

bool configuration_add(struct net_configuration *self, event_id id) {
  const size_t length = self->trail.count;
  if (!hub_allow(self->net, self->lowest, id)) return false;
  if (has_grown(self)) grow(self);
  if (!put_all(self, id) || !are_consistent(self, length)) {
    self->net->hub.n_refused++;
    configuration_remove(self, length);
    return false;
  }
  forget_new(self, length);
  put_lowest(self, id, length);
  return true;
}

void configuration_complete(struct net_configuration *self, event_id id) {
  const size_t length = self->trail.count;
  if (has_grown(self)) grow(self);
  const bool is_possible = put_all(self, id);
  BUG_ON(!is_possible);
  forget_new(self, length);
  put_lowest(self, id, length);
}

/* ---- asking ---- */

bool configuration_ends_run(const struct net_configuration *self) {
  const struct net *net = self->net;
  for (size_t i = 0; i < self->trail.count && net->n_ends > 0; i++)
    if (net->events.items[self->trail.items[i]].flags & NET_ENDS_RUN) return true;
  return false;
}

/* The conditions of the object that the configuration makes lie on one way down: it continues from any of them. */
condition_id configuration_current(struct net_configuration *self, object_id object) {
  const struct net *net = self->net;
  const struct condition *conditions = net->conditions.items;
  if (has_grown(self)) grow(self);
  condition_id condition = self->near.items[object] ? self->near.items[object] : net->objects.items[object].root;
  while (conditions[condition].event && !is_inside(self, conditions[condition].event))
    condition = conditions[condition].parent;
  for (;;) {
    const event_id consumer = self->uses.items[condition].consumer;
    if (!consumer || consumer == NOBODY) break;
    condition = net_output(net, consumer, object);
  }
  self->near.items[object] = condition;
  return condition;
}

/* The first rank from which on an event may come before one that was executed before it: a look that was executed after
 * the change that it comes before. */
static uint32_t first_late(const struct net_configuration *self) {
  const size_t count = self->late_looks.count;
  return count > 0 ? self->late_looks.items[count - 1].change : UINT32_MAX;
}

static int compare_ranks(const void *a, const void *b, void *ranks) {
  const uint32_t *rank = ranks;
  const uint32_t first = rank[*(const event_id *)a], second = rank[*(const event_id *)b];
  return (first > second) - (first < second);
}

/* Events in the order of their ranks, of those that are smaller than `end`. */
static void list_by_rank(const struct net_configuration *self, uint32_t end, event_ids *list) {
  uint32_t *ranks = self->net->ranks.items;
  for (size_t i = 0; i < self->trail.count; i++)
    if (ranks[self->trail.items[i]] < end) vector_push(list, self->trail.items[i]);
  if (list->count > 0) qsort_r(list->items, list->count, sizeof *list->items, compare_ranks, ranks);
}

static void list_by_search(struct net_configuration *self, const event_ids *last, uint32_t lowest, event_ids *list) {
  self->stack.count = 0;
  for (int ends = 0; ends <= 1; ends++)
    for (size_t i = 0; i < last->count; i++) {
      const event_id id = last->items[i];
      if (self->net->ranks.items[id] < lowest) continue;
      if (!(self->net->events.items[id].flags & NET_ENDS_RUN) == !ends) search(self, id, lowest, list);
    }
  forget_search(self);
}

void configuration_list(struct net_configuration *self, const event_ids *last, event_ids *list) {
  const uint32_t late = self->net->n_ends > 0 ? 0 : first_late(self);
  list->count = 0;
  list_by_rank(self, late, list);
  list_by_search(self, last, late, list);
}
