/* SPDX-License-Identifier: MIT
 *
 * The set of a wide event: bit t % 64 of word t / 64 for thread t. It is as long as the threads there were at that
 * moment needed, so it ends where the set of the next wide event begins.
 */
#include "trace/trace.h"

#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define MOST_INPUTS (1u << 24) /* of a thread: beyond, the trace is damaged */

static uint64_t addition_bytes(const struct addition *adds) {
  return (uint64_t)adds->n_shared * sizeof(struct granule_addition) +
         (uint64_t)adds->n_warnings * sizeof(struct warning) +
         (uint64_t)adds->n_observed * sizeof(struct observed_addition) +
         (uint64_t)adds->n_touches * sizeof(struct touch) + (uint64_t)adds->n_births * sizeof(struct birth) +
         (uint64_t)adds->n_threads * sizeof(struct thread_name) + (uint64_t)adds->n_covered * sizeof(uint32_t) +
         adds->observed_bytes;
}

static uint64_t bytes_needed(const struct trace *record) {
  return sizeof *record + (uint64_t)record->n_events * sizeof(struct event) + (uint64_t)record->n_words * 8 +
         (uint64_t)record->n_pending * sizeof(struct pending) + (uint64_t)record->n_blocks * sizeof(struct block) +
         (uint64_t)record->n_terms * sizeof(struct term_record) +
         (uint64_t)record->n_decisions * sizeof(struct decision) +
         (uint64_t)record->n_inputs * sizeof(struct input_record) +
         (uint64_t)record->n_input_values * sizeof(struct input_value) +
         (uint64_t)record->n_accesses * sizeof(struct access) + (uint64_t)record->n_covered * sizeof(uint32_t) +
         record->names_bytes + record->message_bytes + addition_bytes(&record->adds);
}

static bool event_is_sound(const struct trace *record, const struct event *event) {
  if (event->kind >= EVENT_KINDS || event->thread >= HEDDLE_MAX_THREADS) return false;
  if (!event_is_step(event)) return true;
  if (event->alternatives == 0 || event->alternative >= event->alternatives) return false;
  return !(event->flags & EVENT_WIDE) || event->enabled <= record->n_words;
}

static unsigned operands_of(enum term_operator kind) {
  static const uint8_t operands[TERM_OPERATORS] = {
#define OPERATOR(name, words, operands, commutative) operands,
#include "abi/operators.def"

#define MOST_VALUES (1u << 22) /* of one named input */
#undef OPERATOR
  };
  return operands[kind];
}

/* Operands that the operator does not have are 0. */
static unsigned operand_width(const struct term_record *terms, const struct term_record *term, unsigned i) {
  return term->operands[i] ? terms[term->operands[i] - 1].width : 0;
}

static bool widths_are_sound(const struct term_record *terms, const struct term_record *term) {
  const unsigned a = operand_width(terms, term, 0), b = operand_width(terms, term, 1);
  switch ((enum term_operator)term->kind) {
  case TERM_EQUAL:
  case TERM_LESS:
  case TERM_LESS_EQUAL:
  case TERM_LESS_SIGNED:
  case TERM_LESS_EQUAL_SIGNED: return term->width == 1 && a == b;
  case TERM_IF: return a == 1 && b == term->width && operand_width(terms, term, 2) == b;
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND: return a <= term->width;
  case TERM_EXTRACT: return term->low + term->width <= a;
  case TERM_CONCATENATE: return a + b == term->width;
  default: return a == term->width && b == term->width;
  }
}

/* Operands come before their users and have the widths that abi/operators.def asks for. */
static bool term_is_sound(const struct term_record *terms, uint32_t number) {
  const struct term_record *term = &terms[number - 1];
  if (term->kind >= TERM_OPERATORS || term->width == 0 || term->width > TERM_MAX_WIDTH) return false;
  if (term->kind == TERM_CONSTANT) return true;
  if (term->kind == TERM_INPUT)
    return term->operands[0] < MOST_INPUTS && term->operands[1] < HEDDLE_MAX_THREADS &&
           term->operands[2] < INPUT_SOURCES;
  for (unsigned i = 0; i < 3; i++)
    if (i < operands_of(term->kind) ? term->operands[i] == 0 || term->operands[i] >= number : term->operands[i] != 0)
      return false;
  return widths_are_sound(terms, term);
}

