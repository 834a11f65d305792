/* SPDX-License-Identifier: MIT
 *
 * Nets and configurations (src/explore/unfolding/net.c, configuration.c, pasts.c, hub.c) on unfoldings that random runs
 * make: which events can happen together is compared with firing them one by one, in every order.
 */
#include "unit.h"

#include "base/random.h"
#include "explore/unfolding/pasts.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 3
#define OBJECTS 2
#define OPERATIONS 3 /* of a thread */
#define RUNS 12
#define MOST_EVENTS 16 /* in a set that is fired */

static struct net net;
static struct net_configuration configuration;
static uint64_t seed;

/* --- random runs --- */

struct look {
  condition_id condition;
  event_id event;
};

struct simulation {
  event_id last[THREADS];
  struct look looks[THREADS * OPERATIONS];
  size_t n_looks;
};

/* The looks at the condition, as a change lists them: how many, and of other threads the last. */
static void list_looks(const struct simulation *run, condition_id condition, thread_id thread, reader_list *list) {
  uint32_t count = 0;
  for (size_t i = 0; i < run->n_looks; i++) count += run->looks[i].condition == condition;
  const size_t record = readers_begin(list, count);
  for (size_t i = 0; i < run->n_looks; i++)
    if (run->looks[i].condition == condition && net.events.items[run->looks[i].event].thread != thread)
      readers_add(list, record, &net, run->looks[i].event);
}

static event_id add_or_find(const struct event_key *key) {
  static const uint32_t states[1];
  event_id id = net_find(&net, key);
  if (id) {
    assert_true(net_is(&net, id, key));
    return id;
  }
  id = net_add(&net, key, 0);
  assert_int_equal(net_find(&net, key), id);
  net_execute(&net, id, states);
  return id;
}

static void start(struct simulation *run, thread_id thread) {
  const struct event_key key = {.thread = thread, .starts = true};
  run->last[thread] = add_or_find(&key);
}

static void perform(struct simulation *run, thread_id thread) {
  const object_id object = (object_id)(1 + random_next(&seed) % OBJECTS);
  const condition_id current = net.objects.items[object].current;
  const struct net_access access = {.condition = current, .mode = random_next(&seed) % 2 ? ACCESS_CHANGE : ACCESS_LOOK};
  reader_list readers = {0};
  struct event_key key = {.previous = run->last[thread], .thread = thread, .n_accesses = 1, .accesses = &access};
  /* The mode follows from the operation, which is the choice here. */
  key.choice = access.mode;
  if (access_lists_looks(&net, &access)) list_looks(run, current, thread, &readers);
  key.readers = readers.items;
  key.n_readers = (uint32_t)readers.count;
  const event_id id = run->last[thread] = add_or_find(&key);
  vector_free(&readers);
  if (access.mode == ACCESS_LOOK)
    run->looks[run->n_looks++] = (struct look){current, id};
  else
    net.objects.items[object].current = net_output(&net, id, object);
}

static void simulate(void) {
  struct simulation run = {0};
  unsigned left[THREADS], total = THREADS * OPERATIONS;
  for (object_id i = 1; i <= OBJECTS; i++) net.objects.items[i].current = net.objects.items[i].root;
  for (thread_id t = 0; t < THREADS; t++) start(&run, t), left[t] = OPERATIONS;
  while (total > 0) {
    const thread_id thread = (thread_id)(random_next(&seed) % THREADS);
    if (left[thread] == 0) continue;
    perform(&run, thread);
    left[thread]--, total--;
  }
}

static void grow(bool is_contextual) {
  net_init(&net, is_contextual);
  configuration_init(&configuration, &net);
  for (unsigned i = 0; i < OBJECTS; i++) net_add_object(&net, OBJECT_MEMORY, 8 * (i + 1), 8, 0);
  for (unsigned i = 0; i < RUNS; i++) simulate();
}

/* --- firing, one by one --- */

struct set {
  event_id items[MOST_EVENTS];
  size_t count;
  bool is_too_large;
};

