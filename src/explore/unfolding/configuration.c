/* SPDX-License-Identifier: MIT
 *
 * Configurations of a net, and whether events can happen together.
 *
 * Putting an event in walks only over what it follows that is not there yet. They cannot happen together if a thread
 * condition or a condition would be used up twice. In the ordinary unfolding a look uses up a copy: where a condition
 * is used up, the looks at it must be just those that the change lists. In the contextual one a look must come before
 * the change, and the union of "follows" and that relation must not have a cycle. A cycle needs a new event that looks
 * at what an event used up that was there before: only then it is searched for.
 */
#include "explore/unfolding/net.h"

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

static void put_access(struct net *net, event_id id, access_id place) {
  struct net_access *access = &net->accesses.items[place];
  struct condition *condition = &net->conditions.items[access->condition];
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

static bool search(struct net *net, event_id id, event_ids *list);

static bool search_looks(struct net *net, event_id id, condition_id condition, event_ids *list) {
  for (access_id i = net->conditions.items[condition].reader; i; i = net->accesses.items[i].next_reader)
    if (net->accesses.items[i].event != id && !search(net, net->accesses.items[i].event, list)) return false;
  return true;
}

/* Everything that comes before the event, in the order of coming; false: it comes before itself. */
static bool search(struct net *net, event_id id, event_ids *list) {
  struct net_event *event = &net->events.items[id];
  if (!(event->flags & NET_INSIDE) || event->flags & NET_LEFT) return true;
  if (event->flags & NET_ENTERED) return false;
  event->flags |= NET_ENTERED;
  vector_push(&net->stack, id);
  if (!search(net, event->previous, list)) return false;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    const event_id maker = net->conditions.items[access->condition].event;
    if (maker && !search(net, maker, list)) return false;
    if (access->mode == ACCESS_CHANGE && !search_looks(net, id, access->condition, list)) return false;
  }
  event->flags |= NET_LEFT;
  if (list) vector_push(list, id);
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
  if (!looks_back(net, &net->events.items[id])) return true;
  const bool good = search(net, id, NULL);
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

bool configuration_add(struct net *net, event_id id) {
  const size_t length = net->trail.count;
  bool good = true;
  if (!hubs_allow(net, id)) return false;
  net->stack.count = 0;
  vector_push(&net->stack, id);
  while (good && net->stack.count > 0) {
    const event_id next = net->stack.items[--net->stack.count];
    if (is_inside(net, next)) continue;
    good = is_free(net, &net->events.items[next]);
    if (good) put(net, next);
  }
  net->stack.count = 0;
  good = good && are_consistent(net, length);
  if (!good) configuration_remove(net, length);
  if (good) hubs_put(net, id, length);
  net->n_refused += !good;
  for (size_t i = length; i < net->trail.count; i++) net->events.items[net->trail.items[i]].flags &= (uint16_t)~NET_NEW;
  return good;
}

/* ---- asking ---- */

bool configuration_ends_run(const struct net *net) {
  for (size_t i = 0; i < net->trail.count && net->n_ends > 0; i++)
    if (net->events.items[net->trail.items[i]].flags & NET_ENDS_RUN) return true;
  return false;
}

condition_id configuration_current(const struct net *net, object_id object) {
  condition_id condition = net->objects.items[object].root;
  for (;;) {
    const event_id consumer = net->conditions.items[condition].consumer;
    if (!consumer || consumer == NOBODY) return condition;
    condition = net_output(net, consumer, object);
  }
}

void configuration_list(struct net *net, event_ids *list) {
  list->count = 0;
  net->stack.count = 0;
  for (int ends = 0; ends <= 1; ends++)
    for (size_t i = 0; i < net->trail.count; i++) {
      const event_id id = net->trail.items[i];
      if (!(net->events.items[id].flags & NET_ENDS_RUN) == !ends) search(net, id, list);
    }
  forget_search(net);
}
