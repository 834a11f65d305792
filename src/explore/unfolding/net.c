/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/net.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/unfolding/memo.h"
#include "model/kinds.h"

#include <stdlib.h>
#include <string.h>

void net_init(struct net *net, bool is_contextual) {
  *net = (struct net){.is_contextual = is_contextual};
  /* Entry 0 of each array is nobody. */
  vector_push(&net->events, (struct net_event){0});
  vector_push(&net->ranks, 0);
  vector_push(&net->conditions, (struct condition){0});
  vector_push(&net->accesses, (struct net_access){0});
  vector_push(&net->objects, (struct object){0});
  vector_push(&net->operations, (struct operation){0});
  vector_push(&net->nodes, (struct list_node){0});
  vector_push(&net->thread_lists, (struct thread_list){0});
  vector_push(&net->waiters, (struct waiters){0});
  vector_push(&net->tails, (struct tail){0});
  for (int i = 0; i < 2; i++) vector_push(&net->readers, 0); /* the record of a change that nobody looked before */
}

void net_free(struct net *net) {
  for (size_t i = 0; i < net->objects.count; i++) vector_free(&net->objects.items[i].reads);
  vector_free(&net->events);
  vector_free(&net->conditions);
  vector_free(&net->accesses);
  vector_free(&net->objects);
  vector_free(&net->operations);
  vector_free(&net->operation_objects);
  vector_free(&net->readers);
  vector_free(&net->waiters);
  vector_free(&net->nodes);
  vector_free(&net->thread_lists);
  vector_free(&net->tails);
  vector_free(&net->tail_operations);
  vector_free(&net->fresh);
  vector_free(&net->ranks);
  id_index_free(&net->object_index);
  id_index_free(&net->operation_index);
  id_index_free(&net->waiters_index);
  event_index_free(&net->event_index);
  hub_free(&net->hub);
  memo_free(net->memo);
}

uint64_t net_size_bytes(const struct net *net) {
  return net->events.count * sizeof *net->events.items + net->conditions.count * sizeof *net->conditions.items +
         net->accesses.count * sizeof *net->accesses.items + net->readers.count * sizeof *net->readers.items +
         net->nodes.count * sizeof *net->nodes.items + net->thread_lists.count * sizeof *net->thread_lists.items +
         hub_size_bytes(&net->hub) + net->event_index.size * sizeof *net->event_index.slots;
}

/* ---- the table ---- */

static uint64_t hash_of(const struct event_key *key) {
  uint64_t hash = hash_mix(key->previous, (uint64_t)key->thread << 32 | key->choice);
  for (uint8_t i = 0; i < key->n_accesses; i++) hash = hash_mix(hash, key->accesses[i].condition);
  for (uint32_t i = 0; i < key->n_readers; i++) hash = hash_mix(hash, key->readers[i]);
  return hash;
}

/* Records of looks, one for each access that changes. */
static uint32_t readers_length(const struct net *net, const struct net_event *event) {
  uint32_t length = 0;
  if (!event->readers) return 0;
  for (uint8_t i = 0; i < event->n_accesses; i++)
    if (access_lists_looks(net, &net->accesses.items[event->first_access + i]))
      length += 2 + net->readers.items[event->readers + length + 1];
  return length;
}

static struct event_key key_of(const struct net *net, event_id id) {
  const struct net_event *event = &net->events.items[id];
  return (struct event_key){.previous = event->previous,
                            .choice = event->choice,
                            .thread = event->thread,
                            .n_accesses = event->n_accesses,
                            .starts = event->flags & NET_STARTS,
                            .accesses = &net->accesses.items[event->first_access],
                            .readers = &net->readers.items[event->readers],
                            .n_readers = readers_length(net, event)};
}

static bool is_same_accesses(const struct event_key *a, const struct event_key *b) {
  for (uint8_t i = 0; i < a->n_accesses; i++)
    if (a->accesses[i].condition != b->accesses[i].condition) return false;
  return true;
}

