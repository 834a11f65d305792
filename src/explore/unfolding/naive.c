/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/naive.h"

#include "base/error.h"
#include "explore/unfolding/operation.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACCESSES 256

struct search {
  const struct net *net;
  event_id thread_condition;
  operation_id operation;
  struct net_access accesses[MOST_ACCESSES];
  event_ids *reads; /* by access that changes: the last look of each other thread, 0 for none */
  VECTOR(uint32_t) records;
  uint8_t *past; /* by event: is it in the past that is being looked at? */
  uint64_t found;
};

static const struct net_event *event_at(const struct search *self, event_id event) {
  return &self->net->events.items[event];
}

/* ---- the past ---- */

static void collect(const struct search *self, uint8_t *past, event_id id) {
  const struct net *net = self->net;
  if (!id || past[id]) return;
  past[id] = 1;
  const struct net_event *event = event_at(self, id);
  collect(self, past, event->previous);
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const access_id place = event->first_access + i;
    collect(self, past, net->conditions.items[net->accesses.items[place].condition].event);
    if (!access_lists_looks(net, &net->accesses.items[place])) continue;
    const uint32_t *record = net_readers(net, id, place);
    for (uint32_t k = 0; k < record[1]; k++) collect(self, past, record[2 + k]);
  }
}

static bool is_own_follower(const struct search *self, event_id event, event_id previous) {
  return event_at(self, event)->previous == previous && !(event_at(self, event)->flags & NET_STARTS);
}

/* Does the event do this to the condition? */
static bool does(const struct search *self, event_id id, condition_id condition, enum access_mode mode) {
  const struct net_event *event = event_at(self, id);
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    if (access->condition == condition && access->mode == mode) return true;
  }
  return false;
}

static bool use_up_the_same(const struct search *self, event_id a, event_id b) {
  const struct net_event *event = event_at(self, a);
  if (!(event->flags & NET_STARTS) && is_own_follower(self, b, event->previous)) return true;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    if (access->mode == ACCESS_CHANGE && does(self, b, access->condition, ACCESS_CHANGE)) return true;
  }
  return false;
}

/* `look` looks at what `change` uses up, and is not among the looks that it lists. */
static bool looks_in_vain(const struct search *self, event_id look, event_id change) {
  const struct net_event *event = event_at(self, change);
  bool looks = false;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    looks |= access_lists_looks(self->net, access) && does(self, look, access->condition, ACCESS_LOOK);
  }
  if (!looks) return false;
  uint8_t *past = memory_allocate(self->net->events.count);
  collect(self, past, change);
  const bool is_before = past[look];
  free(past);
  return !is_before;
}

static bool comes_directly_before(const struct search *self, event_id a, event_id b) {
  const struct net_event *event = event_at(self, b);
  if (event->previous == a) return true;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    if (self->net->conditions.items[access->condition].event == a) return true;
    if (access->mode == ACCESS_CHANGE && a != b && does(self, a, access->condition, ACCESS_LOOK)) return true;
  }
  return false;
}

/* Takes away events that nothing in the past comes before, until none is left. */
static bool has_order(const struct search *self, const event_ids *past) {
  uint8_t *is_gone = memory_allocate(past->count + 1);
  size_t left = past->count;
  for (bool goes_on = true; goes_on && left > 0;) {
    goes_on = false;
    for (size_t i = 0; i < past->count; i++) {
      bool is_first = !is_gone[i];
      for (size_t k = 0; k < past->count && is_first; k++)
        is_first = is_gone[k] || !comes_directly_before(self, past->items[k], past->items[i]);
      if (!is_first) continue;
      is_gone[i] = 1;
      left--;
      goes_on = true;
    }
  }
  free(is_gone);
  return left == 0;
}

static bool is_consistent(const struct search *self, const event_ids *past) {
  for (size_t i = 0; i < past->count; i++) {
    if (is_own_follower(self, past->items[i], self->thread_condition)) return false;
    for (size_t k = 0; k < past->count; k++) {
      if (i == k) continue;
      if (use_up_the_same(self, past->items[i], past->items[k])) return false;
      if (looks_in_vain(self, past->items[i], past->items[k])) return false;
    }
  }
  return !self->net->is_contextual || has_order(self, past);
}

