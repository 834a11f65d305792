/* SPDX-License-Identifier: MIT */
#include "query/configuration.h"

#include "query/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PAIRWISE 6u /* more alternatives than that exclude each other through helper bits */

typedef VECTOR(term_id) term_ids;

struct configurations {
  struct structure *structure;
  struct terms *terms;
  struct solver *solver;
  struct relations relations;
  term_id *events; /* by number; event 0 always happens */
  term_id *values; /* by object, 0: not asked for */
  term_id *ended;  /* by thread, 0: not asked for */
  object_numbers variables;
  term_ids constraints;
  uint64_t cycles;
};

/* --- terms --- */

static term_id either(struct configurations *self, term_id a, term_id b) {
  return term_make(self->terms, TERM_OR, a, b, 0);
}

static term_id both(struct configurations *self, term_id a, term_id b) {
  return term_make(self->terms, TERM_AND, a, b, 0);
}

static term_id no(struct configurations *self, term_id a) {
  return term_not(self->terms, a);
}

static term_id truth(struct configurations *self, bool value) {
  return term_constant(self->terms, 1, value);
}

static void demand(struct configurations *self, term_id constraint) {
  bits value;
  if (!term_is_constant(self->terms, constraint, &value) || value != 1) vector_push(&self->constraints, constraint);
}

static void demand_one_of_two(struct configurations *self, term_id a, term_id b) {
  demand(self, either(self, a, b));
}

static term_id new_bit(struct configurations *self) {
  return term_input(self->terms, terms_new_input(self->terms, "", 1));
}

static int compare_terms(const void *a, const void *b) {
  const term_id x = *(const term_id *)a, y = *(const term_id *)b;
  return (x > y) - (x < y);
}

/* Of many, as a flat tree; doubles count once. */
static term_id any_of(struct configurations *self, term_ids *list) {
  if (list->count == 0) return truth(self, false);
  qsort(list->items, list->count, sizeof *list->items, compare_terms);
  size_t count = 1;
  for (size_t i = 1; i < list->count; i++)
    if (list->items[i] != list->items[count - 1]) list->items[count++] = list->items[i];
  for (; count > 1; count = (count + 1) / 2)
    for (size_t i = 0; i < count; i += 2)
      list->items[i / 2] = i + 1 < count ? either(self, list->items[i], list->items[i + 1]) : list->items[i];
  return list->items[0];
}

/* --- what a run is --- */

static void demand_causes(struct configurations *self, uint32_t number, event_numbers *causes) {
  const struct structure_event *event = &self->structure->events.items[number - 1];
  const term_id absent = no(self, self->events[number]);
  causes->count = 0;
  structure_append_causes(self->structure, event, causes);
  for (size_t i = 0; i < causes->count; i++) demand_one_of_two(self, absent, self->events[causes->items[i]]);
  if (event->constraint) demand_one_of_two(self, absent, event->constraint);
  if (event->ends_run) demand(self, absent);
  if (event->is_step) return;
  term_id prompt = self->events[number];
  for (size_t i = 0; i < causes->count; i++) prompt = either(self, prompt, no(self, self->events[causes->items[i]]));
  if (event->constraint) prompt = either(self, prompt, no(self, event->constraint));
  demand(self, prompt);
}

/* At most one of them happens. Of many: helper[i] is "one of the first i + 1 happens". */
static void demand_at_most_one(struct configurations *self, const uint32_t *events, size_t count) {
  if (count <= MOST_PAIRWISE) {
    for (size_t i = 0; i < count; i++)
      for (size_t j = i + 1; j < count; j++)
        demand_one_of_two(self, no(self, self->events[events[i]]), no(self, self->events[events[j]]));
    return;
  }
  term_id before = self->events[events[0]];
  for (size_t i = 1; i < count; i++) {
    demand_one_of_two(self, no(self, before), no(self, self->events[events[i]]));
    if (i + 1 == count) return;
    const term_id helper = new_bit(self);
    demand_one_of_two(self, no(self, before), helper);
    demand_one_of_two(self, no(self, self->events[events[i]]), helper);
    before = helper;
  }
}

/* Ordinary: a reader that is not a cause of the consumer excludes it. */
static void demand_reading(struct configurations *self, uint32_t condition) {
  const struct relations *relations = &self->relations;
  const struct number_list readers = relations_readers(relations, condition),
                           consumers = relations_consumers(relations, condition);
  for (size_t i = 0; i < consumers.count && readers.count > 0; i++) {
    const uint32_t consumer = consumers.items[i];
    relations_mark_past(&self->relations, consumer, readers.items[0]);
    for (size_t k = 0; k < readers.count; k++)
      if (readers.items[k] != consumer && !relations_is_marked(relations, readers.items[k]))
        demand_one_of_two(self, no(self, self->events[readers.items[k]]), no(self, self->events[consumer]));
  }
}

