/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/net.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CHOICE 1024 /* events */
#define MOST_REFUSED 6    /* for each event, before it is worth while */
#define LONG_LIST 48      /* items: longer ones are sorted */
#define FEW_NEW_ITEMS 16  /* of a sorted list: more are sorted together with the others */

bool hub_is_used(const struct net *net) {
  return net->hub.lowest.count > 0;
}

static void drop_sorted(struct hub *hub) {
  for (size_t i = 0; i < hub->sorted.count; i++) vector_free(&hub->sorted.items[i].items);
  hub->sorted.count = 0;
  number_map_free(&hub->sorted_of);
}

void hub_free(struct hub *hub) {
  drop_sorted(hub);
  vector_free(&hub->sorted);
  vector_free(&hub->lowest);
  places_free(&hub->places);
}

uint64_t hub_size_bytes(const struct hub *hub) {
  uint64_t n_items = 0;
  for (size_t i = 0; i < hub->sorted.count; i++) n_items += hub->sorted.items[i].items.count;
  return hub->lowest.count * sizeof *hub->lowest.items + hub->places.items.count * sizeof *hub->places.items.items +
         hub->sorted.count * sizeof *hub->sorted.items + n_items * sizeof(struct sorted_item) +
         hub->sorted_of.size * sizeof *hub->sorted_of.slots;
}

/* ---- events ---- */

static place_id lower(const struct hub *hub, place_id a, place_id b) {
  return places_depth(&hub->places, b) > places_depth(&hub->places, a) ? b : a;
}

static void follow(struct hub *hub, event_id id, event_id before) {
  hub->lowest.items[id] = lower(hub, hub->lowest.items[id], hub->lowest.items[before]);
}

static void follow_readers(struct net *net, event_id id) {
  const struct net_event *event = &net->events.items[id];
  const uint32_t *record = &net->readers.items[event->readers];
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    if (!access_lists_looks(net, &net->accesses.items[event->first_access + i])) continue;
    for (uint32_t k = 0; k < record[1]; k++) follow(&net->hub, id, record[2 + k]);
    record += 2 + record[1];
  }
}

static void follow_past(struct net *net, event_id id) {
  const struct net_event *event = &net->events.items[id];
  follow(&net->hub, id, event->previous);
  for (uint8_t i = 0; i < event->n_accesses; i++)
    follow(&net->hub, id, net->conditions.items[net->accesses.items[event->first_access + i].condition].event);
  if (event->readers) follow_readers(net, id);
}

void hub_add_event(struct net *net, event_id id) {
  if (!hub_is_used(net)) return;
  vector_push(&net->hub.lowest, 0);
  follow_past(net, id);
}

/* The lowest condition in the past of the event that made it is the one itself: the parent's place is known there. */
void hub_add_condition(struct net *net, condition_id id) {
  struct hub *hub = &net->hub;
  const struct condition *condition = &net->conditions.items[id];
  if (!hub_is_used(net) || hub->object != condition->object) return;
  const event_id maker = net->conditions.items[condition->parent].event;
  hub->lowest.items[condition->event] = places_add(&hub->places, hub->lowest.items[maker]);
}

/* ---- choosing ---- */

static void place_all(struct net *net) {
  drop_sorted(&net->hub);
  net->hub.lowest.count = 0;
  places_init(&net->hub.places);
  for (event_id id = 0; id < net->events.count; id++) {
    const struct net_event *event = &net->events.items[id];
    vector_push(&net->hub.lowest, 0);
    if (id > 0) follow_past(net, id);
    for (uint8_t i = 0, n = 0; i < event->n_accesses && event->first_output; i++)
      if (net->accesses.items[event->first_access + i].mode == ACCESS_CHANGE)
        hub_add_condition(net, event->first_output + n++);
  }
}

bool hub_is_due(const struct net *net) {
  if (net->events.count < net->hub.next_choice || net->events.count < FIRST_CHOICE) return false;
  return hub_is_used(net) || net->hub.n_refused >= MOST_REFUSED * net->events.count;
}

/* The one with the most conditions. */
static object_id best_object(const struct net *net) {
  object_id best = 0;
  for (object_id object = 1; object < net->objects.count; object++)
    if (net->objects.items[object].n_conditions > net->objects.items[best].n_conditions) best = object;
  return best;
}

void hub_choose(struct net *net) {
  const object_id object = best_object(net);
  net->hub.next_choice = 2 * net->events.count;
  if (object == net->hub.object) return;
  net->hub.object = object;
  place_all(net);
}