static void close_set(struct set *set, event_id event) {
  if (event == 0) return;
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i] == event) return;
  if (set->count == MOST_EVENTS) {
    set->is_too_large = true;
    return;
  }
  set->items[set->count++] = event;
  const struct net_event *it = &net.events.items[event];
  close_set(set, it->previous);
  for (uint8_t i = 0; i < it->n_accesses; i++) {
    const struct net_access *access = &net.accesses.items[it->first_access + i];
    close_set(set, net.conditions.items[access->condition].event);
    if (!access_lists_looks(&net, access)) continue;
    const uint32_t *record = net_readers(&net, event, it->first_access + i);
    for (uint32_t k = 0; k < record[1]; k++) close_set(set, record[2 + k]);
  }
}

static const struct net_access *access_of(event_id event) {
  const struct net_event *it = &net.events.items[event];
  return it->n_accesses ? &net.accesses.items[it->first_access] : NULL;
}

static bool is_fired(const struct set *set, uint32_t fired, event_id event) {
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i] == event) return fired >> i & 1;
  return false;
}

/* Has the condition been used up, and how many have looked at it? */
static bool is_used_up(const struct set *set, uint32_t fired, condition_id condition, uint32_t *n_looks) {
  bool used = false;
  *n_looks = 0;
  for (size_t i = 0; i < set->count; i++) {
    const struct net_access *access = access_of(set->items[i]);
    if (!(fired >> i & 1) || !access || access->condition != condition) continue;
    used |= access->mode == ACCESS_CHANGE;
    *n_looks += access->mode == ACCESS_LOOK;
  }
  return used;
}

static bool thread_went_on(const struct set *set, uint32_t fired, const struct net_event *event) {
  for (size_t i = 0; i < set->count; i++) {
    const struct net_event *other = &net.events.items[set->items[i]];
    if (fired >> i & 1 && other != event && !(other->flags & NET_STARTS) && other->previous == event->previous)
      return true;
  }
  return false;
}

static bool can_fire(const struct set *set, uint32_t fired, event_id id) {
  const struct net_event *event = &net.events.items[id];
  const struct net_access *access = access_of(id);
  if (event->flags & NET_STARTS) return true;
  if (!is_fired(set, fired, event->previous) || thread_went_on(set, fired, event)) return false;
  const event_id maker = net.conditions.items[access->condition].event;
  uint32_t n_looks;
  if ((maker && !is_fired(set, fired, maker)) || is_used_up(set, fired, access->condition, &n_looks)) return false;
  return !access_lists_looks(&net, access) || net_readers(&net, id, event->first_access)[0] == n_looks;
}

static uint8_t visited[(1u << MOST_EVENTS) / 8];

static bool fires_from(const struct set *set, uint32_t fired) {
  if (fired == (1u << set->count) - 1) return true;
  if (visited[fired / 8] >> fired % 8 & 1) return false;
  visited[fired / 8] |= (uint8_t)(1u << fired % 8);
  for (size_t i = 0; i < set->count; i++)
    if (!(fired >> i & 1) && can_fire(set, fired, set->items[i]) && fires_from(set, fired | 1u << i)) return true;
  return false;
}

/* Is there an order in which all of the set can happen? */
static bool fires(const struct set *set) {
  memset(visited, 0, sizeof visited);
  return fires_from(set, 0);
}

/* --- comparing --- */

static void expect_listed_in_order(const struct set *set) {
  event_ids list = {0};
  uint32_t fired = 0;
  configuration_list(&configuration, &configuration.trail, &list);
  assert_int_equal(list.count, set->count);
  for (size_t i = 0; i < list.count; i++) {
    assert_true(can_fire(set, fired, list.items[i]));
    for (size_t k = 0; k < set->count; k++)
      if (set->items[k] == list.items[i]) fired |= 1u << k;
  }
  assert_int_equal(fired, (1u << set->count) - 1);
  vector_free(&list);
}

static void expect_current(const struct set *set) {
  for (object_id object = 1; object <= OBJECTS; object++) {
    uint32_t n_looks;
    const condition_id current = configuration_current(&configuration, object);
    const event_id maker = net.conditions.items[current].event;
    assert_true(maker == 0 || is_fired(set, UINT32_MAX, maker));
    assert_false(is_used_up(set, UINT32_MAX, current, &n_looks));
  }
}