static void demand_everything(struct configurations *self) {
  const struct structure *structure = self->structure;
  event_numbers causes = {0};
  for (uint32_t i = 1; i <= structure->events.count; i++) demand_causes(self, i, &causes);
  for (size_t i = 0; i < relations_turns(&self->relations); i++) {
    const struct number_list turn = relations_turn(&self->relations, i);
    demand_at_most_one(self, turn.items, turn.count);
  }
  for (uint32_t i = 1; i <= structure->conditions.count; i++) {
    const struct number_list consumers = relations_consumers(&self->relations, i);
    demand_at_most_one(self, consumers.items, consumers.count);
    if (!structure->is_contextual) demand_reading(self, i);
  }
  vector_free(&causes);
}

struct configurations *configurations_create(struct structure *structure, uint32_t timeout_milliseconds) {
  struct configurations *self = memory_allocate(sizeof *self);
  const struct solver_settings settings = {.timeout_milliseconds = timeout_milliseconds, .only_z3 = true};
  self->structure = structure;
  self->terms = structure->terms;
  self->solver = solver_create(self->terms, &settings);
  relations_make(&self->relations, structure);
  self->events = memory_allocate((structure->events.count + 1) * sizeof *self->events);
  self->ended = memory_allocate((structure->threads.count + 1) * sizeof *self->ended);
  self->values = memory_allocate((structure->objects.count + 1) * sizeof *self->values);
  structure_append_variables(structure, &self->variables);
  self->events[0] = truth(self, true);
  for (size_t i = 1; i <= structure->events.count; i++) self->events[i] = new_bit(self);
  demand_everything(self);
  return self;
}

void configurations_destroy(struct configurations *self) {
  solver_destroy(self->solver);
  relations_free(&self->relations);
  free(self->events);
  free(self->values);
  free(self->ended);
  vector_free(&self->constraints);
  vector_free(&self->variables);
  free(self);
}

uint64_t configurations_forbidden_cycles(const struct configurations *self) {
  return self->cycles;
}

/* --- what holds at its end --- */

/* The condition was made and not consumed. */
static term_id is_marked(struct configurations *self, uint32_t condition) {
  const struct number_list consumers = relations_consumers(&self->relations, condition);
  term_id marked = self->events[self->structure->conditions.items[condition - 1].event];
  for (size_t i = 0; i < consumers.count; i++) marked = both(self, marked, no(self, self->events[consumers.items[i]]));
  return marked;
}

static void demand_value(struct configurations *self, uint32_t number) {
  const struct structure_condition *condition = &self->structure->conditions.items[number - 1];
  const term_id value = self->values[condition->object];
  if (!value || (!condition->is_known && !condition->term)) return;
  const unsigned width = term_at(self->terms, value)->width;
  term_id known = condition->term;
  if (!known || term_at(self->terms, known)->width != width)
    known = term_constant(self->terms, width, condition->value);
  demand_one_of_two(self, no(self, is_marked(self, number)), term_make(self->terms, TERM_EQUAL, value, known, 0));
}

static void make_value(struct configurations *self, uint32_t object) {
  const unsigned width = 8 * self->structure->objects.items[object - 1].size;
  self->values[object] = term_input(self->terms, terms_new_input(self->terms, "", width));
  for (uint32_t i = 1; i <= self->structure->conditions.count; i++)
    if (self->structure->conditions.items[i - 1].object == object) demand_value(self, i);
}

static term_id variable(void *self_pointer, uint64_t number) {
  struct configurations *self = self_pointer;
  const uint32_t object = self->variables.items[number];
  if (!self->values[object]) make_value(self, object);
  const bool is_signed = self->structure->objects.items[object - 1].is_signed;
  return term_extend(self->terms, is_signed ? TERM_SIGN_EXTEND : TERM_ZERO_EXTEND, EXPRESSION_BITS,
                     self->values[object]);
}

void configurations_learn(struct configurations *self, uint32_t condition) {
  demand_value(self, condition);
}

/* The thread has performed the event, and nothing after it. */
static term_id stands_behind(struct configurations *self, uint32_t event, thread_id thread) {
  const struct number_list turn = relations_turn_of(&self->relations, event, thread);
  term_id stands = self->events[event];
  for (size_t i = 0; i < turn.count; i++) stands = both(self, stands, no(self, self->events[turn.items[i]]));
  return stands;
}

static bool is_place(const struct place *place, const char *file, uint32_t line) {
  return place->line == line && (!file || expression_file_matches(file, place->file));
}

static term_id ended(void *self_pointer, uint64_t thread);

/* It waits in one of the joins of a tail: those before have reached their end. The joins it passes are not events. */
static void add_joins(struct configurations *self, term_ids *list, const struct structure_event *event, term_id stands,
                      const char *file, uint32_t line) {
  for (uint32_t i = 0; i < event->tail.count; i++) {
    const struct structure_operation *operation = &self->structure->tails.items[event->tail.first + i];
    if (operation->joins == NO_THREAD) return;
    const term_id over = ended(self, operation->joins);
    if (is_place(&operation->place, file, line)) vector_push(list, both(self, stands, no(self, over)));
    stands = both(self, stands, over);
  }
}

