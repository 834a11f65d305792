/* SPDX-License-Identifier: MIT
 *
 * Reading a trace's terms is one pass over its records. Runs that follow each other have most of their beginning in
 * common, so the records of the last trace are kept with the terms made of them: a record that is equal, with operands
 * that stand for the same terms, needs no making and no hashing. The same goes for decisions.
 *
 * An input is known by its thread, its index among the thread's inputs, and its width (another path may ask for another
 * type). Values are packed: input i has (width + 7) / 8 bytes at an offset that never changes. The symbols of visible
 * reads are inputs of other names: no plan gives them values, and in a run they have those that were read.
 */
#include "explore/inputs/inputs.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define NO_INPUT UINT32_MAX

struct known_input {
  uint32_t index;
  thread_id thread;
  uint8_t width, bytes;
  uint8_t source;      /* enum input_source */
  uint32_t offset;     /* into packed values */
  input_id next_width; /* the same name with another width, NO_INPUT none */
};

/* What has a name: the first input of that name, and the one the last trace had. */
struct name {
  input_id first, present;
};

typedef VECTOR(struct name) names;

struct inputs {
  struct inputs_settings settings;
  struct terms *terms;
  struct solver *solver;
  VECTOR(struct known_input) known;     /* by input */
  VECTOR(names) threads[INPUT_SOURCES]; /* by source, thread, then index */
  uint32_t packed_bytes;
  /* The last trace. */
  VECTOR(struct input_record) input_records;
  VECTOR(struct term_record) records;
  VECTOR(term_id) ids;   /* by record */
  VECTOR(uint8_t) stays; /* by record: it stands for the same term as in the trace before */
  VECTOR(struct decision) records_of_decisions;
  VECTOR(term_id) sides; /* by decision of the trace: the constraint */
  VECTOR(term_id) said;  /* the same, 0 where it holds for all inputs */
  VECTOR(struct path_decision) decisions;
  VECTOR(term_id) constraints;
  VECTOR(uint32_t) stamps; /* by term: the trace whose path has it as a constraint */
  uint32_t stamp;
  struct path path;
  struct model model; /* its values, if has_model */
  bool has_model;
  uint64_t mismatches;
  struct text first_mismatch;
  struct model hint, solution;
};

/* --- values --- */

struct values *values_hold(struct values *values) {
  if (values) values->references++;
  return values;
}

void values_release(struct values *values) {
  if (values && --values->references == 0) free(values);
}

static bits unpack(const struct values *values, const struct known_input *known) {
  bits value = 0;
  memcpy(&value, values->bytes + known->offset, known->bytes);
  return value;
}

static void unpack_all(const struct inputs *self, const struct values *values, struct model *model) {
  model->values.count = 0;
  if (!values) return;
  for (input_id i = 0; i < self->known.count; i++) {
    const struct known_input *known = &self->known.items[i];
    if (known->offset + known->bytes > values->size_bytes) return;
    vector_push(&model->values, unpack(values, known));
  }
}

/* As short as the last value that is not 0 allows; the end of an input is never cut. */
static struct values *pack_all(const struct inputs *self, const struct model *model) {
  size_t count = model->values.count;
  while (count > 0 && model->values.items[count - 1] == 0) count--;
  if (count == 0) return NULL;
  const uint32_t size_bytes = self->known.items[count - 1].offset + self->known.items[count - 1].bytes;
  struct values *values = memory_allocate(sizeof *values + size_bytes);
  values->references = 1;
  values->size_bytes = size_bytes;
  for (size_t i = 0; i < count; i++)
    memcpy(values->bytes + self->known.items[i].offset, &model->values.items[i], self->known.items[i].bytes);
  return values;
}

static void append_value(const struct inputs *self, const struct values *values, input_id first, input_values *list) {
  for (input_id id = first; id != NO_INPUT; id = self->known.items[id].next_width) {
    const struct known_input *known = &self->known.items[id];
    if (known->offset + known->bytes > values->size_bytes) continue;
    const bits value = unpack(values, known);
    if (value == 0) continue;
    const struct input_value item = {
        .index = known->index, .thread = known->thread, .value = {(uint64_t)value, (uint64_t)(value >> 64)}};
    vector_push(list, item);
    return;
  }
}

