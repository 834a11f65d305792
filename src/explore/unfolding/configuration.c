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
#include "explore/unfolding/net.h"

#include "base/error.h"

static bool is_inside(const struct net *net, event_id event) {
  return net->events.items[event].flags & NET_INSIDE;
}

/* ---- putting in ---- */

/* Would it use up what something else uses up? */
static bool is_free(const struct net *net, const struct net_event *event) {
  if (event->flags & NET_EXCLUDED) return false;
  if (!(event->flags & NET_STARTS) && net->events.items[event->previous].follower) return false;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    if (access->mode == ACCESS_CHANGE && net->conditions.items[access->condition].consumer) return false;
  }
  return true;
}

/* ---- late looks ---- */

static void note_late_look(struct net *net, event_id look, event_id change) {
  const uint32_t rank = net->ranks.items[change];
  const size_t count = net->late_looks.count;
  if (net->ranks.items[look] < rank || (count > 0 && net->late_looks.items[count - 1].change <= rank)) return;
  vector_push(&net->late_looks, ((struct late_look){net->trail.count, rank}));
}

/* The event is put in; what it changes may have been looked at, what it looks at may have been changed. */
static void find_late_looks(struct net *net, event_id id, const struct net_access *access) {
  const struct condition *condition = &net->conditions.items[access->condition];
  if (access->mode == ACCESS_LOOK && condition->consumer && condition->consumer != NOBODY)
    note_late_look(net, id, condition->consumer);
  if (access->mode != ACCESS_CHANGE) return;
  for (access_id i = condition->reader; i; i = net->accesses.items[i].next_reader)
    note_late_look(net, net->accesses.items[i].event, id);
}

static void forget_late_looks(struct net *net, size_t length) {
  while (net->late_looks.count > 0 && net->late_looks.items[net->late_looks.count - 1].length > length)
    net->late_looks.count--;
}

static void put_access(struct net *net, event_id id, access_id place) {
  struct net_access *access = &net->accesses.items[place];
  struct condition *condition = &net->conditions.items[access->condition];
  if (net->is_contextual) find_late_looks(net, id, access);
  if (access->mode == ACCESS_CHANGE) condition->consumer = id;
  if (access->mode == ACCESS_LOOK) {
    access->next_reader = condition->reader;
    condition->reader = place;
    condition->n_readers++;
  }
  if (condition->event && !is_inside(net, condition->event)) vector_push(&net->stack, condition->event);
}

/* The looks that an ordinary change comes after. */
static void put_readers(struct net *net, const struct net_event *event) {
  const uint32_t *record = &net->readers.items[event->readers];
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    if (!access_lists_looks(net, &net->accesses.items[event->first_access + i])) continue;
    for (uint32_t k = 0; k < record[1]; k++)
      if (!is_inside(net, record[2 + k])) vector_push(&net->stack, record[2 + k]);
    record += 2 + record[1];
  }
}

static void put(struct net *net, event_id id) {
  struct net_event *event = &net->events.items[id];
  event->flags |= NET_INSIDE | NET_NEW;
  vector_push(&net->trail, id);
  if (!(event->flags & NET_STARTS)) net->events.items[event->previous].follower = id;
  if (event->previous && !is_inside(net, event->previous)) vector_push(&net->stack, event->previous);
  for (uint8_t i = 0; i < event->n_accesses; i++) put_access(net, id, event->first_access + i);
  if (event->readers) put_readers(net, event);
}

static void take(struct net *net, event_id id) {
  struct net_event *event = &net->events.items[id];
  event->flags &= (uint16_t) ~(NET_INSIDE | NET_NEW);
  if (!(event->flags & NET_STARTS)) net->events.items[event->previous].follower = 0;
  for (uint8_t i = event->n_accesses; i-- > 0;) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    struct condition *condition = &net->conditions.items[access->condition];
    if (access->mode == ACCESS_CHANGE) condition->consumer = 0;
    if (access->mode == ACCESS_LOOK) {
      condition->reader = access->next_reader;
      condition->n_readers--;
    }
  }
}

void configuration_remove(struct net *net, size_t length) {
  while (net->trail.count > length) take(net, net->trail.items[--net->trail.count]);
  forget_late_looks(net, length);
  hubs_remove(net, length);
}

/* ---- looks and changes ---- */

/* The looks at a condition that is used up are those that its user lists. */
static bool has_listed_looks(const struct net *net, const struct condition *condition) {
  const struct net_event *consumer = &net->events.items[condition->consumer];
  const condition_id id = (condition_id)(condition - net->conditions.items);
  access_id place = consumer->first_access;
  while (net->accesses.items[place].condition != id || net->accesses.items[place].mode != ACCESS_CHANGE) place++;
  return net_readers(net, condition->consumer, place)[0] == condition->n_readers;
}

static bool is_ordinary(const struct net *net, const struct net_event *event) {
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    const struct condition *condition = &net->conditions.items[access->condition];
    if (access->mode == ACCESS_PAST || !condition->consumer || !net_lists_looks(net, access->condition)) continue;
    if (condition->consumer == NOBODY ? access->mode == ACCESS_CHANGE : !has_listed_looks(net, condition)) return false;
  }
  return true;
}

/* ---- what comes before an event ---- */

/* What comes before the event of the visit and was not given yet: the previous one of its thread, then who made what it
 * touches, and who looked at what it changes. 0: that was all. */