static term_id place(void *self_pointer, uint64_t thread, const char *file, uint32_t line) {
  struct configurations *self = self_pointer;
  const struct structure *structure = self->structure;
  term_ids list = {0};
  for (uint32_t i = 1; i <= structure->events.count; i++) {
    const struct structure_event *event = &structure->events.items[i - 1];
    if (event->thread != thread || structure_ends_thread(event)) continue;
    if (event->tail.count > 0)
      add_joins(self, &list, event, self->events[i], file, line);
    else if (is_place(&event->next.place, file, line))
      vector_push(&list, stands_behind(self, i, (thread_id)thread));
  }
  const term_id result = any_of(self, &list);
  vector_free(&list);
  return result;
}

/* After a tail: when all that it joins have ended. */
static term_id tail_is_over(struct configurations *self, uint32_t number) {
  const struct structure_event *event = &self->structure->events.items[number - 1];
  term_id over = self->events[number];
  for (uint32_t i = 0; i < event->tail.count; i++) {
    const thread_id joined = self->structure->tails.items[event->tail.first + i].joins;
    if (joined != NO_THREAD) over = both(self, over, ended(self, joined));
  }
  return over;
}

static term_id ended(void *self_pointer, uint64_t thread) {
  struct configurations *self = self_pointer;
  const struct structure *structure = self->structure;
  if (self->ended[thread]) return self->ended[thread];
  self->ended[thread] = truth(self, false); /* should a file have threads that join each other */
  term_ids list = {0};
  for (uint32_t i = 1; i <= structure->events.count; i++) {
    const struct structure_event *event = &structure->events.items[i - 1];
    if (event->thread != thread) continue;
    if (structure_ends_thread(event)) vector_push(&list, self->events[i]);
    if (event->tail.count > 0) vector_push(&list, tail_is_over(self, i));
  }
  self->ended[thread] = any_of(self, &list);
  vector_free(&list);
  return self->ended[thread];
}

struct expression_meaning configurations_meaning(struct configurations *self) {
  return (struct expression_meaning){.self = self, .variable = variable, .place = place, .ended = ended};
}

/* --- solutions --- */

static bool happens(const struct configurations *self, const struct model *model, uint32_t event) {
  const struct term *bit = term_at(self->terms, self->events[event]);
  return event == 0 || (model_value(model, (input_id)bit->value[0]) & 1);
}

/* No cycle: the events in an order in which they can happen. */
static bool find_order(struct configurations *self, struct configuration *configuration) {
  bool *present = memory_allocate(self->structure->events.count + 1);
  for (uint32_t i = 1; i <= self->structure->events.count; i++) present[i] = happens(self, &configuration->model, i);
  const bool ordered = relations_find_order(&self->relations, present, &configuration->events);
  free(present);
  return ordered;
}

/* The events of a cycle cannot all happen. Causes happen with what they cause, so only those need to be named that read
 * what the next one consumes, or consume what the one before reads. */
static void forbid_cycle(struct configurations *self, const event_numbers *cycle) {
  term_id some_absent = truth(self, false);
  for (size_t i = 0; i < cycle->count; i++)
    some_absent = either(self, some_absent, no(self, self->events[cycle->items[i]]));
  demand(self, some_absent);
  self->cycles++;
}

enum answer configurations_find(struct configurations *self, term_id wanted, struct configuration *configuration) {
  for (;;) {
    const struct query query = {
        .constraints = self->constraints.items, .count = self->constraints.count, .target = wanted};
    const enum answer answer = solver_solve(self->solver, &query, &configuration->model);
    if (answer != ANSWER_SATISFIABLE || find_order(self, configuration)) return answer;
    for (size_t i = 0; i < self->relations.cycles.count; i++) forbid_cycle(self, &self->relations.cycles.items[i]);
  }
}

void configuration_free(struct configuration *configuration) {
  vector_free(&configuration->events);
  model_free(&configuration->model);
}

uint32_t configuration_condition(const struct configurations *self, const struct configuration *configuration,
                                 uint32_t object) {
  const struct structure *structure = self->structure;
  for (uint32_t i = 1; i <= structure->conditions.count; i++) {
    if (structure->conditions.items[i - 1].object != object ||
        !happens(self, &configuration->model, structure->conditions.items[i - 1].event))
      continue;
    const struct number_list consumers = relations_consumers(&self->relations, i);
    bool consumed = false;
    for (size_t k = 0; k < consumers.count; k++) consumed |= happens(self, &configuration->model, consumers.items[k]);
    if (!consumed) return i;
  }
  return 0;
}
