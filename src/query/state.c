/* SPDX-License-Identifier: MIT */
#include "query/state.h"

#include "base/files.h"
#include "explore/executor/knowledge.h"
#include "trace/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- making, writing, reading --- */

/* What it held at first, if that is known and the same in all runs. */
static void find_initial(const struct structure *structure, uint32_t object, struct state_variable *variable) {
  for (size_t i = 0; i < structure->conditions.count; i++) {
    const struct structure_condition *condition = &structure->conditions.items[i];
    if (condition->object != object || condition->event || !condition->is_known || condition->term) continue;
    variable->has_initial = true;
    variable->initial = condition->value;
  }
}

void state_make(struct state *state, const struct structure *structure, const char *expression, uint32_t step) {
  object_numbers objects = {0};
  *state = (struct state){.step = step, .text = memory_copy_string(expression)};
  structure_append_variables(structure, &objects);
  for (size_t i = 0; i < objects.count; i++) {
    const struct structure_object *object = &structure->objects.items[objects.items[i] - 1];
    struct state_variable variable = {.name = memory_copy_string(object->name),
                                      .address = object->address,
                                      .size = object->size,
                                      .is_signed = object->is_signed};
    find_initial(structure, objects.items[i], &variable);
    vector_push(&state->variables, variable);
  }
  vector_free(&objects);
}

void state_free(struct state *state) {
  for (size_t i = 0; i < state->variables.count; i++) free(state->variables.items[i].name);
  vector_free(&state->variables);
  free(state->text);
  *state = (struct state){0};
}

/* Line ends become blanks: both may contain anything. */
static void append_line(struct text *text, const char *string) {
  for (; *string; string++) text_append_bytes(text, *string == '\n' ? " " : string, 1);
  text_append(text, "\n");
}

void state_append_file(const struct state *state, struct text *text) {
  text_append_format(text, "heddle state\nstep %u\nexpression ", state->step);
  append_line(text, state->text);
  for (size_t i = 0; i < state->variables.count; i++) {
    const struct state_variable *variable = &state->variables.items[i];
    text_append_format(text, "variable %llx %u %d ", (unsigned long long)variable->address, variable->size,
                       variable->is_signed);
    if (variable->has_initial)
      text_append_format(text, "%llu ", (unsigned long long)variable->initial);
    else
      text_append(text, "- ");
    append_line(text, variable->name);
  }
}

static bool parse_variable(struct state *state, const char *line) {
  struct state_variable variable = {0};
  unsigned long long address, initial = 0;
  int is_signed, name = 0;
  if (sscanf(line, "variable %llx %u %d %n", &address, &variable.size, &is_signed, &name) != 3 || name == 0)
    return false;
  line += name;
  variable.has_initial = *line != '-';
  name = 1;
  if (variable.has_initial && sscanf(line, "%llu%n", &initial, &name) != 1) return false;
  if (line[name] != ' ' || variable.size == 0 || variable.size > 8) return false;
  variable.address = address;
  variable.initial = initial;
  variable.is_signed = is_signed;
  variable.name = memory_copy_string(line + name + 1);
  vector_push(&state->variables, variable);
  return true;
}

static bool parse_line(struct state *state, const char *line, size_t number) {
  int end = 0;
  switch (number) {
  case 0: return strcmp(line, "heddle state") == 0;
  case 1: return sscanf(line, "step %u%n", &state->step, &end) == 1 && line[end] == 0;
  case 2:
    if (strncmp(line, "expression ", 11) != 0) return false;
    state->text = memory_copy_string(line + 11);
    return true;
  default: return parse_variable(state, line);
  }
}

static bool parse(struct state *state, char *contents) {
  size_t number = 0;
  for (char *line = contents, *end; *line; line = end + 1, number++) {
    end = strchr(line, '\n');
    if (!end) return false;
    *end = 0;
    if (!parse_line(state, line, number)) return false;
  }
  return number >= 3;
}

bool state_is_in(const char *directory) {
  char *path = files_join(directory, "state");
  const bool exists = files_exists(path);
  free(path);
  return exists;
}

bool state_read(struct state *state, const char *directory, struct error *error) {
  struct text contents = {0};
  char *path = files_join(directory, "state");
  *state = (struct state){0};
  bool good = files_read(path, &contents, error);
  if (good && (!contents.string || !parse(state, contents.string)))
    good = error_set(error, "%s is damaged: ask again with 'heddle query'", path);
  if (!good) state_free(state);
  text_free(&contents);
  free(path);
  return good;
}

/* --- values --- */

/* Bytes of a variable, as far as they are known. */
struct bytes_known {
  uint64_t value, mask;
};

static uint64_t low_bytes(uint64_t count) {
  return count >= 8 ? UINT64_MAX : (1ull << 8 * count) - 1;
}