/* Puts in random events; true if they could all happen together. */
static bool compare(unsigned count) {
  struct set set = {0}, before = {0};
  bool good = true;
  for (unsigned i = 0; i < count && good; i++) {
    const event_id event = (event_id)(1 + random_next(&seed) % (net.events.count - 1));
    before = set;
    close_set(&set, event);
    if (set.is_too_large) {
      set = before;
      break;
    }
    const size_t length = configuration.trail.count;
    good = configuration_add(&configuration, event);
    assert_int_equal(good, fires(&set));
    if (!good) assert_int_equal(configuration.trail.count, length);
    if (!good) set = before;
  }
  assert_int_equal(configuration.trail.count, set.count);
  expect_listed_in_order(&set);
  expect_current(&set);
  configuration_remove(&configuration, 0);
  return good;
}

static void compare_nets(bool is_contextual) {
  unsigned together = 0, apart = 0;
  for (unsigned round = 0; round < 40; round++) {
    seed = round;
    grow(is_contextual);
    if (round % 2) hub_choose(&net);
    for (unsigned i = 0; i < 150; i++) {
      const bool good = compare(2 + i % 3);
      together += good, apart += !good;
    }
    configuration_release(&configuration);
    net_free(&net);
  }
  assert_true(together > 500 && apart > 500); /* otherwise little was compared */
}

static void ordinary_configurations_can_happen(void **state) {
  compare_nets(false);
}

static void contextual_configurations_can_happen(void **state) {
  compare_nets(true);
}

/* --- pasts --- */

static void expect_past(const struct set *past) {
  assert_int_equal(configuration.trail.count, past->count);
  for (size_t i = 0; i < past->count; i++) assert_true(configuration_has(&configuration, past->items[i]));
}

/* Whatever was there before, and was added to it. */
static void put_past(struct pasts *pasts) {
  const event_id event = (event_id)(1 + random_next(&seed) % (net.events.count - 1));
  struct set past = {0};
  close_set(&past, event);
  if (past.is_too_large) return;
  pasts_put(pasts, event);
  expect_past(&past);
  expect_current(&past);
  if (random_next(&seed) % 2) configuration_add(&configuration, (event_id)(1 + random_next(&seed) % event));
  if (random_next(&seed) % 4) return;
  pasts_take_out(pasts);
  assert_false(configuration_has(&configuration, event));
  for (size_t i = 0; i < configuration.trail.count; i++)
    assert_true(is_fired(&past, UINT32_MAX, configuration.trail.items[i]));
}

static void pasts_are_what_events_follow(void **state) {
  for (unsigned round = 0; round < 40; round++) {
    seed = round;
    grow(round % 2);
    if (round % 4 < 2) hub_choose(&net);
    struct pasts *pasts = pasts_create(&configuration);
    for (unsigned i = 0; i < 300; i++) put_past(pasts);
    pasts_put_away(pasts);
    assert_int_equal(configuration.trail.count, 0);
    pasts_destroy(pasts);
    configuration_release(&configuration);
    net_free(&net);
  }
}

/* --- the index --- */

/* More events follow one than there is room near it, and others follow its neighbours. */
static void events_are_found_by_what_they_follow(void **state) {
  enum { FIRST = 40, FOLLOWERS = 3000 };
  net_init(&net, true);
  for (thread_id t = 0; t < FIRST; t++) {
    const struct event_key key = {.thread = t, .starts = true};
    add_or_find(&key);
  }
  for (uint32_t i = 0; i < FOLLOWERS; i++)
    for (event_id previous = 1; previous <= FIRST; previous += i % 8 ? 20 : 1) {
      const struct event_key key = {.previous = previous, .choice = i, .thread = (thread_id)(previous - 1)};
      assert_int_equal(net_find(&net, &key), 0);
      net_add(&net, &key, 0);
    }
  for (event_id id = FIRST + 1; id < net.events.count; id++) {
    const struct net_event *event = &net.events.items[id];
    const struct event_key key = {.previous = event->previous, .choice = event->choice, .thread = event->thread};
    assert_int_equal(net_find(&net, &key), id);
  }
  net_free(&net);
}

/* x is looked at by a, and then changed by b; y the other way round. Together each would have to come before the other.
 */