void inputs_append_values(const struct inputs *self, const struct values *values, input_values *list) {
  if (!values) return;
  for (size_t thread = 0; thread < self->threads[SOURCE_PLAN].count; thread++) {
    const names *names = &self->threads[SOURCE_PLAN].items[thread];
    for (size_t index = 0; index < names->count; index++) append_value(self, values, names->items[index].first, list);
  }
}

/* --- names --- */

struct input_name {
  enum input_source source;
  thread_id thread;
  uint32_t index;
};

static struct name *name_of(struct inputs *self, struct input_name input) {
  while (self->threads[input.source].count <= input.thread) vector_push(&self->threads[input.source], (names){0});
  names *names = &self->threads[input.source].items[input.thread];
  while (names->count <= input.index) vector_push(names, ((struct name){NO_INPUT, NO_INPUT}));
  return &names->items[input.index];
}

static input_id new_input(struct inputs *self, struct input_name name, unsigned width, const char *words) {
  const struct known_input known = {.index = name.index,
                                    .thread = name.thread,
                                    .source = (uint8_t)name.source,
                                    .width = (uint8_t)width,
                                    .bytes = (uint8_t)((width + 7) / 8),
                                    .offset = self->packed_bytes,
                                    .next_width = NO_INPUT};
  self->packed_bytes += known.bytes;
  vector_push(&self->known, known);
  const input_id id = terms_new_input(self->terms, words, width);
  BUG_ON(id + 1 != self->known.count);
  return id;
}

/* The input, made if it is new; it is what the name stands for in this trace. */
static input_id input_of(struct inputs *self, struct input_name wanted, unsigned width, const char *words) {
  struct name *name = name_of(self, wanted);
  input_id *link = &name->first;
  while (*link != NO_INPUT && self->known.items[*link].width != width) link = &self->known.items[*link].next_width;
  if (*link == NO_INPUT) {
    const input_id id = new_input(self, wanted, width, words);
    /* The table of inputs may have moved. */
    link = &name->first;
    while (*link != NO_INPUT) link = &self->known.items[*link].next_width;
    *link = id;
  }
  name->present = *link;
  return name->present;
}

static void read_input_record(struct inputs *self, const struct trace_view *trace, const struct input_record *record) {
  struct text words = {0};
  for (uint32_t i = 0; i < record->count; i++) {
    text_clear(&words);
    text_append_bytes(&words, trace->names + record->name_offset, record->name_bytes);
    if (record->count > 1) text_append_format(&words, "[%u]", i);
    input_of(self, (struct input_name){SOURCE_PLAN, record->thread, record->index + i}, record->width,
             text_string(&words));
  }
  text_free(&words);
}

static bool same_input_record(const struct input_record *a, const struct input_record *b) {
  return a->index == b->index && a->count == b->count && a->thread == b->thread && a->width == b->width;
}

static void read_input_records(struct inputs *self, const struct trace_view *trace) {
  const size_t known = self->input_records.count;
  self->input_records.count = 0;
  for (uint32_t i = 0; i < trace->record->n_inputs; i++) {
    const struct input_record *record = &trace->inputs[i];
    if (i >= known || !same_input_record(&self->input_records.items[i], record)) read_input_record(self, trace, record);
    vector_push(&self->input_records, *record);
  }
}

static bits record_value(const struct term_record *record) {
  return ((bits)record->value[1] << 64 | record->value[0]) & bits_mask(record->width);
}

/* What was read is what the symbol stands for in this run. */
static void read_symbol_values(struct inputs *self, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_accesses; i++) {
    const uint32_t symbol = trace->accesses[i].symbol;
    const struct term *term = symbol ? term_at(self->terms, self->ids.items[symbol - 1]) : NULL;
    if (term && term->kind == TERM_INPUT)
      model_set(&self->hint, (input_id)term->value[0], record_value(&trace->terms[symbol - 1]));
  }
}

