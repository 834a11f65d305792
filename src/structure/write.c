/* SPDX-License-Identifier: MIT
 *
 * An unfolding as JSON: one line for every event and condition, so that people can read it and grep in it.
 */
#include "base/json.h"
#include "expr/smtlib.h"
#include "structure/structure.h"

#include <stdlib.h>

static void append_text(struct text *json, const char *name, const char *string) {
  text_append_format(json, "\"%s\": ", name);
  json_append_string(json, string ? string : "");
}

static void append_number(struct text *json, const char *name, uint64_t number) {
  text_append_format(json, "\"%s\": %llu", name, (unsigned long long)number);
}

static void append_flag(struct text *json, const char *name, bool flag) {
  text_append_format(json, "\"%s\": %s", name, flag ? "true" : "false");
}

static void append_place(struct text *json, const struct place *place) {
  text_append(json, "\"site\": {");
  append_text(json, "file", place->file);
  text_append(json, ", ");
  append_number(json, "line", place->line);
  text_append(json, ", ");
  append_text(json, "function", place->function);
  text_append(json, "}");
}

static void append_ids(struct text *json, const char *name, const struct structure *structure,
                       struct structure_slice slice) {
  text_append_format(json, ", \"%s\": [", name);
  for (uint32_t i = 0; i < slice.count; i++)
    text_append_format(json, "%s%u", i > 0 ? ", " : "", structure->ids.items[slice.first + i]);
  text_append(json, "]");
}

/* --- terms --- */

/* Which terms are needed, and under which names: numbers in the order of the list, from 1. */
struct term_names {
  uint32_t *numbers; /* by term; 0: not needed */
  size_t count;
};

static void mark_needed(const struct structure *structure, uint32_t *numbers) {
  for (size_t i = 0; i < structure->events.count; i++) numbers[structure->events.items[i].constraint] = 1;
  for (size_t i = 0; i < structure->conditions.count; i++) numbers[structure->conditions.items[i].term] = 1;
  numbers[0] = 0;
  /* operands have smaller ids than their users */
  for (term_id id = (term_id)terms_count(structure->terms); id > 0; id--) {
    const struct term *term = term_at(structure->terms, id);
    if (!numbers[id] || term->kind == TERM_CONSTANT || term->kind == TERM_INPUT) continue;
    for (unsigned k = 0; k < 3 && term->operands[k]; k++) numbers[term->operands[k]] = 1;
  }
}

static struct term_names name_terms(const struct structure *structure) {
  struct term_names names = {0};
  if (!structure->terms) return names;
  const size_t count = terms_count(structure->terms);
  names.numbers = memory_allocate((count + 1) * sizeof *names.numbers);
  mark_needed(structure, names.numbers);
  for (term_id id = 1; id <= count; id++)
    if (names.numbers[id]) names.numbers[id] = (uint32_t)++names.count;
  return names;
}

static void append_term(struct text *json, const char *name, const struct term_names *names, term_id term) {
  if (term && names->numbers)
    text_append_format(json, ", \"%s\": \"t%u\"", name, names->numbers[term]);
  else
    text_append_format(json, ", \"%s\": null", name);
}

static void append_terms(struct text *json, const struct structure *structure, const struct term_names *names) {
  struct text smtlib = {0};
  const size_t count = names->numbers ? terms_count(structure->terms) : 0;
  text_append(json, ",\n\"terms\": [");
  for (term_id id = 1; id <= count; id++) {
    if (!names->numbers[id]) continue;
    text_clear(&smtlib);
    term_append_smtlib(structure->terms, id, names->numbers, &smtlib);
    text_append_format(json, "%s\n  {\"id\": \"t%u\", \"width\": %u, ", names->numbers[id] > 1 ? "," : "",
                       names->numbers[id], term_at(structure->terms, id)->width);
    append_text(json, "is", text_string(&smtlib));
    text_append(json, "}");
  }
  text_append(json, names->count > 0 ? "\n]" : "]");
  text_free(&smtlib);
}