/* ---- presets ---- */

/* Is the look the last one of its thread, and has every other thread none but those given? */
static bool has_just_these_looks(const struct search *self, const event_ids *past, uint8_t i) {
  const thread_id own = event_at(self, self->thread_condition)->thread;
  for (size_t k = 0; k < past->count; k++) {
    const event_id event = past->items[k];
    const thread_id thread = event_at(self, event)->thread;
    if (thread == own || !does(self, event, self->accesses[i].condition, ACCESS_LOOK)) continue;
    bool is_given = false;
    for (size_t n = 0; n < self->reads[i].count; n++) {
      const event_id read = self->reads[i].items[n];
      is_given |= read && event_at(self, read)->thread == thread && event <= read;
    }
    if (!is_given) return false;
  }
  return true;
}

static bool is_marked_together(const struct search *self, uint8_t n_accesses) {
  event_ids past = {0};
  bool good = true;
  memset(self->past, 0, self->net->events.count);
  collect(self, self->past, self->thread_condition);
  for (uint8_t i = 0; i < n_accesses; i++) {
    collect(self, self->past, self->net->conditions.items[self->accesses[i].condition].event);
    for (size_t k = 0; k < self->reads[i].count; k++) collect(self, self->past, self->reads[i].items[k]);
  }
  for (event_id id = 1; id < self->net->events.count; id++)
    if (self->past[id]) vector_push(&past, id);
  for (uint8_t i = 0; i < n_accesses && good; i++) {
    for (size_t k = 0; k < past.count && good; k++)
      good = self->accesses[i].mode == ACCESS_PAST ||
             !does(self, past.items[k], self->accesses[i].condition, ACCESS_CHANGE);
    if (good && access_lists_looks(self->net, &self->accesses[i])) good = has_just_these_looks(self, &past, i);
  }
  good = good && is_consistent(self, &past);
  vector_free(&past);
  return good;
}

/* As in net.readers: how many looks there are in the past, and the last ones of the other threads by thread. */
static void write_record(struct search *self, uint8_t i) {
  const size_t start = self->records.count;
  uint32_t n_looks = 0;
  for (event_id id = 1; id < self->net->events.count; id++)
    n_looks += self->past[id] && does(self, id, self->accesses[i].condition, ACCESS_LOOK);
  vector_push(&self->records, n_looks);
  vector_push(&self->records, 0);
  for (size_t k = 0; k < self->reads[i].count; k++) {
    if (!self->reads[i].items[k]) continue;
    vector_push(&self->records, self->reads[i].items[k]);
    self->records.items[start + 1]++;
  }
}

static void check_preset(struct search *self, uint8_t n_accesses) {
  if (!is_marked_together(self, n_accesses)) return;
  self->records.count = 0;
  for (uint8_t i = 0; i < n_accesses; i++)
    if (access_lists_looks(self->net, &self->accesses[i])) write_record(self, i);
  const struct event_key key = {.previous = self->thread_condition,
                                .thread = event_at(self, self->thread_condition)->thread,
                                .n_accesses = n_accesses,
                                .accesses = self->accesses,
                                .readers = self->records.items,
                                .n_readers = (uint32_t)self->records.count};
  const bool is_known = net_find(self->net, &key);
  BUG_ON(!is_known);
  self->found++;
}