static struct values *read_values(struct inputs *self, const struct trace_view *trace) {
  self->hint.values.count = 0;
  for (uint32_t i = 0; i < trace->record->n_input_values; i++) {
    const struct input_value *item = &trace->input_values[i];
    const bits value = (bits)item->value[1] << 64 | item->value[0];
    if (value == 0) continue;
    const struct input_name name = {SOURCE_PLAN, item->thread, item->index};
    input_id id = name_of(self, name)->present;
    if (id == NO_INPUT) id = input_of(self, name, TERM_MAX_WIDTH, "input");
    model_set(&self->hint, id, value & bits_mask(self->known.items[id].width));
  }
  read_symbol_values(self, trace);
  return pack_all(self, &self->hint);
}

/* --- terms --- */

static bool same_record(const struct term_record *a, const struct term_record *b) {
  if (a->kind != b->kind || a->width != b->width || a->low != b->low) return false;
  if (a->kind == TERM_CONSTANT) return a->value[0] == b->value[0] && a->value[1] == b->value[1];
  return memcmp(a->operands, b->operands, sizeof a->operands) == 0;
}

static bool operands_stay(const struct inputs *self, const struct term_record *record) {
  if (record->kind == TERM_CONSTANT || record->kind == TERM_INPUT) return true;
  for (unsigned i = 0; i < 3 && record->operands[i]; i++)
    if (!self->stays.items[record->operands[i] - 1]) return false;
  return true;
}

static term_id operand(const struct inputs *self, const struct term_record *record, unsigned i) {
  return self->ids.items[record->operands[i] - 1];
}

static input_id input_of_term(struct inputs *self, const struct term_record *record) {
  const struct input_name name = {record->operands[2], (thread_id)record->operands[1], record->operands[0]};
  const input_id present = name_of(self, name)->present;
  if (present != NO_INPUT && self->known.items[present].width == record->width) return present;
  if (name.source == SOURCE_PLAN) return input_of(self, name, record->width, "input");
  struct text words = {0};
  text_append_format(&words, "r%u.%u", name.thread, name.index);
  const input_id id = input_of(self, name, record->width, text_string(&words));
  text_free(&words);
  return id;
}

static term_id make_term(struct inputs *self, const struct term_record *record) {
  switch ((enum term_operator)record->kind) {
  case TERM_CONSTANT: return term_constant(self->terms, record->width, record_value(record));
  case TERM_INPUT: return term_input(self->terms, input_of_term(self, record));
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND: return term_extend(self->terms, record->kind, record->width, operand(self, record, 0));
  case TERM_EXTRACT: return term_extract(self->terms, record->low, record->width, operand(self, record, 0));
  case TERM_IF:
    return term_make(self->terms, TERM_IF, operand(self, record, 0), operand(self, record, 1),
                     operand(self, record, 2));
  default: return term_make(self->terms, record->kind, operand(self, record, 0), operand(self, record, 1), 0);
  }
}

static void read_term(struct inputs *self, const struct term_record *record, uint32_t i, size_t known) {
  if (i < known && same_record(&self->records.items[i], record) && operands_stay(self, record)) {
    self->stays.items[i] = true;
    return;
  }
  const term_id id = make_term(self, record);
  if (i == self->ids.count) {
    vector_push(&self->records, *record);
    vector_push(&self->ids, id);
    vector_push(&self->stays, false);
    return;
  }
  self->stays.items[i] = self->ids.items[i] == id;
  self->records.items[i] = *record;
  self->ids.items[i] = id;
}

static void read_terms(struct inputs *self, const struct trace_view *trace) {
  const size_t known = self->ids.count;
  for (uint32_t i = 0; i < trace->record->n_terms; i++) read_term(self, &trace->terms[i], i, known);
  self->records.count = self->ids.count = self->stays.count = trace->record->n_terms;
}

/* --- decisions --- */

bool decision_is_pin(const struct decision *decision) {
  return decision->kind == DECISION_PIN || (decision->kind == DECISION_ADDRESS && decision->high == 0);
}