/* --- the rest --- */

static void append_program(struct text *json, const struct structure_program *program) {
  const struct executor_settings *settings = &program->settings;
  text_append(json, ",\n\"program\": {");
  append_text(json, "executable", program->executable);
  text_append_format(json, ", \"hash\": \"%016llx\", \"protocol\": %u, \"arguments\": [",
                     (unsigned long long)program->hash, HEDDLE_PROTOCOL_VERSION);
  for (size_t i = 0; i + 1 < program->arguments.count; i++) {
    if (i > 0) text_append(json, ", ");
    json_append_string(json, program->arguments.items[i]);
  }
  text_append_format(
      json, "], \"isolation\": %u, \"options\": %u, \"max_events\": %u, \"max_memory\": %u, \"max_threads\": %u, ",
      settings->isolation, settings->options, settings->max_events, settings->max_memory_mb, settings->max_threads);
  text_append_format(json, "\"max_terms\": %u, \"sym_args\": %u, \"sym_arg_bytes\": %u, \"sym_stdin\": %u, ",
                     settings->max_terms, settings->symbolic_arguments, settings->symbolic_argument_bytes,
                     settings->symbolic_stdin_bytes);
  text_append_format(json, "\"hang_time\": %u}", settings->hang_seconds);
}

static void append_threads(struct text *json, const struct structure *structure) {
  text_append(json, ",\n\"threads\": [");
  for (size_t i = 0; i < structure->threads.count; i++) {
    const struct structure_thread *thread = &structure->threads.items[i];
    text_append_format(json, "%s\n  {\"id\": %zu, ", i > 0 ? "," : "", i);
    append_text(json, "name", thread->name);
    text_append_format(json, ", \"parent\": %u, \"index\": %u}", thread->identity.parent, thread->identity.index);
  }
  text_append(json, "\n],\n\"shared\": [");
  for (size_t i = 0; i < structure->shared.count; i++)
    text_append_format(json, "%s{\"address\": %llu, \"mask\": %llu}", i > 0 ? ", " : "",
                       (unsigned long long)structure->shared.items[i].address,
                       (unsigned long long)structure->shared.items[i].mask);
  text_append(json, "]");
}

static void append_objects(struct text *json, const struct structure *structure) {
  text_append(json, ",\n\"objects\": [");
  for (size_t i = 0; i < structure->objects.count; i++) {
    const struct structure_object *object = &structure->objects.items[i];
    text_append_format(json, "%s\n  {\"id\": %zu, ", i > 0 ? "," : "", i + 1);
    append_text(json, "name", object->name);
    text_append(json, ", ");
    append_text(json, "kind", object->kind);
    text_append_format(json, ", \"address\": %llu, \"size\": %u, ", (unsigned long long)object->address, object->size);
    append_flag(json, "signed", object->is_signed);
    text_append(json, "}");
  }
  text_append(json, structure->objects.count > 0 ? "\n]" : "]");
}

static void append_operation(struct text *json, const struct structure_operation *operation) {
  text_append(json, "{");
  append_text(json, "words", operation->words);
  text_append(json, ", ");
  append_place(json, &operation->place);
  if (operation->joins != NO_THREAD) text_append_format(json, ", \"joins\": %u", operation->joins);
  text_append(json, "}");
}

static void append_ways_on(struct text *json, const struct structure *structure, const struct structure_event *event) {
  text_append(json, ", \"next\": ");
  if (*event->next.words)
    append_operation(json, &event->next);
  else
    text_append(json, "null");
  if (event->tail.count == 0) return;
  text_append(json, ", \"tail\": [");
  for (uint32_t i = 0; i < event->tail.count; i++) {
    if (i > 0) text_append(json, ", ");
    append_operation(json, &structure->tails.items[event->tail.first + i]);
  }
  text_append(json, "]");
}