static event_id next_before(const struct net *net, struct net_visit *visit) {
  const struct net_event *event = &net->events.items[visit->event];
  const bool is_first = !visit->has_begun;
  visit->has_begun = true;
  if (is_first && event->previous) return event->previous;
  for (;;) {
    while (visit->reader) {
      const struct net_access *look = &net->accesses.items[visit->reader];
      visit->reader = look->next_reader;
      if (look->event != visit->event) return look->event;
    }
    if (visit->access == event->n_accesses) return 0;
    const struct net_access *access = &net->accesses.items[event->first_access + visit->access++];
    const struct condition *condition = &net->conditions.items[access->condition];
    if (access->mode == ACCESS_CHANGE) visit->reader = condition->reader;
    if (condition->event) return condition->event;
  }
}

static void enter(struct net *net, event_id id) {
  net->events.items[id].flags |= NET_ENTERED;
  vector_push(&net->stack, id);
  vector_push(&net->visits, (struct net_visit){.event = id});
}

static void leave(struct net *net, event_ids *list) {
  const event_id id = net->visits.items[--net->visits.count].event;
  net->events.items[id].flags |= NET_LEFT;
  if (list) vector_push(list, id);
}

static bool is_to_be_searched(const struct net *net, event_id id) {
  return (net->events.items[id].flags & (NET_INSIDE | NET_LEFT)) == NET_INSIDE;
}

/* Everything with this rank or a larger one that comes before the event, in the order of coming; false: it comes before
 * itself. A run may be long: this does not recurse. */
static bool search(struct net *net, event_id id, uint32_t lowest, event_ids *list) {
  net->visits.count = 0;
  if (is_to_be_searched(net, id)) enter(net, id);
  while (net->visits.count > 0) {
    const event_id before = next_before(net, &net->visits.items[net->visits.count - 1]);
    if (!before)
      leave(net, list);
    else if (net->ranks.items[before] < lowest)
      continue;
    else if (is_to_be_searched(net, before) && net->events.items[before].flags & NET_ENTERED)
      return false;
    else if (is_to_be_searched(net, before))
      enter(net, before);
  }
  return true;
}

static void forget_search(struct net *net) {
  while (net->stack.count > 0)
    net->events.items[net->stack.items[--net->stack.count]].flags &= (uint16_t) ~(NET_ENTERED | NET_LEFT);
}

/* Does it look at what one that was there before uses up? */
static bool looks_back(const struct net *net, const struct net_event *event) {
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    const event_id consumer = net->conditions.items[access->condition].consumer;
    if (access->mode == ACCESS_LOOK && consumer && consumer != NOBODY && !(net->events.items[consumer].flags & NET_NEW))
      return true;
  }
  return false;
}

static bool is_contextual(struct net *net, event_id id) {
  const size_t count = net->late_looks.count;
  if (count == 0 || !looks_back(net, &net->events.items[id])) return true;
  const bool good = search(net, id, net->late_looks.items[count - 1].change, NULL);
  forget_search(net);
  return good;
}

static bool are_consistent(struct net *net, size_t length) {
  for (size_t i = length; i < net->trail.count; i++) {
    const event_id id = net->trail.items[i];
    if (net->is_contextual && !is_contextual(net, id)) return false;
    if ((!net->is_contextual || net->has_world) && !is_ordinary(net, &net->events.items[id])) return false;
  }
  return true;
}

static bool add(struct net *net, event_id id, bool is_possible) {
  const size_t length = net->trail.count;
  bool good = true;
  net->stack.count = 0;
  vector_push(&net->stack, id);
  while (good && net->stack.count > 0) {
    const event_id next = net->stack.items[--net->stack.count];
    if (is_inside(net, next)) continue;
    good = is_free(net, &net->events.items[next]);
    if (good) put(net, next);
  }
  net->stack.count = 0;
  good = good && (is_possible || are_consistent(net, length));
  if (!good) configuration_remove(net, length);
  if (good) hubs_put(net, id, length);
  net->n_refused += !good;
  for (size_t i = length; i < net->trail.count; i++) net->events.items[net->trail.items[i]].flags &= (uint16_t)~NET_NEW;
  return good;
}

bool configuration_add(struct net *net, event_id id) {
  return hubs_allow(net, id) && add(net, id, false);
}

void configuration_complete(struct net *net, event_id id) {
  const bool good = add(net, id, true);
  BUG_ON(!good);
}

/* ---- asking ---- */

bool configuration_ends_run(const struct net *net) {
  for (size_t i = 0; i < net->trail.count && net->n_ends > 0; i++)
    if (net->events.items[net->trail.items[i]].flags & NET_ENDS_RUN) return true;
  return false;
}

/* The conditions of the object that the configuration makes lie on one way down: it continues from any of them. */
condition_id configuration_current(struct net *net, object_id object) {
  const struct condition *conditions = net->conditions.items;
  condition_id condition = net->objects.items[object].near;
  while (conditions[condition].event && !is_inside(net, conditions[condition].event))
    condition = conditions[condition].parent;
  for (;;) {
    const event_id consumer = conditions[condition].consumer;
    if (!consumer || consumer == NOBODY) break;
    condition = net_output(net, consumer, object);
  }
  net->objects.items[object].near = condition;
  return condition;
}

void configuration_list(struct net *net, event_ids *list) {
  list->count = 0;
  net->stack.count = 0;
  for (int ends = 0; ends <= 1; ends++)
    for (size_t i = 0; i < net->trail.count; i++) {
      const event_id id = net->trail.items[i];
      if (!(net->events.items[id].flags & NET_ENDS_RUN) == !ends) search(net, id, 0, list);
    }
  forget_search(net);
}