static bool is_same(const struct event_key *a, const struct event_key *b) {
  return a->previous == b->previous && a->choice == b->choice && a->thread == b->thread &&
         a->n_accesses == b->n_accesses && is_same_accesses(a, b) && a->n_readers == b->n_readers &&
         (a->n_readers == 0 || memcmp(a->readers, b->readers, a->n_readers * sizeof *a->readers) == 0);
}

/* One record that lists nobody is not stored. */
static uint32_t stored_length(const struct event_key *key) {
  return key->n_readers == 2 && key->readers[0] == 0 ? 0 : key->n_readers;
}

event_id net_find(const struct net *net, const struct event_key *key) {
  struct event_key stored = *key;
  stored.n_readers = stored_length(key);
  struct event_search search = event_index_search(&net->event_index, key->previous, hash_of(&stored));
  for (event_id id; (id = event_search_next(&search));) {
    if (net->events.items[id].previous != key->previous) continue;
    const struct event_key other = key_of(net, id);
    if (is_same(&other, &stored)) return id;
  }
  return 0;
}

bool net_is(const struct net *net, event_id event, const struct event_key *key) {
  if (net->events.items[event].previous != key->previous) return false;
  struct event_key stored = *key;
  stored.n_readers = stored_length(key);
  const struct event_key other = key_of(net, event);
  return is_same(&other, &stored);
}

/* ---- growing ---- */

static uint32_t add_readers(struct net *net, const struct event_key *key) {
  const uint32_t place = (uint32_t)net->readers.count;
  for (uint32_t i = 0; i < key->n_readers; i++) vector_push(&net->readers, key->readers[i]);
  return key->n_readers > 0 ? place : 0;
}

event_id net_add(struct net *net, const struct event_key *given, operation_id operation) {
  struct event_key stored = *given, *key = &stored;
  stored.n_readers = stored_length(given);
  const event_id id = (event_id)net->events.count;
  const access_id first = (access_id)net->accesses.count;
  for (uint8_t i = 0; i < key->n_accesses; i++) {
    vector_push(&net->accesses, key->accesses[i]);
    net->accesses.items[first + i].event = id;
  }
  struct net_event event = {.previous = key->previous,
                            .operation = operation,
                            .first_access = first,
                            .choice = key->choice,
                            .thread = key->thread,
                            .flags = key->starts ? NET_STARTS : 0,
                            .n_accesses = key->n_accesses};
  event.readers = add_readers(net, key);
  vector_push(&net->events, event);
  vector_push(&net->ranks, UINT32_MAX);
  event_index_add(net, id, hash_of(key));
  hub_add_event(net, id);
  net->n_waiting++;
  return id;
}

object_id net_add_object(struct net *net, enum object_kind kind, uint64_t address, uint64_t size, uint32_t state) {
  const object_id object = (object_id)net->objects.count;
  const condition_id root = (condition_id)net->conditions.count;
  net->has_world |= kind == OBJECT_WORLD;
  vector_push(&net->conditions, ((struct condition){.object = object, .state = state}));
  vector_push(&net->objects, ((struct object){.kind = kind, .address = address, .size = size, .root = root}));
  net->objects.items[object].current = root;
  return object;
}

static void push_node(struct net *net, uint32_t *list, uint32_t item) {
  const uint32_t node = (uint32_t)net->nodes.count;
  vector_push(&net->nodes, ((struct list_node){item, *list}));
  *list = node;
}

static void push_to_thread(struct net *net, uint32_t *lists, thread_id thread, uint32_t item) {
  uint32_t list = *lists;
  while (list && net->thread_lists.items[list].thread != thread) list = net->thread_lists.items[list].next;
  if (!list) {
    list = (uint32_t)net->thread_lists.count;
    vector_push(&net->thread_lists, ((struct thread_list){.thread = thread, .next = *lists}));
    *lists = list;
  }
  push_node(net, &net->thread_lists.items[list].first, item);
}

void net_add_user(struct net *net, condition_id condition, event_id event) {
  push_to_thread(net, &net->conditions.items[condition].users, net->events.items[event].thread, event);
}