static term_id constraint_of(struct inputs *self, const struct trace_view *trace, const struct decision *decision) {
  const term_id term = self->ids.items[decision->term - 1];
  const struct term_record *record = &trace->terms[decision->term - 1];
  if (decision->kind == DECISION_PIN || decision->kind == DECISION_ADDRESS)
    return term_make(self->terms, TERM_EQUAL, term, term_constant(self->terms, record->width, record_value(record)), 0);
  const bool side = decision->kind == DECISION_GIVEN || decision->value & 1;
  return side ? term : term_not(self->terms, term);
}

static bool decision_stays(const struct inputs *self, const struct trace_view *trace, uint32_t i, size_t known) {
  const struct decision *a = &trace->decisions[i];
  if (i >= known) return false;
  const struct decision *b = &self->records_of_decisions.items[i];
  return a->term == b->term && a->kind == b->kind && a->value == b->value && self->stays.items[a->term - 1] &&
         trace->terms[a->term - 1].width <= 64;
}

static void note_mismatch(struct inputs *self, const struct trace_view *trace, uint32_t number, const char *what) {
  if (self->mismatches++ > 0) return;
  const struct term_record *record = &trace->terms[number - 1];
  text_append_format(&self->first_mismatch, "%s: term %u, operator %u of %u bits, was 0x%llx in the run", what, number,
                     record->kind, record->width, (unsigned long long)record->value[0]);
}

/* A constraint that says something new. */
static bool counts(struct inputs *self, const struct trace_view *trace, const struct decision *decision, term_id side) {
  bits value;
  if (term_is_constant(self->terms, side, &value)) {
    if (value != 1) note_mismatch(self, trace, decision->term, "a decision that no input can take was taken");
    return false;
  }
  while (self->stamps.count <= side) vector_push(&self->stamps, 0);
  if (self->stamps.items[side] == self->stamp) return false;
  self->stamps.items[side] = self->stamp;
  return true;
}

static void next_stamp(struct inputs *self) {
  if (++self->stamp != 0) return;
  self->stamps.count = 0;
  self->stamp = 1;
}

static void note_side(struct inputs *self, const struct decision *decision, uint32_t i) {
  bits value;
  const term_id side = self->sides.items[i];
  const bool says_nothing = decision->kind == DECISION_NONE || term_is_constant(self->terms, side, &value);
  vector_push(&self->said, says_nothing ? 0 : side);
}

static void read_decisions(struct inputs *self, const struct trace_view *trace) {
  const size_t known = self->records_of_decisions.count;
  self->decisions.count = self->constraints.count = self->said.count = 0;
  self->path.hash = 0;
  next_stamp(self);
  for (uint32_t i = 0; i < trace->record->n_decisions; i++) {
    const struct decision *decision = &trace->decisions[i];
    if (!decision_stays(self, trace, i, known)) {
      const term_id side = constraint_of(self, trace, decision);
      if (i == self->sides.count) {
        vector_push(&self->sides, side);
        vector_push(&self->records_of_decisions, *decision);
      }
      self->sides.items[i] = side;
      self->records_of_decisions.items[i] = *decision;
    }
    const term_id side = self->sides.items[i];
    note_side(self, decision, i);
    if (decision->kind == DECISION_NONE || !counts(self, trace, decision, side)) continue;
    vector_push(&self->decisions, ((struct path_decision){decision, self->ids.items[decision->term - 1], side}));
    vector_push(&self->constraints, side);
    if (!decision_is_pin(decision)) self->path.hash = hash_mix(self->path.hash, side);
  }
  self->sides.count = self->records_of_decisions.count = trace->record->n_decisions;
}

/* Every term must have the value it had in the run. The model of the run is in `hint`. */
static void check_terms(struct inputs *self, const struct trace_view *trace) {
  terms_start_evaluation(self->terms);
  for (uint32_t i = 0; i < trace->record->n_terms; i++)
    if (terms_evaluate_next(self->terms, self->ids.items[i], &self->hint) != record_value(&trace->terms[i]))
      note_mismatch(self, trace, i + 1, "a term has another value");
}