static bool decision_is_sound(const struct trace_view *view, const struct decision *decision) {
  if (decision->kind >= DECISION_KINDS || decision->why >= PIN_REASONS || decision->thread >= HEDDLE_MAX_THREADS ||
      decision->term == 0 || decision->term > view->record->n_terms)
    return false;
  const bool has_sides =
      decision->kind == DECISION_BRANCH || decision->kind == DECISION_ASSUME || decision->kind == DECISION_GIVEN;
  return !has_sides || view->terms[decision->term - 1].width == 1;
}

static bool input_is_sound(const struct trace *record, const struct input_record *input) {
  return input->thread < HEDDLE_MAX_THREADS && input->type < INPUT_TYPES && input->width > 0 &&
         (uint64_t)input->index + input->count <= MOST_INPUTS && input->width <= TERM_MAX_WIDTH &&
         input->count <= MOST_VALUES && (uint64_t)input->name_offset + input->name_bytes <= record->names_bytes;
}

static bool is_term_of(const struct trace_view *view, uint32_t term, uint32_t size_bytes) {
  return term == 0 || (term <= view->record->n_terms && view->terms[term - 1].width == 8 * size_bytes);
}

static bool access_is_sound(const struct trace_view *view, const struct access *access) {
  return access->size > 0 && access->size <= 8 && access->event < view->record->n_events &&
         is_term_of(view, access->symbol, access->size) && is_term_of(view, access->found, access->size) &&
         is_term_of(view, access->written, access->size);
}

static bool symbols_are_sound(const struct trace_view *view) {
  const struct trace *record = view->record;
  for (uint32_t i = 0; i < record->n_terms; i++)
    if (!term_is_sound(view->terms, i + 1)) return false;
  for (uint32_t i = 0; i < record->n_decisions; i++)
    if (!decision_is_sound(view, &view->decisions[i])) return false;
  for (uint32_t i = 0; i < record->n_inputs; i++)
    if (!input_is_sound(record, &view->inputs[i])) return false;
  for (uint32_t i = 0; i < record->n_input_values; i++)
    if (view->input_values[i].thread >= HEDDLE_MAX_THREADS || view->input_values[i].index >= MOST_INPUTS) return false;
  for (uint32_t i = 0; i < record->n_accesses; i++)
    if (!access_is_sound(view, &view->accesses[i])) return false;
  return true;
}

/* The texts that were observed are the observed text. */
static bool additions_are_sound(const struct trace_view *view) {
  const struct addition *adds = &view->record->adds;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < adds->n_observed; i++) bytes += view->adds.observed[i].text_bytes;
  return bytes == adds->observed_bytes;
}

static bool contents_are_sound(const struct trace_view *view) {
  const struct trace *record = view->record;
  for (uint32_t i = 0; i < record->n_events; i++)
    if (!event_is_sound(record, &view->events[i])) return false;
  for (uint32_t i = 0; i < record->n_pending; i++)
    if (view->pendings[i].thread >= HEDDLE_MAX_THREADS || view->pendings[i].kind >= EVENT_KINDS) return false;
  return record->message_bytes == 0 || view->message[record->message_bytes - 1] == 0;
}

