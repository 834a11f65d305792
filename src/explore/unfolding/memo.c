/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/memo.h"

#include "abi/dependence.h"

#include <stdlib.h>

static void set_value(struct net_memo *memo, condition_id condition, uint64_t value) {
  while (memo->values.count <= condition) vector_push(&memo->values, (struct net_value){0});
  memo->values.items[condition] = (struct net_value){value, true};
}

/* An event shows the first 8 bytes that it found or left; an object may be a part of them. */
static bool value_of_part(const struct event *event, const struct object *object, uint64_t *value) {
  const uint64_t offset = object->address - event->object;
  if (object->kind != OBJECT_MEMORY || offset >= 8 || object->size > 8 - offset) return false;
  *value = event->value >> 8 * offset;
  if (object->size < 8) *value &= (1ull << 8 * object->size) - 1;
  return true;
}

void memo_take_event(struct net *net, event_id id, const struct event *event) {
  if (!net->memo || !event || event_class_of(event) != CLASS_MEMORY || event_is_lifetime(event) ||
      !(event->flags & EVENT_VALUE_KNOWN))
    return;
  const struct net_event *item = &net->events.items[id];
  condition_id output = item->first_output;
  for (uint8_t i = 0; i < item->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[item->first_access + i];
    const condition_id condition = access->mode == ACCESS_CHANGE ? output++ : access->condition;
    uint64_t value;
    if (value_of_part(event, &net->objects.items[net->conditions.items[condition].object], &value))
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

bool memo_value(const struct net *net, condition_id condition, uint64_t *value) {
  const struct net_memo *memo = net->memo;
  if (!memo || condition >= memo->values.count || !memo->values.items[condition].is_known) return false;
  *value = memo->values.items[condition].value;
  return true;
}
