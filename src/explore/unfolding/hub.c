/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/net.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CHOICE 1024   /* events */
#define MOST_REFUSED 6      /* for each event, before it is worth while */
#define TOO_MANY_REFUSED 32 /* for each new event: another hub may be better */
#define LONG_LIST 48        /* items: longer ones are sorted */
#define FEW_NEW_ITEMS 16    /* of a sorted list: more are sorted together with the others */

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

/* The condition of the object that it uses up, 0: it does not. */
static condition_id used_up(const struct net *net, event_id id, object_id object) {
  const struct net_event *event = &net->events.items[id];
  const struct net_access *access = &net->accesses.items[event->first_access];
  for (uint8_t i = 0; i < event->n_accesses; i++)
    if (access[i].mode == ACCESS_CHANGE && net->conditions.items[access[i].condition].object == object)
      return access[i].condition;
  return 0;
}

/* The lowest place in the past of an event that has one of its own is that one: so the parent's place is known there.
 */
void hub_execute(struct net *net, event_id id) {
  struct hub *hub = &net->hub;
  const struct net_event *event = &net->events.items[id];
  if (!hub_is_used(net)) return;
  const condition_id used = hub->object ? used_up(net, id, hub->object) : 0;
  const bool is_of_hub = hub->object ? used != 0 : event->thread == hub->thread;
  const event_id parent = hub->object                 ? net->conditions.items[used].event
                          : event->flags & NET_STARTS ? 0
                                                      : event->previous;
  if (is_of_hub) hub->lowest.items[id] = places_add(&hub->places, hub->lowest.items[parent]);
}

/* ---- choosing ---- */

static void place_all(struct net *net) {
  drop_sorted(&net->hub);
  net->hub.lowest.count = 0;
  places_init(&net->hub.places);
  for (event_id id = 0; id < net->events.count; id++) {
    vector_push(&net->hub.lowest, 0);
    if (id > 0) follow_past(net, id);
    if (event_is_executed(net, id)) hub_execute(net, id);
  }
}

static bool has_refused(const struct net *net, uint64_t per_event) {
  return net->hub.n_refused >= per_event * (net->events.count - net->hub.chosen_at);
}

bool hub_is_due(const struct net *net) {
  if (net->events.count < 2 * net->hub.chosen_at || net->events.count < FIRST_CHOICE) return false;
  return hub_is_used(net) || has_refused(net, MOST_REFUSED);
}

/* The one with the most conditions. */
static object_id best_object(const struct net *net) {
  object_id best = 0;
  for (object_id object = 1; object < net->objects.count; object++)
    if (net->objects.items[object].n_conditions > net->objects.items[best].n_conditions) best = object;
  return best;
}

/* The one with the most events. */
static thread_id best_thread(const struct net *net) {
  uint32_t *counts = memory_allocate(HEDDLE_MAX_THREADS * sizeof *counts);
  thread_id best = 0;
  for (event_id id = 1; id < net->events.count; id++) {
    const thread_id thread = net->events.items[id].thread;
    if (++counts[thread] > counts[best]) best = thread;
  }
  free(counts);
  return best;
}

void hub_choose(struct net *net) {
  struct hub *hub = &net->hub;
  const bool was_object = hub->object != 0, was_used = hub_is_used(net);
  const bool is_object = was_used ? was_object != has_refused(net, TOO_MANY_REFUSED) : true;
  const object_id object = is_object ? best_object(net) : 0;
  const thread_id thread = is_object ? 0 : best_thread(net);
  const bool is_same = was_used && object == hub->object && thread == hub->thread;
  hub->chosen_at = net->events.count;
  hub->n_refused = 0;
  hub->object = object;
  hub->thread = thread;
  if (!is_same) place_all(net);
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

enum list_kind { LIST_USERS, LIST_CHILDREN, LIST_LOOKS };

static event_id event_of(const struct net *net, uint32_t item, enum list_kind kind) {
  return kind == LIST_CHILDREN ? net->conditions.items[item].event : item;
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

/* Takes in what was pushed to the list since: the nodes from `first` on. */
static void catch_up(struct net *net, struct sorted_list *list, uint32_t first, enum list_kind kind) {
  const size_t count = list->items.count;
  uint32_t n_new = 0;
  for (uint32_t node = first; node != list->newest; node = net->nodes.items[node].next) n_new++;
  for (uint32_t node = first; node != list->newest; node = net->nodes.items[node].next) {
    const uint32_t item = net->nodes.items[node].item;
    const place_id place = net->hub.lowest.items[event_of(net, item, kind)];
    vector_push(&list->items, ((struct sorted_item){place, item}));
    if (n_new <= FEW_NEW_ITEMS) insert_last(net, list);
  }
  if (n_new > FEW_NEW_ITEMS)
    qsort_r(list->items.items, count + n_new, sizeof *list->items.items, compare_items, &net->hub.places);
  list->newest = first;
}

static void sort_list(struct net *net, uint64_t key) {
  *number_map_add(&net->hub.sorted_of, key) = (uint32_t)net->hub.sorted.count;
  vector_push(&net->hub.sorted, (struct sorted_list){0});
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

static void list(struct net *net, uint32_t number, uint32_t first, enum list_kind kind, place_id lowest,
                 list_items *items) {
  const uint64_t key = (uint64_t)kind << 32 | number;
  const uint32_t *sorted = number_map_find(&net->hub.sorted_of, key);
  if (sorted) {
    catch_up(net, &net->hub.sorted.items[*sorted], first, kind);
    list_sorted(net, &net->hub.sorted.items[*sorted], lowest, items);
    return;
  }
  uint32_t length = 0;
  for (uint32_t node = first; node; node = net->nodes.items[node].next, length++)
    if (hub_allow(net, lowest, event_of(net, net->nodes.items[node].item, kind)))
      vector_push(items, net->nodes.items[node].item);
  if (length > LONG_LIST && hub_is_used(net)) sort_list(net, key);
}

void hub_list_users(struct net *net, uint32_t thread_list, place_id lowest, list_items *items) {
  list(net, thread_list, net->thread_lists.items[thread_list].first, LIST_USERS, lowest, items);
}

void hub_list_children(struct net *net, uint32_t thread_list, place_id lowest, list_items *items) {
  list(net, thread_list, net->thread_lists.items[thread_list].first, LIST_CHILDREN, lowest, items);
}

void hub_list_looks(struct net *net, condition_id condition, place_id lowest, list_items *items) {
  list(net, condition, net->conditions.items[condition].reads, LIST_LOOKS, lowest, items);
}