/* Which bytes of the variable the event touches, and what it found or left there; an event shows its first 8 bytes. */
static struct bytes_known bytes_of(const struct event *event, const struct state_variable *variable,
                                   uint64_t *touched) {
  struct bytes_known known = {0};
  *touched = 0;
  for (uint32_t i = 0; i < variable->size; i++) {
    const uint64_t at = variable->address + i - event->object;
    if (at >= event->size) continue;
    const uint64_t byte = 0xffull << 8 * i;
    *touched |= byte;
    if (at >= 8 || !(event->flags & EVENT_VALUE_KNOWN)) continue;
    known.value |= (event->value >> 8 * at & 0xff) << 8 * i;
    known.mask |= byte;
  }
  return known;
}

static bool is_memory(const struct event *event) {
  return event_class_of(event) == CLASS_MEMORY && !event_is_lifetime(event);
}

/* The index of the first event that is not before the state. */
static uint32_t first_after(const struct state *state, const struct trace_view *trace) {
  uint32_t steps = 0, i = 0;
  for (; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i]) && steps++ == state->step) break;
  return i;
}

static struct bytes_known value_before(const struct state_variable *variable, const struct trace_view *trace,
                                       uint32_t end) {
  struct bytes_known known = {0};
  for (uint32_t i = 0; i < end; i++) {
    uint64_t touched;
    if (!is_memory(&trace->events[i])) continue;
    const struct bytes_known now = bytes_of(&trace->events[i], variable, &touched);
    known.value = (known.value & ~now.mask) | now.value;
    known.mask = (event_writes(&trace->events[i]) ? known.mask & ~touched : known.mask) | now.mask;
  }
  return known;
}

/* What is read later, before anybody writes it, was there. */
static void look_after(struct bytes_known *known, const struct state_variable *variable, const struct trace_view *trace,
                       uint32_t from) {
  uint64_t written = 0;
  for (uint32_t i = from; i < trace->record->n_events; i++) {
    uint64_t touched;
    if (!is_memory(&trace->events[i])) continue;
    const struct bytes_known now = bytes_of(&trace->events[i], variable, &touched);
    const uint64_t fresh = now.mask & ~known->mask & ~written;
    if (event_writes(&trace->events[i])) {
      written |= touched;
    } else {
      known->value |= now.value & fresh;
      known->mask |= fresh;
    }
  }
}

static bool was_touched(const struct state_variable *variable, const struct trace_view *trace, uint32_t end) {
  for (uint32_t i = 0; i < end; i++) {
    uint64_t touched;
    if (!is_memory(&trace->events[i])) continue;
    bytes_of(&trace->events[i], variable, &touched);
    if (touched && event_writes(&trace->events[i])) return true;
  }
  return false;
}

bool state_value(const struct state *state, const struct trace_view *trace, size_t number, uint64_t *value) {
  const struct state_variable *variable = &state->variables.items[number];
  const uint32_t end = first_after(state, trace);
  const uint64_t all = low_bytes(variable->size);
  struct bytes_known known = value_before(variable, trace, end);
  if (known.mask != all) look_after(&known, variable, trace, end);
  if (known.mask != all && variable->has_initial && !was_touched(variable, trace, end)) {
    known.value |= variable->initial & all & ~known.mask;
    known.mask = all;
  }
  *value = known.value;
  return known.mask == all;
}

/* --- threads --- */

struct position {
  bool exists, has_ended;
  struct event ahead; /* what the thread stands before: kind, object, size, site */
};

static bool ends_thread(const struct event *event) {
  return event_ends_thread(event);
}

static void look_before(struct position *position, const struct trace_view *trace, thread_id thread, uint32_t end) {
  position->exists = thread == 0;
  for (uint32_t i = 0; i < end; i++) {
    const struct event *event = &trace->events[i];
    if (event_effect_of(event) == EFFECT_CREATES && event->object == thread) position->exists = true;
    if (event->thread == thread && ends_thread(event)) position->has_ended = true;
  }
}

static struct position position_of(const struct trace_view *trace, thread_id thread, uint32_t end) {
  struct position position = {0};
  look_before(&position, trace, thread, end);
  if (!position.exists || position.has_ended) return position;
  for (uint32_t i = end; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event->thread != thread) continue;
    position.has_ended = ends_thread(event);
    position.ahead = *event;
    return position;
  }
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *pending = &trace->pendings[i];
    if (pending->thread != thread) continue;
    position.ahead =
        (struct event){.kind = pending->kind, .object = pending->object, .size = pending->size, .site = pending->site};
    return position;
  }
  position.has_ended = true;
  return position;
}

/* --- looking --- */

struct look {
  const struct state *state;
  const struct scene *scene;
  struct terms *terms;
  uint32_t end;
  bool unknown;
};

