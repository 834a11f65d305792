/* SPDX-License-Identifier: MIT */
#include "query/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CYCLES 64u /* that are looked for at once */

/* --- lists --- */

struct pair {
  uint32_t key, value;
};
typedef VECTOR(struct pair) pairs;

/* Keys are below `count`; values keep their order. */
static void make_lists(struct number_lists *lists, size_t count, const pairs *pairs) {
  lists->count = count;
  lists->starts = memory_allocate((count + 1) * sizeof *lists->starts);
  lists->items = memory_allocate((pairs->count + 1) * sizeof *lists->items);
  for (size_t i = 0; i < pairs->count; i++) lists->starts[pairs->items[i].key + 1]++;
  for (size_t i = 0; i < count; i++) lists->starts[i + 1] += lists->starts[i];
  uint32_t *next = memory_allocate((count + 1) * sizeof *next);
  memcpy(next, lists->starts, count * sizeof *next);
  for (size_t i = 0; i < pairs->count; i++) lists->items[next[pairs->items[i].key]++] = pairs->items[i].value;
  free(next);
}

static void free_lists(struct number_lists *lists) {
  free(lists->starts);
  free(lists->items);
}

static struct number_list list_at(const struct number_lists *lists, size_t i) {
  return (struct number_list){lists->items + lists->starts[i], lists->starts[i + 1] - lists->starts[i]};
}

/* --- making --- */

static void add_slice(pairs *pairs, const struct structure *structure, struct structure_slice slice, uint32_t event) {
  for (uint32_t i = 0; i < slice.count; i++)
    vector_push(pairs, ((struct pair){structure->ids.items[slice.first + i], event}));
}

static int compare_turns(const void *a, const void *b) {
  const struct turn *x = a, *y = b;
  if (x->previous != y->previous) return x->previous < y->previous ? -1 : 1;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static bool same_turn(const struct turn *a, const struct turn *b) {
  return a->previous == b->previous && a->thread == b->thread;
}

static void make_turns(struct relations *relations, const struct structure *structure) {
  const size_t count = structure->events.count;
  pairs members = {0};
  size_t turns = 0;
  relations->turns = memory_allocate((count + 1) * sizeof *relations->turns);
  for (size_t i = 0; i < count; i++)
    relations->turns[i] =
        (struct turn){structure->events.items[i].previous, (uint32_t)i + 1, structure->events.items[i].thread};
  qsort(relations->turns, count, sizeof *relations->turns, compare_turns);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && !same_turn(&relations->turns[turns - 1], &relations->turns[i]))
      relations->turns[turns++] = relations->turns[i];
    else if (i == 0)
      turns = 1;
    vector_push(&members, ((struct pair){(uint32_t)turns - 1, relations->turns[i].event}));
  }
  make_lists(&relations->turn_events, turns, &members);
  vector_free(&members);
}

void relations_make(struct relations *relations, const struct structure *structure) {
  pairs readers = {0}, consumers = {0};
  *relations = (struct relations){.structure = structure};
  for (uint32_t i = 0; i < structure->events.count; i++) {
    add_slice(&readers, structure, structure->events.items[i].reads, i + 1);
    add_slice(&consumers, structure, structure->events.items[i].consumes, i + 1);
  }
  make_lists(&relations->readers, structure->conditions.count + 1, &readers);
  make_lists(&relations->consumers, structure->conditions.count + 1, &consumers);
  make_turns(relations, structure);
  relations->marks = memory_allocate((structure->events.count + 1) * sizeof *relations->marks);
  vector_free(&readers);
  vector_free(&consumers);
}

static void forget_cycles(struct relations *relations) {
  for (size_t i = 0; i < relations->cycles.count; i++) vector_free(&relations->cycles.items[i]);
  relations->cycles.count = 0;
}

void relations_free(struct relations *relations) {
  free_lists(&relations->readers);
  free_lists(&relations->consumers);
  free_lists(&relations->turn_events);
  free(relations->turns);
  free(relations->marks);
  vector_free(&relations->stack);
  forget_cycles(relations);
  vector_free(&relations->cycles);
}

