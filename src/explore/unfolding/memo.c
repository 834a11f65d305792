/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/memo.h"

#include "abi/dependence.h"

#include <stdlib.h>

static void set_value(struct net_memo *memo, condition_id condition, struct net_value value) {
  while (memo->values.count <= condition) vector_push(&memo->values, (struct net_value){0});
  struct net_value *known = &memo->values.items[condition];
  const bool differs = known->term != value.term || (!value.term && known->value != value.value);
  known->varies |= known->is_known && differs;
  *known = (struct net_value){value.value, value.term, !known->varies, known->varies};
}

/* An event shows the first 8 bytes that it found or left; an object may be a part of them. */
static bool value_of_part(const struct event *event, const struct object *object, uint64_t *value) {
  const uint64_t offset = object->address - event->object;
  if (object->kind != OBJECT_MEMORY || offset >= 8 || object->size > 8 - offset) return false;
  *value = event->value >> 8 * offset;
  if (object->size < 8) *value &= (1ull << 8 * object->size) - 1;
  return true;
}

/* The first access of the trace that belongs to the event, or to a later one. */
static uint32_t first_access(const struct trace_view *trace, uint32_t event) {
  uint32_t low = 0, high = trace->record->n_accesses;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (trace->accesses[middle].event < event)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The term that the object's bytes hold. False: they do not hold one, but parts of some, or the trace does not say. */
static bool find_term(const struct object *object, bool changed, uint32_t event, const struct trace_view *trace,
                      const struct path *path, term_id *term) {
  uint64_t covered = 0;
  *term = 0;
  for (uint32_t i = first_access(trace, event); i < trace->record->n_accesses && trace->accesses[i].event == event;
       i++) {
    const struct access *access = &trace->accesses[i];
    if (access->address >= object->address + object->size || access->address + access->size <= object->address)
      continue;
    const uint32_t number = changed && access->flags & ACCESS_WRITES ? access->written : access->found;
    const bool is_whole = access->address == object->address && access->size == object->size;
    if (number && !is_whole) return false;
    *term = path_term(path, number);
    covered += access->size;
  }
  return covered >= object->size;
}

/* What a write found: nobody may ever read it. */
static void take_found(struct net *net, condition_id condition, const struct object *object, uint32_t event,
                       const struct trace_view *trace, const struct path *path) {
  for (uint32_t i = first_access(trace, event); i < trace->record->n_accesses && trace->accesses[i].event == event;
       i++) {
    const struct access *access = &trace->accesses[i];
    if (access->address != object->address || access->size != object->size) continue;
    const term_id term = path ? path_term(path, access->found) : 0;
    set_value(net->memo, condition, (struct net_value){.value = access->before, .term = term});
  }
}

void memo_take_event(struct net *net, event_id id, const struct event *event, const struct trace_view *trace,
                     const struct path *path) {
  if (!net->memo || event_class_of(event) != CLASS_MEMORY || event_is_lifetime(event) ||
      !(event->flags & EVENT_VALUE_KNOWN))
    return;
  const uint32_t number = (uint32_t)(event - trace->events);
  const struct net_event *item = &net->events.items[id];
  condition_id output = item->first_output;
  for (uint8_t i = 0; i < item->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[item->first_access + i];
    const bool changed = access->mode == ACCESS_CHANGE;
    const condition_id condition = changed ? output++ : access->condition;
    const struct object *object = &net->objects.items[net->conditions.items[condition].object];
    struct net_value value = {0};
    if (changed) take_found(net, access->condition, object, number, trace, path);
    if (!value_of_part(event, object, &value.value)) continue;
    if (path && !find_term(object, changed, number, trace, path, &value.term)) continue;
    set_value(net->memo, condition, value);
  }
}

void memo_take_tail(struct net *net, event_id id, operation_id operation) {
  if (net->memo) vector_push(&net->memo->tails, ((struct net_tail){id, operation}));
}

static bool is_hidden(const struct net_memo *memo, const struct event *event) {
  for (size_t i = 0; i < memo->hidden.count; i++)
    if (memo->hidden.items[i].start <= event->object && event->object + event->size <= memo->hidden.items[i].end)
      return true;
  return false;
}

void memo_take_hidden(struct net *net, const struct event *event) {
  if (!net->memo || !(event->flags & EVENT_IN_SECTION) || event_class_of(event) != CLASS_MEMORY ||
      !event_writes(event) || is_hidden(net->memo, event))
    return;
  vector_push(&net->memo->hidden, ((struct cell){event->object, event->object + event->size}));
}

void memo_free(struct net_memo *memo) {
  if (!memo) return;
  vector_free(&memo->values);
  vector_free(&memo->tails);
  vector_free(&memo->hidden);
  free(memo);
}

const struct net_value *memo_value(const struct net *net, condition_id condition) {
  const struct net_memo *memo = net->memo;
  if (!memo || condition >= memo->values.count || !memo->values.items[condition].is_known) return NULL;
  return &memo->values.items[condition];
}