/* Each other thread by itself: one of its looks at the condition, or none. */
static void choose_looks(struct search *self, uint8_t i, thread_id thread, thread_id end, uint8_t n_accesses) {
  while (i < n_accesses && !access_lists_looks(self->net, &self->accesses[i])) i++;
  if (i == n_accesses) {
    check_preset(self, n_accesses);
    return;
  }
  if (thread == end) {
    choose_looks(self, i + 1, 0, end, n_accesses);
    return;
  }
  vector_push(&self->reads[i], 0);
  choose_looks(self, i, thread + 1, end, n_accesses);
  for (event_id id = 1; id < self->net->events.count; id++) {
    const bool is_meant = thread != event_at(self, self->thread_condition)->thread &&
                          event_at(self, id)->thread == thread && event_is_executed(self->net, id) &&
                          does(self, id, self->accesses[i].condition, ACCESS_LOOK);
    if (!is_meant) continue;
    self->reads[i].items[self->reads[i].count - 1] = id;
    choose_looks(self, i, thread + 1, end, n_accesses);
  }
  self->reads[i].count--;
}

static thread_id count_threads(const struct net *net) {
  thread_id count = 0;
  for (event_id id = 1; id < net->events.count; id++)
    if (net->events.items[id].thread >= count) count = net->events.items[id].thread + 1;
  return count;
}

/* One whose parent allows it already came after that. */
static bool is_later_past(const struct search *self, uint8_t i, condition_id id) {
  const struct net *net = self->net;
  const condition_id parent = net->conditions.items[id].parent;
  const thread_id thread = event_at(self, self->thread_condition)->thread;
  return parent && operation_possibility(net, self->operation, i, thread, net->conditions.items[parent].state).mode ==
                       ACCESS_PAST;
}

static void choose_conditions(struct search *self, uint8_t i, uint8_t n_chosen, bool gives_up) {
  const struct net *net = self->net;
  if (i == net->operations.items[self->operation].n_accesses) {
    choose_looks(self, 0, 0, count_threads(net), n_chosen);
    return;
  }
  const object_id object = operation_object(net, self->operation, i);
  if (gives_up && net->objects.items[object].kind == OBJECT_MUTEX) {
    choose_conditions(self, i + 1, n_chosen, gives_up);
    return;
  }
  for (condition_id id = 1; id < net->conditions.count; id++) {
    if (net->conditions.items[id].object != object) continue;
    const struct possibility possibility = operation_possibility(
        net, self->operation, i, event_at(self, self->thread_condition)->thread, net->conditions.items[id].state);
    if (possibility.mode == ACCESS_NONE) continue;
    if (possibility.mode == ACCESS_PAST && is_later_past(self, i, id)) continue;
    self->accesses[n_chosen] = (struct net_access){.condition = id, .mode = possibility.mode};
    choose_conditions(self, i + 1, n_chosen + 1, gives_up || possibility.gives_up);
  }
}

/* ---- the whole ---- */

/* Extensions that were thought to be some, and that no run or state has ruled out. */
static uint64_t count_known(const struct net *net, event_id previous) {
  uint64_t count = 0;
  for (event_id id = 1; id < net->events.count; id++) {
    const struct net_event *event = &net->events.items[id];
    count += event->previous == previous && event->thread == net->events.items[previous].thread && event->choice == 0 &&
             !(event->flags & (NET_STARTS | NET_IMPOSSIBLE | NET_UNSURE)) && !net_decides(net, event);
  }
  return count;
}

static bool is_looked_for(const struct net *net, const struct net_event *event) {
  const struct operation *operation = &net->operations.items[event->next];
  return event->flags & NET_EXECUTED && event->next && !(event->flags & NET_BARREN) && operation->is_step;
}

void naive_check(const struct net *net) {
  struct search self = {.net = net, .past = memory_allocate(net->events.count)};
  self.reads = memory_allocate(MOST_ACCESSES * sizeof *self.reads);
  for (event_id id = 1; id < net->events.count; id++) {
    if (!is_looked_for(net, &net->events.items[id])) continue;
    self.thread_condition = id;
    self.operation = net->events.items[id].next;
    self.found = 0;
    choose_conditions(&self, 0, 0, false);
    /* A thread that is cancelled does something other than it stood before. */
    BUG_ON(!net->cancels && self.found < count_known(net, id));
  }
  for (int i = 0; i < MOST_ACCESSES; i++) vector_free(&self.reads[i]);
  free(self.reads);
  vector_free(&self.records);
  free(self.past);
}