bool trace_open(struct trace_view *view, const struct trace *record, size_t size_bytes) {
  if (size_bytes < sizeof *record || size_bytes % 8 != 0 || record->size_bytes != size_bytes) return false;
  if (record->form != RECORD_TRACE || bytes_needed(record) > size_bytes) return false;
  if (record->n_threads > HEDDLE_MAX_THREADS || record->outcome == OUTCOME_NONE || record->outcome >= OUTCOMES)
    return false;
  view->record = record;
  view->events = (const struct event *)(record + 1);
  view->words = (const uint64_t *)(view->events + record->n_events);
  view->pendings = (const struct pending *)(view->words + record->n_words);
  view->blocks = (const struct block *)(view->pendings + record->n_pending);
  view->terms = (const struct term_record *)(view->blocks + record->n_blocks);
  view->decisions = (const struct decision *)(view->terms + record->n_terms);
  view->inputs = (const struct input_record *)(view->decisions + record->n_decisions);
  view->input_values = (const struct input_value *)(view->inputs + record->n_inputs);
  view->accesses = (const struct access *)(view->input_values + record->n_input_values);
  view->adds.shared = (const struct granule_addition *)(view->accesses + record->n_accesses);
  view->adds.warnings = (const struct warning *)(view->adds.shared + record->adds.n_shared);
  view->adds.observed = (const struct observed_addition *)(view->adds.warnings + record->adds.n_warnings);
  view->adds.touches = (const struct touch *)(view->adds.observed + record->adds.n_observed);
  view->adds.births = (const struct birth *)(view->adds.touches + record->adds.n_touches);
  view->adds.threads = (const struct thread_name *)(view->adds.births + record->adds.n_births);
  view->adds.covered = (const uint32_t *)(view->adds.threads + record->adds.n_threads);
  view->covered = view->adds.covered + record->adds.n_covered;
  view->names = (const char *)(view->covered + record->n_covered);
  view->message = record->message_bytes ? view->names + record->names_bytes : "";
  view->adds.observed_text = view->names + record->names_bytes + record->message_bytes;
  return contents_are_sound(view) && symbols_are_sound(view) && additions_are_sound(view);
}

bool trace_read(struct trace_view *view, const struct trace *record, size_t size_bytes, uint64_t generation) {
  if (size_bytes < sizeof *record || size_bytes > UINT32_MAX || size_bytes % 8 != 0) return false;
  return record->check == record_check(record, (uint32_t)size_bytes, generation) &&
         trace_open(view, record, size_bytes);
}

struct trace *trace_copy(const struct trace_view *view) {
  struct trace *copy = memory_allocate(view->record->size_bytes);
  memcpy(copy, view->record, view->record->size_bytes);
  copy->check = record_check(copy, copy->size_bytes, NO_GENERATION);
  return copy;
}

const uint64_t *trace_enabled_set(const struct trace_view *view, const struct event *event) {
  return event->flags & EVENT_WIDE ? view->words + event->enabled : &event->enabled;
}

size_t trace_enabled_words(const struct trace_view *view, const struct event *event) {
  if (!(event->flags & EVENT_WIDE)) return 1;
  const struct event *end = view->events + view->record->n_events;
  for (const struct event *next = event + 1; next < end; next++)
    if (event_is_step(next) && next->flags & EVENT_WIDE)
      return next->enabled > event->enabled ? next->enabled - event->enabled : 0;
  return view->record->n_words - event->enabled;
}

void trace_leave_out_before(struct trace_view *view, struct trace *record, uint32_t step) {
  view->record = record;
  for (uint32_t left = step; step > 0 && record->n_events > 0; view->events++, record->n_events--)
    if (event_is_step(view->events) && left-- == 0) return;
}

bool trace_was_enabled(const struct trace_view *view, const struct event *event, thread_id thread) {
  if (thread / 64u >= trace_enabled_words(view, event)) return false;
  return trace_enabled_set(view, event)[thread / 64u] >> (thread % 64u) & 1;
}

struct step *schedule_extend(struct schedule *schedule, size_t count) {
  while (!schedule->items || schedule->capacity < schedule->count + count)
    schedule->items = memory_grow(schedule->items, &schedule->capacity, sizeof *schedule->items);
  schedule->count += count;
  return schedule->items + schedule->count - count;
}

void schedule_append(struct schedule *schedule, const struct step *steps, size_t count) {
  struct step *room = schedule_extend(schedule, count);
  if (count > 0) memcpy(room, steps, count * sizeof *steps);
}

void schedule_append_trace(struct schedule *schedule, const struct trace_view *view) {
  for (uint32_t i = 0; i < view->record->n_events; i++) {
    const struct event *event = &view->events[i];
    if (!event_is_step(event)) continue;
    const struct step step = {event->thread, event->alternative};
    vector_push(schedule, step);
  }
}