/* ---- configurations ---- */

static bool are_on_one_way(const struct places *places, place_id a, place_id b) {
  return a == b || places_is_above(places, a, b) || places_is_above(places, b, a);
}

bool hub_allow(const struct net *net, place_id lowest, event_id id) {
  return !hub_is_used(net) || are_on_one_way(&net->hub.places, lowest, net->hub.lowest.items[id]);
}

place_id hub_put(const struct net *net, place_id lowest, event_id id) {
  return lower(&net->hub, lowest, net->hub.lowest.items[id]);
}

/* ---- sorted lists ---- */

static event_id event_of(const struct net *net, uint32_t item, bool is_user) {
  return is_user ? item : net->conditions.items[item].event;
}

/* How many have a smaller label. */
static size_t count_before(const struct net *net, const struct sorted_list *list, uint64_t label) {
  size_t low = 0, high = list->items.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (places_label(&net->hub.places, list->items.items[middle].place) < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int compare_items(const void *a, const void *b, void *places) {
  const struct sorted_item *one = a, *two = b;
  const uint64_t x = places_label(places, one->place), y = places_label(places, two->place);
  return x != y ? (x > y) - (x < y) : (one->item > two->item) - (one->item < two->item);
}

/* The last item goes to its place. */
static void insert_last(struct net *net, struct sorted_list *list) {
  const size_t last = list->items.count - 1;
  const struct sorted_item item = list->items.items[last];
  list->items.count = last;
  const size_t place = count_before(net, list, places_label(&net->hub.places, item.place));
  memmove(&list->items.items[place + 1], &list->items.items[place], (last - place) * sizeof item);
  list->items.items[place] = item;
  list->items.count = last + 1;
}

/* Takes in what was pushed to the list since. */
static void catch_up(struct net *net, struct sorted_list *list, bool are_users) {
  const uint32_t first = net->thread_lists.items[list->list].first;
  const size_t count = list->items.count;
  uint32_t n_new = 0;
  for (uint32_t node = first; node != list->newest; node = net->nodes.items[node].next) n_new++;
  for (uint32_t node = first; node != list->newest; node = net->nodes.items[node].next) {
    const uint32_t item = net->nodes.items[node].item;
    const place_id place = net->hub.lowest.items[event_of(net, item, are_users)];
    vector_push(&list->items, ((struct sorted_item){place, item}));
    if (n_new <= FEW_NEW_ITEMS) insert_last(net, list);
  }
  if (n_new > FEW_NEW_ITEMS)
    qsort_r(list->items.items, count + n_new, sizeof *list->items.items, compare_items, &net->hub.places);
  list->newest = first;
}

static void sort_list(struct net *net, uint32_t list) {
  *number_map_add(&net->hub.sorted_of, list) = (uint32_t)net->hub.sorted.count;
  vector_push(&net->hub.sorted, ((struct sorted_list){.list = list}));
}

/* First what is below the place. Then what is above it: from one that is not, the search continues
 * where its way and that of the place part. */
static void list_sorted(const struct net *net, const struct sorted_list *list, place_id lowest, list_items *items) {
  const struct places *places = &net->hub.places;
  const struct sorted_item *sorted = list->items.items;
  size_t i = count_before(net, list, places_label(places, lowest));
  for (size_t k = i; k < list->items.count && places_is_above(places, lowest, sorted[k].place); k++)
    vector_push(items, sorted[k].item);
  while (i > 0) {
    const place_id common = places_common(places, sorted[i - 1].place, lowest);
    if (common == sorted[i - 1].place)
      vector_push(items, sorted[--i].item);
    else
      i = count_before(net, list, places_label(places, common) + 1);
  }
}

void hub_list(struct net *net, uint32_t list, bool are_users, place_id lowest, list_items *items) {
  const uint32_t *sorted = number_map_find(&net->hub.sorted_of, list);
  if (sorted) {
    catch_up(net, &net->hub.sorted.items[*sorted], are_users);
    list_sorted(net, &net->hub.sorted.items[*sorted], lowest, items);
    return;
  }
  uint32_t length = 0;
  for (uint32_t node = net->thread_lists.items[list].first; node; node = net->nodes.items[node].next, length++)
    if (hub_allow(net, lowest, event_of(net, net->nodes.items[node].item, are_users)))
      vector_push(items, net->nodes.items[node].item);
  if (length > LONG_LIST && hub_is_used(net)) sort_list(net, list);
}