static void append_event(struct text *json, const struct structure *structure, size_t i,
                         const struct term_names *names) {
  const struct structure_event *event = &structure->events.items[i];
  text_append_format(json, "%s\n  {\"id\": %zu, \"thread\": %u, ", i > 0 ? "," : "", i + 1, event->thread);
  append_text(json, "kind", event->kind);
  text_append(json, ", ");
  append_text(json, "words", event->words);
  text_append(json, ", ");
  append_place(json, &event->place);
  text_append_format(json, ", \"previous\": %u", event->previous);
  append_ids(json, "reads", structure, event->reads);
  append_ids(json, "consumes", structure, event->consumes);
  append_ids(json, "produces", structure, event->produces);
  append_ids(json, "after", structure, event->after);
  text_append_format(json, ", \"alternative\": %u, ", event->alternative);
  append_flag(json, "step", event->is_step);
  if (event->ends_run) text_append(json, ", \"ends_run\": true");
  append_term(json, "constraint", names, event->constraint);
  append_ways_on(json, structure, event);
  text_append(json, "}");
}

static void append_events(struct text *json, const struct structure *structure, const struct term_names *names) {
  text_append(json, ",\n\"events\": [");
  for (size_t i = 0; i < structure->events.count; i++) append_event(json, structure, i, names);
  text_append(json, structure->events.count > 0 ? "\n]" : "]");
}

static void append_conditions(struct text *json, const struct structure *structure, const struct term_names *names) {
  text_append(json, ",\n\"conditions\": [");
  for (size_t i = 0; i < structure->conditions.count; i++) {
    const struct structure_condition *condition = &structure->conditions.items[i];
    text_append_format(json, "%s\n  {\"id\": %zu, \"object\": %u, \"event\": %u, \"value\": ", i > 0 ? "," : "", i + 1,
                       condition->object, condition->event);
    if (condition->is_known)
      text_append_format(json, "%llu", (unsigned long long)condition->value);
    else
      text_append(json, "null");
    append_term(json, "term", names, condition->term);
    text_append(json, "}");
  }
  text_append(json, structure->conditions.count > 0 ? "\n]" : "]");
}

static void append_left(struct text *json, const struct structure *structure) {
  text_append(json, ",\n\"left\": [");
  for (size_t i = 0; i < structure->left.count; i++) {
    const struct structure_left *left = &structure->left.items[i];
    text_append_format(json, "%s\n  {\"previous\": %u, \"thread\": %u, ", i > 0 ? "," : "", left->previous,
                       left->thread);
    append_text(json, "words", left->words);
    text_append(json, ", ");
    append_place(json, &left->place);
    text_append(json, "}");
  }
  text_append(json, structure->left.count > 0 ? "\n]" : "]");
}

static void append_inputs(struct text *json, const struct structure *structure) {
  text_append(json, ",\n\"inputs\": [");
  for (size_t i = 0; i < structure->inputs.count; i++) {
    const struct structure_input *input = &structure->inputs.items[i];
    text_append_format(json, "%s\n  {\"id\": \"i%zu\", ", i > 0 ? "," : "", i);
    append_text(json, "name", input->name);
    text_append_format(json, ", \"thread\": %u, \"index\": %u, \"width\": %u}", input->thread, input->index,
                       terms_input_width(structure->terms, (input_id)i));
  }
  text_append(json, structure->inputs.count > 0 ? "\n]" : "]");
}

void structure_append_json(const struct structure *structure, struct text *json) {
  struct term_names names = name_terms(structure);
  text_append(json, "{");
  append_text(json, "format", STRUCTURE_FORMAT);
  text_append(json, ",\n");
  append_text(json, "strategy", structure->strategy);
  text_append(json, ",\n");
  append_flag(json, "contextual", structure->is_contextual);
  text_append(json, ",\n");
  append_flag(json, "complete", structure->is_complete);
  append_program(json, &structure->program);
  append_threads(json, structure);
  append_objects(json, structure);
  append_inputs(json, structure);
  append_terms(json, structure, &names);
  append_events(json, structure, &names);
  append_conditions(json, structure, &names);
  append_left(json, structure);
  text_append(json, "\n}\n");
  free(names.numbers);
}