static term_id variable(void *self, uint64_t number) {
  struct look *look = self;
  const struct state_variable *variable = &look->state->variables.items[number];
  uint64_t value = 0;
  if (!state_value(look->state, look->scene->trace, number, &value)) look->unknown = true;
  const term_id narrow = term_constant(look->terms, 8 * variable->size, value);
  return term_extend(look->terms, variable->is_signed ? TERM_SIGN_EXTEND : TERM_ZERO_EXTEND, EXPRESSION_BITS, narrow);
}

static term_id place(void *self, uint64_t thread, const char *file, uint32_t line) {
  const struct look *look = self;
  const struct position position = position_of(look->scene->trace, (thread_id)thread, look->end);
  const struct place place = program_place(look->scene->program, position.ahead.site);
  const bool there = position.exists && !position.has_ended && place.line == line &&
                     (!file || expression_file_matches(file, place.file));
  return term_constant(look->terms, 1, there);
}

static term_id ended(void *self, uint64_t thread) {
  const struct look *look = self;
  return term_constant(look->terms, 1, position_of(look->scene->trace, (thread_id)thread, look->end).has_ended);
}

static enum state_answer evaluate(struct look *look, const struct expression *expression) {
  const struct expression_meaning meaning = {look, variable, place, ended};
  bits value;
  look->terms = terms_create();
  const bool known = term_is_constant(look->terms, expression_to_term(expression, look->terms, &meaning), &value);
  terms_destroy(look->terms);
  BUG_ON(!known);
  if (look->unknown) return STATE_NOT_KNOWN;
  return value ? STATE_REACHED : STATE_NOT_REACHED;
}

/* --- words --- */

static void append_value(struct text *words, const struct state_variable *variable, uint64_t value) {
  const unsigned unused = 64 - 8 * variable->size;
  text_append_format(words, "%s = ", variable->name);
  if (variable->is_signed)
    text_append_format(words, "%lld", (long long)((int64_t)(value << unused) >> unused));
  else
    text_append_format(words, "%llu", (unsigned long long)value);
}

static void append_variables(struct text *words, const struct look *look, const struct expression *expression) {
  bool *named = memory_allocate(look->state->variables.count + 1);
  for (size_t i = 0; i < expression->nodes.count; i++)
    if (expression->nodes.items[i].kind == EXPRESSION_VARIABLE) named[expression->nodes.items[i].number] = true;
  for (size_t i = 0; i < look->state->variables.count; i++) {
    uint64_t value;
    if (!named[i]) continue;
    text_append(words, "    ");
    if (state_value(look->state, look->scene->trace, i, &value))
      append_value(words, &look->state->variables.items[i], value);
    else
      text_append_format(words, "%s is not known", look->state->variables.items[i].name);
    text_append(words, "\n");
  }
  free(named);
}

static void append_thread(struct text *words, const struct look *look, thread_id thread) {
  const struct position position = position_of(look->scene->trace, thread, look->end);
  if (!position.exists) return;
  text_append(words, "    ");
  describe_thread(words, look->scene->knowledge, thread);
  if (position.has_ended) {
    text_append(words, " has ended\n");
    return;
  }
  text_append(words, " at ");
  describe_place(words, program_place(look->scene->program, position.ahead.site));
  text_append(words, ": ");
  describe_operation(words, look->scene, &position.ahead);
  text_append(words, "\n");
}

static void name_everything(const struct look *look, struct expression_names *names) {
  for (size_t i = 0; i < look->state->variables.count; i++)
    vector_push(&names->variables, look->state->variables.items[i].name);
  for (uint32_t i = 0; i < knowledge_threads(look->scene->knowledge); i++) {
    struct text name = {0};
    describe_thread(&name, look->scene->knowledge, (thread_id)i);
    vector_push(&names->threads, memory_copy_string(text_string(&name)));
    text_free(&name);
  }
}

static void forget_names(struct expression_names *names) {
  for (size_t i = 0; i < names->threads.count; i++) free((char *)names->threads.items[i]);
  vector_free(&names->threads);
  vector_free(&names->variables);
}

bool state_look(const struct state *state, const struct scene *scene, enum state_answer *answer, struct text *words,
                struct error *error) {
  struct look look = {.state = state, .scene = scene, .end = first_after(state, scene->trace)};
  struct expression_names names = {0};
  struct expression expression;
  name_everything(&look, &names);
  const bool good = expression_parse(&expression, state->text, &names, error);
  if (good) {
    *answer = scene->trace->record->n_steps >= state->step ? evaluate(&look, &expression) : STATE_NOT_REACHED;
    append_variables(words, &look, &expression);
    for (uint32_t i = 0; i < names.threads.count; i++) append_thread(words, &look, (thread_id)i);
    expression_free(&expression);
  }
  forget_names(&names);
  return good;
}
