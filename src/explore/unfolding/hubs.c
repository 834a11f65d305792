/* SPDX-License-Identifier: MIT
 *
 * A quick answer to whether an event can be put into a configuration. Usually it cannot, and finding that
 * out by putting it in means walking through its past.
 *
 * The conditions of one object form a tree, and those that a configuration makes lie on one way down from the root. For
 * some objects that are changed often (the hubs), each event knows the lowest condition in its past. If that and the
 * lowest one of the configuration are not on one way, they cannot be together. Which of two is above the other is found
 * in a logarithmic number of jumps.
 *
 * The hubs are chosen again when the net has doubled. If most events can be put in, there are no hubs, and nothing is
 * kept.
 */
#include "explore/unfolding/net.h"

#include <string.h>

#define FIRST_CHOICE 1024 /* events */
#define MOST_REFUSED 6    /* for each event, before it is worth while */

bool hubs_are_used(const struct net *net) {
  return net->lowest.count > 0;
}

/* ---- trees ---- */

static void place(struct net *net, condition_id id) {
  const condition_id parent = net->conditions.items[id].parent;
  const struct tree_place *places = net->places.items;
  if (!parent) {
    vector_push(&net->places, ((struct tree_place){0, id}));
    return;
  }
  const condition_id jump = places[parent].jump;
  const bool is_even =
      places[parent].depth - places[jump].depth == places[jump].depth - places[places[jump].jump].depth;
  const struct tree_place own = {places[parent].depth + 1, is_even ? places[jump].jump : parent};
  vector_push(&net->places, own);
}

static condition_id above(const struct net *net, condition_id id, uint32_t depth) {
  const struct tree_place *places = net->places.items;
  while (places[id].depth > depth)
    id = places[places[id].jump].depth >= depth ? places[id].jump : net->conditions.items[id].parent;
  return id;
}

static bool are_on_one_way(const struct net *net, condition_id a, condition_id b) {
  if (!a || !b || a == b) return true;
  const uint32_t depth_a = net->places.items[a].depth, depth_b = net->places.items[b].depth;
  return depth_a < depth_b ? above(net, b, depth_a) == a : above(net, a, depth_b) == b;
}

/* ---- events ---- */

static condition_id lower(const struct net *net, condition_id a, condition_id b) {
  return net->places.items[b].depth > net->places.items[a].depth ? b : a;
}

static void follow(struct net *net, event_id id, event_id before) {
  for (int k = 0; k < HUBS; k++)
    net->lowest.items[id].of[k] = lower(net, net->lowest.items[id].of[k], net->lowest.items[before].of[k]);
}

static void follow_readers(struct net *net, event_id id) {
  const struct net_event *event = &net->events.items[id];
  const uint32_t *record = &net->readers.items[event->readers];
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    if (net->accesses.items[event->first_access + i].mode != ACCESS_CHANGE) continue;
    for (uint32_t k = 0; k < record[1]; k++) follow(net, id, record[2 + k]);
    record += 2 + record[1];
  }
}

static void follow_past(struct net *net, event_id id) {
  const struct net_event *event = &net->events.items[id];
  follow(net, id, event->previous);
  for (uint8_t i = 0; i < event->n_accesses; i++)
    follow(net, id, net->conditions.items[net->accesses.items[event->first_access + i].condition].event);
  if (event->readers) follow_readers(net, id);
}

void hubs_add_event(struct net *net, event_id id) {
  if (!hubs_are_used(net)) return;
  vector_push(&net->lowest, (struct lowest){0});
  follow_past(net, id);
}

/* The event has made the condition. */
static void add_output(struct net *net, condition_id id) {
  const struct condition *condition = &net->conditions.items[id];
  for (int k = 0; k < HUBS; k++)
    if (net->hubs[k] == condition->object) net->lowest.items[condition->event].of[k] = id;
}

void hubs_add_condition(struct net *net, condition_id id) {
  if (!hubs_are_used(net)) return;
  place(net, id);
  if (net->conditions.items[id].event) add_output(net, id);
}

/* ---- choosing ---- */

static void place_all(struct net *net) {
  net->lowest.count = net->places.count = 0;
  for (condition_id id = 0; id < net->conditions.count; id++) place(net, id);
  for (event_id id = 0; id < net->events.count; id++) {
    const struct net_event *event = &net->events.items[id];
    vector_push(&net->lowest, (struct lowest){0});
    if (id > 0) follow_past(net, id);
    for (uint8_t i = 0, n = 0; i < event->n_accesses && event->first_output; i++)
      if (net->accesses.items[event->first_access + i].mode == ACCESS_CHANGE)
        add_output(net, event->first_output + n++);
  }
}

bool hubs_are_due(const struct net *net) {
  if (net->events.count < net->next_choice || net->events.count < FIRST_CHOICE) return false;
  return hubs_are_used(net) || net->n_refused >= MOST_REFUSED * net->events.count;
}

/* Those with the most conditions. */
void hubs_choose(struct net *net) {
  net->next_choice = 2 * net->events.count;
  object_id chosen[HUBS] = {0};
  for (object_id object = 1; object < net->objects.count; object++) {
    object_id candidate = object;
    for (int k = 0; k < HUBS; k++) {
      if (net->objects.items[candidate].n_conditions <= net->objects.items[chosen[k]].n_conditions) continue;
      const object_id other = chosen[k];
      chosen[k] = candidate;
      candidate = other;
    }
  }
  if (memcmp(chosen, net->hubs, sizeof chosen) == 0) return;
  memcpy(net->hubs, chosen, sizeof chosen);
  place_all(net);
}

/* ---- configurations ---- */

bool hubs_allow(const struct net *net, const struct lowest *lowest, event_id id) {
  if (!hubs_are_used(net)) return true;
  for (int k = 0; k < HUBS; k++)
    if (!are_on_one_way(net, lowest->of[k], net->lowest.items[id].of[k])) return false;
  return true;
}

void hubs_put(const struct net *net, struct lowest *lowest, event_id id) {
  for (int k = 0; k < HUBS; k++) lowest->of[k] = lower(net, lowest->of[k], net->lowest.items[id].of[k]);
}