static void looks_and_changes_in_a_circle_cannot_happen(void **state) {
  static const uint32_t states[1];
  net_init(&net, true);
  configuration_init(&configuration, &net);
  event_id starts[2], looks[2], changes[2];
  condition_id roots[2];
  for (unsigned i = 0; i < 2; i++) {
    roots[i] = net.objects.items[net_add_object(&net, OBJECT_MEMORY, 8 * (i + 1), 8, 0)].root;
    const struct event_key key = {.thread = (thread_id)i, .starts = true};
    starts[i] = add_or_find(&key);
  }
  /* Thread i changes object i, then looks at what the other object was at first. */
  for (unsigned i = 0; i < 2; i++) {
    const struct net_access change = {.condition = roots[i], .mode = ACCESS_CHANGE};
    const struct event_key key = {.previous = starts[i], .thread = (thread_id)i, .n_accesses = 1, .accesses = &change};
    net_execute(&net, changes[i] = net_add(&net, &key, 0), states);
    const struct net_access look = {.condition = roots[1 - i], .mode = ACCESS_LOOK};
    const struct event_key next = {.previous = changes[i], .thread = (thread_id)i, .n_accesses = 1, .accesses = &look};
    net_execute(&net, looks[i] = net_add(&net, &next, 0), states);
  }
  assert_true(configuration_add(&configuration, looks[0]));
  assert_true(configuration_add(&configuration, changes[1])); /* after the look */
  assert_false(configuration_add(&configuration, looks[1]));
  assert_int_equal(configuration.trail.count, 5);
  configuration_release(&configuration);
  net_free(&net);
}

/* --- long lists --- */

static event_id change(event_id previous, condition_id condition, uint32_t choice) {
  static const uint32_t states[1];
  const struct net_access access = {.condition = condition, .mode = ACCESS_CHANGE};
  const struct event_key key = {
      .previous = previous, .choice = choice, .thread = 1, .n_accesses = 1, .accesses = &access};
  const event_id id = net_add(&net, &key, 0);
  net_execute(&net, id, states);
  return id;
}

/* Every event changes what a random other one has made, and becomes a user of the second object. */
static void grow_tree(unsigned count, object_id object, condition_id used) {
  for (unsigned i = 0; i < count; i++) {
    const event_id previous = (event_id)(1 + random_next(&seed) % (net.events.count - 1));
    const condition_id made = net_output(&net, previous, object);
    net_add_user(&net, used, change(previous, made ? made : net.objects.items[object].root, i));
  }
}

static void expect_list(uint32_t list, place_id lowest) {
  list_items items = {0};
  size_t count = 0, found = 0;
  hub_list_users(&net, list, lowest, &items);
  for (uint32_t node = net.thread_lists.items[list].first; node; node = net.nodes.items[node].next) {
    if (!hub_allow(&net, lowest, net.nodes.items[node].item)) continue;
    count++;
    for (size_t i = 0; i < items.count; i++) found += items.items[i] == net.nodes.items[node].item;
  }
  assert_int_equal(items.count, count);
  assert_int_equal(found, count);
  vector_free(&items);
}

static void long_lists_have_what_the_hub_allows(void **state) {
  seed = 1;
  net_init(&net, true);
  configuration_init(&configuration, &net);
  const object_id object = net_add_object(&net, OBJECT_MEMORY, 8, 8, 0);
  const condition_id used = net.objects.items[net_add_object(&net, OBJECT_MEMORY, 16, 8, 0)].root;
  const struct event_key key = {.thread = 1, .starts = true};
  add_or_find(&key);
  grow_tree(100, object, used);
  hub_choose(&net);
  assert_int_equal(net.hub.object, object);
  for (unsigned round = 0; round < 20; round++) {
    grow_tree(round % 2 ? 3 : 30, object, used); /* few and many at once */
    for (place_id lowest = 0; lowest < net.hub.places.items.count; lowest++)
      expect_list(net.conditions.items[used].users, lowest);
  }
  assert_int_equal(net.hub.sorted.count, 1);
  configuration_release(&configuration);
  net_free(&net);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ordinary_configurations_can_happen),
      cmocka_unit_test(contextual_configurations_can_happen),
      cmocka_unit_test(looks_and_changes_in_a_circle_cannot_happen),
      cmocka_unit_test(pasts_are_what_events_follow),
      cmocka_unit_test(events_are_found_by_what_they_follow),
      cmocka_unit_test(long_lists_have_what_the_hub_allows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