const struct path *inputs_read(struct inputs *self, const struct trace_view *trace) {
  const struct trace *record = trace->record;
  values_release(self->path.values);
  self->path.values = NULL;
  self->has_model = false;
  if (record->n_inputs == 0 && record->n_terms == 0 && record->n_input_values == 0) return NULL;
  read_input_records(self, trace);
  read_terms(self, trace);
  self->path.values = read_values(self, trace);
  if (self->settings.check) check_terms(self, trace);
  read_decisions(self, trace);
  self->path.decisions = self->decisions.items;
  self->path.constraints = self->constraints.items;
  self->path.count = self->decisions.count;
  self->path.sides = self->said.items;
  self->path.terms = self->ids.items;
  return &self->path;
}

bool path_holds(const struct path *path, struct inputs *self, const term_id *constraints, size_t count) {
  BUG_ON(path != &self->path); /* the model that is kept is the path's */
  if (!self->has_model) unpack_all(self, path->values, &self->model);
  self->has_model = true;
  return terms_hold(self->terms, constraints, count, &self->model);
}

bool inputs_satisfy(struct inputs *self, const struct values *values, const term_id *constraints, size_t count) {
  unpack_all(self, values, &self->hint);
  return terms_hold(self->terms, constraints, count, &self->hint);
}

/* --- solving --- */

enum answer inputs_solve(struct inputs *self, const term_id *constraints, size_t count, term_id target,
                         const struct values *hint, struct values **solution) {
  unpack_all(self, hint, &self->hint);
  const struct query query = {.constraints = constraints, .count = count, .target = target, .hint = &self->hint};
  const enum answer answer = solver_solve(self->solver, &query, &self->solution);
  if (answer == ANSWER_SATISFIABLE) *solution = pack_all(self, &self->solution);
  return answer;
}

bits inputs_value_in_solution(struct inputs *self, term_id term) {
  return term_evaluate(self->terms, term, &self->solution);
}

/* --- the whole --- */

struct inputs *inputs_create(const struct inputs_settings *settings) {
  struct inputs *self = memory_allocate(sizeof *self);
  self->settings = *settings;
  self->terms = terms_create();
  const struct solver_settings solver = {.timeout_milliseconds = settings->solver_timeout_milliseconds,
                                         .check = settings->check,
                                         .deadline = settings->deadline};
  self->solver = solver_create(self->terms, &solver);
  return self;
}

void inputs_destroy(struct inputs *self) {
  if (!self) return;
  values_release(self->path.values);
  solver_destroy(self->solver);
  terms_destroy(self->terms);
  for (int source = 0; source < INPUT_SOURCES; source++) {
    for (size_t i = 0; i < self->threads[source].count; i++) vector_free(&self->threads[source].items[i]);
    vector_free(&self->threads[source]);
  }
  vector_free(&self->known);
  vector_free(&self->input_records);
  vector_free(&self->records);
  vector_free(&self->ids);
  vector_free(&self->stays);
  vector_free(&self->records_of_decisions);
  vector_free(&self->sides);
  vector_free(&self->said);
  vector_free(&self->decisions);
  vector_free(&self->constraints);
  vector_free(&self->stamps);
  text_free(&self->first_mismatch);
  model_free(&self->model);
  model_free(&self->hint);
  model_free(&self->solution);
  free(self);
}

size_t inputs_count(const struct inputs *self) {
  return self->known.count;
}

uint64_t inputs_mismatches(const struct inputs *self, const char **words) {
  *words = text_string(&self->first_mismatch);
  return self->mismatches;
}

bool inputs_identity(const struct inputs *self, input_id id, thread_id *thread, uint32_t *index) {
  *thread = self->known.items[id].thread;
  *index = self->known.items[id].index;
  return self->known.items[id].source == SOURCE_PLAN;
}

struct terms *inputs_terms(struct inputs *self) {
  return self->terms;
}

uint32_t inputs_max_address_targets(const struct inputs *self) {
  return self->settings.max_address_targets;
}

void inputs_get_statistics(const struct inputs *self, struct solver_statistics *statistics) {
  *statistics = (struct solver_statistics){0};
  solver_get_statistics(self->solver, statistics);
}