/* --- asking --- */

struct number_list relations_readers(const struct relations *relations, uint32_t condition) {
  return list_at(&relations->readers, condition);
}

struct number_list relations_consumers(const struct relations *relations, uint32_t condition) {
  return list_at(&relations->consumers, condition);
}

size_t relations_turns(const struct relations *relations) {
  return relations->turn_events.count;
}

struct number_list relations_turn(const struct relations *relations, size_t i) {
  return list_at(&relations->turn_events, i);
}

struct number_list relations_turn_of(const struct relations *relations, uint32_t previous, thread_id thread) {
  size_t low = 0, high = relations->turn_events.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const struct turn *turn = &relations->turns[middle];
    if (turn->previous == previous && turn->thread == thread) return relations_turn(relations, middle);
    if (turn->previous < previous || (turn->previous == previous && turn->thread < thread))
      low = middle + 1;
    else
      high = middle;
  }
  return (struct number_list){NULL, 0};
}

/* --- pasts --- */

static void visit(struct relations *relations, uint32_t event) {
  if (relations->marks[event] == relations->mark) return;
  relations->marks[event] = relations->mark;
  vector_push(&relations->stack, event);
}

void relations_mark_past(struct relations *relations, uint32_t event, uint32_t least) {
  const struct structure *structure = relations->structure;
  event_numbers causes = {0};
  relations->mark++;
  relations->stack.count = 0;
  visit(relations, event);
  while (relations->stack.count > 0) {
    const uint32_t top = relations->stack.items[--relations->stack.count];
    causes.count = 0;
    structure_append_causes(structure, &structure->events.items[top - 1], &causes);
    for (size_t i = 0; i < causes.count; i++)
      if (causes.items[i] >= least) visit(relations, causes.items[i]);
  }
  vector_free(&causes);
}

bool relations_is_marked(const struct relations *relations, uint32_t event) {
  return relations->marks[event] == relations->mark;
}

/* --- order --- */

/* What must come after what, among the events that are present. */
struct order {
  struct relations *relations;
  const bool *present;
  struct number_lists after; /* by event */
  pairs reading;             /* reader before consumer */
  uint32_t *missing;         /* how many that come before have not happened yet */
};

static void add_reading(struct order *order, pairs *edges, uint32_t condition) {
  const struct number_list readers = relations_readers(order->relations, condition),
                           consumers = relations_consumers(order->relations, condition);
  for (size_t i = 0; i < consumers.count; i++)
    for (size_t k = 0; order->present[consumers.items[i]] && k < readers.count; k++) {
      if (!order->present[readers.items[k]] || readers.items[k] == consumers.items[i]) continue;
      const struct pair edge = {readers.items[k], consumers.items[i]};
      vector_push(edges, edge);
      vector_push(&order->reading, edge);
    }
}

static void find_edges(struct order *order) {
  const struct structure *structure = order->relations->structure;
  pairs edges = {0};
  event_numbers causes = {0};
  for (uint32_t i = 1; i <= structure->events.count; i++) {
    if (!order->present[i]) continue;
    causes.count = 0;
    structure_append_causes(structure, &structure->events.items[i - 1], &causes);
    for (size_t k = 0; k < causes.count; k++) vector_push(&edges, ((struct pair){causes.items[k], i}));
  }
  for (uint32_t i = 1; i <= structure->conditions.count; i++) add_reading(order, &edges, i);
  make_lists(&order->after, structure->events.count + 1, &edges);
  order->missing = memory_allocate((structure->events.count + 1) * sizeof *order->missing);
  for (size_t i = 0; i < edges.count; i++) order->missing[edges.items[i].value]++;
  vector_free(&edges);
  vector_free(&causes);
}