condition_id net_add_condition(struct net *net, event_id event, condition_id parent, uint32_t state) {
  const condition_id id = (condition_id)net->conditions.count;
  vector_push(&net->conditions,
              ((struct condition){
                  .event = event, .parent = parent, .state = state, .object = net->conditions.items[parent].object}));
  push_to_thread(net, &net->conditions.items[parent].children, net->events.items[event].thread, id);
  net->objects.items[net->conditions.items[id].object].n_conditions++;
  return id;
}

void net_execute(struct net *net, event_id id, const uint32_t *states) {
  struct net_event *event = &net->events.items[id];
  BUG_ON(event->flags & NET_EXECUTED);
  event->flags = (event->flags | NET_EXECUTED) & (uint8_t)~NET_UNSURE;
  net->n_waiting -= !(event->flags & NET_IMPOSSIBLE);
  if (net_is_step(net, event) || net_decides(net, event))
    net->n_steps++;
  else
    net->n_start_up++;
  net->ranks.items[id] = (uint32_t)(net->n_steps + net->n_start_up);
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    if (access->mode == ACCESS_LOOK) push_node(net, &net->conditions.items[access->condition].reads, id);
    if (access->mode != ACCESS_CHANGE) continue;
    const condition_id output = net_add_condition(net, id, access->condition, *states++);
    if (!event->first_output) event->first_output = output;
  }
  hub_execute(net, id);
}

/* Joins that were explored before their thread was known to do nothing more are barren as well. */
bool net_is_barren(const struct net *net, event_id id) {
  for (;; id = net->events.items[id].previous) {
    const struct net_event *event = &net->events.items[id];
    if (event->flags & NET_BARREN) return true;
    if (kind_effect(net->operations.items[event->operation].kind) != EFFECT_JOINS) return false;
  }
}

void net_cut(struct net *net, event_id extension) {
  net->events.items[extension].flags |= NET_IMPOSSIBLE;
  net->n_waiting--;
}

condition_id net_output(const struct net *net, event_id id, object_id object) {
  const struct net_event *event = &net->events.items[id];
  condition_id output = event->first_output;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    if (net->accesses.items[event->first_access + i].mode != ACCESS_CHANGE) continue;
    if (net->conditions.items[output].object == object) return output;
    output++;
  }
  return 0;
}

const uint32_t *net_readers(const struct net *net, event_id id, access_id access) {
  const struct net_event *event = &net->events.items[id];
  if (!event->readers) return &net->readers.items[0];
  const uint32_t *record = &net->readers.items[event->readers];
  for (access_id i = event->first_access; i < access; i++)
    if (access_lists_looks(net, &net->accesses.items[i])) record += 2 + record[1];
  return record;
}

uint32_t net_same_tail(const struct net *net, uint32_t tail) {
  const struct tail *wanted = &net->tails.items[tail];
  const operation_id *operations = net->tail_operations.items;
  for (uint32_t i = 1;; i++) {
    const struct tail *one = &net->tails.items[i];
    if (one->n_joins == wanted->n_joins && one->exits == wanted->exits &&
        memcmp(&operations[one->joins], &operations[wanted->joins], one->n_joins * sizeof *operations) == 0)
      return i;
  }
}

size_t readers_begin(reader_list *list, uint32_t n_looks) {
  vector_push(list, n_looks);
  vector_push(list, 0);
  return list->count - 2;
}

/* By thread; of a thread's looks the last one has the largest id. */
void readers_add(reader_list *list, size_t record, const struct net *net, event_id look) {
  const thread_id thread = net->events.items[look].thread;
  size_t place = record + 2;
  while (place < list->count && net->events.items[list->items[place]].thread < thread) place++;
  if (place < list->count && net->events.items[list->items[place]].thread == thread) {
    if (list->items[place] < look) list->items[place] = look;
    return;
  }
  vector_push(list, 0);
  for (size_t i = list->count - 1; i > place; i--) list->items[i] = list->items[i - 1];
  list->items[place] = look;
  list->items[record + 1]++;
}