/* What is not a step happens at once; then the thread of the last step continues while it can. */
static size_t choose(const struct structure *structure, const uint32_t *ready, size_t count, uint32_t last) {
  size_t best = 0;
  const thread_id thread = last ? structure->events.items[last - 1].thread : 0;
  for (size_t i = 0; i < count; i++) {
    const struct structure_event *event = &structure->events.items[ready[i] - 1];
    if (!event->is_step) return i;
    if (event->thread == thread) best = i;
  }
  return best;
}

static void put_in_order(struct order *order, event_numbers *list) {
  const struct structure *structure = order->relations->structure;
  event_numbers ready = {0};
  uint32_t last = 0;
  list->count = 0;
  for (uint32_t i = 1; i <= structure->events.count; i++)
    if (order->present[i] && order->missing[i] == 0) vector_push(&ready, i);
  while (ready.count > 0) {
    const size_t chosen = choose(structure, ready.items, ready.count, last);
    const uint32_t event = ready.items[chosen];
    ready.items[chosen] = ready.items[--ready.count];
    vector_push(list, event);
    if (structure->events.items[event - 1].is_step) last = event;
    const struct number_list after = list_at(&order->after, event);
    for (size_t i = 0; i < after.count; i++)
      if (--order->missing[after.items[i]] == 0) vector_push(&ready, after.items[i]);
  }
  vector_free(&ready);
}

/* --- cycles --- */

/* A shortest way from the consumer back to the reader, by breadth; *from says how each event was reached. */
static bool leads_back(const struct order *order, struct pair edge, uint32_t *from) {
  struct relations *relations = order->relations;
  relations->mark++;
  relations->stack.count = 0;
  visit(relations, edge.value);
  for (size_t i = 0; i < relations->stack.count; i++) {
    const uint32_t event = relations->stack.items[i];
    if (event == edge.key) return true;
    const struct number_list after = list_at(&order->after, event);
    for (size_t k = 0; k < after.count; k++) {
      if (relations_is_marked(relations, after.items[k]) || order->missing[after.items[k]] == 0) continue;
      from[after.items[k]] = event;
      visit(relations, after.items[k]);
    }
  }
  return false;
}

static bool is_reading(const struct order *order, uint32_t from, uint32_t to) {
  const struct structure *structure = order->relations->structure;
  const struct structure_slice reads = structure->events.items[from - 1].reads;
  for (uint32_t i = 0; i < reads.count; i++) {
    const struct number_list consumers = relations_consumers(order->relations, structure->ids.items[reads.first + i]);
    for (size_t k = 0; k < consumers.count; k++)
      if (consumers.items[k] == to) return true;
  }
  return false;
}

/* Causes are there with what they cause, so the readers say it all: each consumer is a cause of the next reader, or is
 * it. */
static void add_cycle(const struct order *order, struct pair edge, const uint32_t *from) {
  event_numbers cycle = {0};
  vector_push(&cycle, edge.key);
  for (uint32_t event = edge.key; event != edge.value; event = from[event])
    if (from[event] != edge.key && is_reading(order, from[event], event)) vector_push(&cycle, from[event]);
  vector_push(&order->relations->cycles, cycle);
}

static void find_cycles(const struct order *order) {
  uint32_t *from = memory_allocate((order->relations->structure->events.count + 1) * sizeof *from);
  for (size_t i = 0; i < order->reading.count && order->relations->cycles.count < MOST_CYCLES; i++) {
    const struct pair edge = order->reading.items[i];
    if (order->missing[edge.key] > 0 && leads_back(order, edge, from)) add_cycle(order, edge, from);
  }
  free(from);
}

bool relations_find_order(struct relations *relations, const bool *present, event_numbers *order_of_events) {
  struct order order = {.relations = relations, .present = present};
  size_t count = 0;
  for (size_t i = 1; i <= relations->structure->events.count; i++) count += present[i];
  forget_cycles(relations);
  find_edges(&order);
  put_in_order(&order, order_of_events);
  if (order_of_events->count < count) find_cycles(&order);
  BUG_ON(order_of_events->count < count && relations->cycles.count == 0);
  free_lists(&order.after);
  free(order.missing);
  vector_free(&order.reading);
  return order_of_events->count == count;
}
