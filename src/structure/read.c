/* SPDX-License-Identifier: MIT
 *
 * Reads what write.c wrote, and trusts none of it. Members may come in any order; unknown ones are skipped. Terms are
 * made when everything has been read. Until then a term is the number in its name.
 */
#include "base/files.h"
#include "base/json_read.h"
#include "expr/smtlib.h"
#include "structure/structure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct json_reader json;
  struct structure *structure;
  struct text word;
  VECTOR(const char *) term_texts;
  VECTOR(uint32_t) term_widths, input_widths;
  bool has_format;
  const char *wrong; /* what is not as it should be, NULL: nothing so far */
};

static void complain(struct reader *reader, const char *what) {
  if (!reader->wrong) reader->wrong = what;
  reader->json.failed = true;
}

/* --- values --- */

static uint64_t read_number(struct reader *reader, uint64_t most) {
  char *end;
  if (!json_read_number(&reader->json, &reader->word)) return 0;
  const char *string = text_string(&reader->word);
  errno = 0;
  const uint64_t number = strtoull(string, &end, 10);
  if (*string < '0' || *string > '9' || *end || errno || number > most) complain(reader, "a number is out of range");
  return number;
}

static uint32_t read_number_32(struct reader *reader) {
  return (uint32_t)read_number(reader, UINT32_MAX);
}

static const char *read_string(struct reader *reader) {
  if (!json_read_string(&reader->json, &reader->word)) return "";
  return structure_string(reader->structure, text_string(&reader->word));
}

/* true, false or null */
static bool read_flag(struct reader *reader) {
  const bool flag = json_peek(&reader->json) == 't' && *reader->json.at == 't';
  if (json_peek(&reader->json) != 't') complain(reader, "expected true or false");
  json_skip(&reader->json);
  return flag;
}

/* "t12" is 12, null is 0. */
static term_id read_term_name(struct reader *reader) {
  if (json_peek(&reader->json) == 't') {
    json_skip(&reader->json);
    return 0;
  }
  const char *name = read_string(reader);
  char *end;
  errno = 0;
  const unsigned long number = *name == 't' ? strtoul(name + 1, &end, 10) : 0;
  if (number == 0 || errno || number > UINT32_MAX || *end) complain(reader, "expected the name of a term");
  return (term_id)number;
}

static struct structure_slice read_ids(struct reader *reader) {
  struct structure_slice slice = {(uint32_t)reader->structure->ids.count, 0};
  if (!json_enter(&reader->json, '[')) return slice;
  for (; json_next_item(&reader->json); slice.count++) vector_push(&reader->structure->ids, read_number_32(reader));
  return slice;
}

/* --- objects: a member's name, and what to do with it --- */

static bool next_member(struct reader *reader, struct text *name) {
  return json_next_member(&reader->json, name);
}

static bool is(const struct text *name, const char *wanted) {
  return strcmp(text_string(name), wanted) == 0;
}

static struct place read_place(struct reader *reader) {
  struct place place = {"", "", "", 0};
  struct text name = {0};
  if (json_enter(&reader->json, '{')) {
    while (next_member(reader, &name)) {
      if (is(&name, "file"))
        place.file = read_string(reader);
      else if (is(&name, "function"))
        place.function = read_string(reader);
      else if (is(&name, "line"))
        place.line = read_number_32(reader);
      else
        json_skip(&reader->json);
    }
  }
  text_free(&name);
  return place;
}

/* Lists number their items; what refers to them relies on it. */
static void check_id(struct reader *reader, size_t wanted) {
  if (read_number(reader, UINT32_MAX) != wanted) complain(reader, "a list is not numbered in its order");
}

static void read_thread(struct reader *reader) {
  struct structure_thread thread = {.name = ""};
  struct text name = {0};
  while (next_member(reader, &name)) {
    if (is(&name, "id"))
      check_id(reader, reader->structure->threads.count);
    else if (is(&name, "name"))
      thread.name = read_string(reader);
    else if (is(&name, "parent"))
      thread.identity.parent = (thread_id)read_number(reader, NO_THREAD);
    else if (is(&name, "index"))
      thread.identity.index = (uint16_t)read_number(reader, UINT16_MAX);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  vector_push(&reader->structure->threads, thread);
}

static void read_shared(struct reader *reader) {
  struct shared_granule granule = {0};
  struct text name = {0};
  while (next_member(reader, &name)) {
    if (is(&name, "address"))
      granule.address = read_number(reader, UINT64_MAX);
    else if (is(&name, "mask"))
      granule.mask = read_number(reader, UINT64_MAX);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  vector_push(&reader->structure->shared, granule);
}

static void read_object(struct reader *reader) {
  struct structure_object object = {.name = "", .kind = ""};
  struct text name = {0};
  while (next_member(reader, &name)) {
    if (is(&name, "id"))
      check_id(reader, reader->structure->objects.count + 1);
    else if (is(&name, "name"))
      object.name = read_string(reader);
    else if (is(&name, "kind"))
      object.kind = read_string(reader);
    else if (is(&name, "address"))
      object.address = read_number(reader, UINT64_MAX);
    else if (is(&name, "size"))
      object.size = read_number_32(reader);
    else if (is(&name, "signed"))
      object.is_signed = read_flag(reader);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  vector_push(&reader->structure->objects, object);
}

static struct structure_operation read_operation(struct reader *reader) {
  struct structure_operation operation = {.words = "", .place = {"", "", "", 0}, .joins = NO_THREAD};
  struct text name = {0};
  if (json_peek(&reader->json) == 't') {
    json_skip(&reader->json);
    return operation;
  }
  if (json_enter(&reader->json, '{')) {
    while (next_member(reader, &name)) {
      if (is(&name, "words"))
        operation.words = read_string(reader);
      else if (is(&name, "site"))
        operation.place = read_place(reader);
      else if (is(&name, "joins"))
        operation.joins = (thread_id)read_number(reader, HEDDLE_MAX_THREADS);
      else
        json_skip(&reader->json);
    }
  }
  text_free(&name);
  return operation;
}

static struct structure_slice read_tail(struct reader *reader) {
  struct structure_slice slice = {(uint32_t)reader->structure->tails.count, 0};
  if (!json_enter(&reader->json, '[')) return slice;
  for (; json_next_item(&reader->json); slice.count++) vector_push(&reader->structure->tails, read_operation(reader));
  return slice;
}

static void read_event_member(struct reader *reader, struct structure_event *event, const struct text *name) {
  if (is(name, "id"))
    check_id(reader, reader->structure->events.count + 1);
  else if (is(name, "thread"))
    event->thread = (thread_id)read_number(reader, HEDDLE_MAX_THREADS);
  else if (is(name, "kind"))
    event->kind = read_string(reader);
  else if (is(name, "words"))
    event->words = read_string(reader);
  else if (is(name, "site"))
    event->place = read_place(reader);
  else if (is(name, "previous"))
    event->previous = read_number_32(reader);
  else if (is(name, "reads"))
    event->reads = read_ids(reader);
  else if (is(name, "consumes"))
    event->consumes = read_ids(reader);
  else if (is(name, "produces"))
    event->produces = read_ids(reader);
  else if (is(name, "after"))
    event->after = read_ids(reader);
  else if (is(name, "alternative"))
    event->alternative = (uint16_t)read_number(reader, UINT16_MAX);
  else if (is(name, "step"))
    event->is_step = read_flag(reader);
  else if (is(name, "constraint"))
    event->constraint = read_term_name(reader);
  else if (is(name, "ends_run"))
    event->ends_run = read_flag(reader);
  else if (is(name, "next"))
    event->next = read_operation(reader);
  else if (is(name, "tail"))
    event->tail = read_tail(reader);
  else
    json_skip(&reader->json);
}

static void read_event(struct reader *reader) {
  struct structure_event event = {.kind = "", .words = "", .place = {"", "", "", 0}, .next.words = ""};
  struct text name = {0};
  while (next_member(reader, &name)) read_event_member(reader, &event, &name);
  text_free(&name);
  vector_push(&reader->structure->events, event);
}

static void read_condition(struct reader *reader) {
  struct structure_condition condition = {0};
  struct text name = {0};
  while (next_member(reader, &name)) {
    if (is(&name, "id"))
      check_id(reader, reader->structure->conditions.count + 1);
    else if (is(&name, "object"))
      condition.object = read_number_32(reader);
    else if (is(&name, "event"))
      condition.event = read_number_32(reader);
    else if (is(&name, "term"))
      condition.term = read_term_name(reader);
    else if (is(&name, "value") && (condition.is_known = json_peek(&reader->json) == '0'))
      condition.value = read_number(reader, UINT64_MAX);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  vector_push(&reader->structure->conditions, condition);
}

static void read_left(struct reader *reader) {
  struct structure_left left = {.words = "", .place = {"", "", "", 0}};
  struct text name = {0};
  while (next_member(reader, &name)) {
    if (is(&name, "previous"))
      left.previous = read_number_32(reader);
    else if (is(&name, "thread"))
      left.thread = (thread_id)read_number(reader, HEDDLE_MAX_THREADS);
    else if (is(&name, "words"))
      left.words = read_string(reader);
    else if (is(&name, "site"))
      left.place = read_place(reader);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  vector_push(&reader->structure->left, left);
}

static void read_input(struct reader *reader) {
  struct structure_input input = {.name = ""};
  struct text name = {0};
  uint32_t width = 0;
  while (next_member(reader, &name)) {
    if (is(&name, "name"))
      input.name = read_string(reader);
    else if (is(&name, "thread"))
      input.thread = (thread_id)read_number(reader, HEDDLE_MAX_THREADS);
    else if (is(&name, "index"))
      input.index = read_number_32(reader);
    else if (is(&name, "width"))
      width = read_number_32(reader);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  if (width == 0 || width > TERM_MAX_WIDTH) complain(reader, "an input has no width");
  vector_push(&reader->structure->inputs, input);
  vector_push(&reader->input_widths, width);
}

static void read_term(struct reader *reader) {
  const char *is_text = "";
  struct text name = {0};
  uint32_t width = 0;
  while (next_member(reader, &name)) {
    if (is(&name, "is"))
      is_text = read_string(reader);
    else if (is(&name, "width"))
      width = read_number_32(reader);
    else
      json_skip(&reader->json);
  }
  text_free(&name);
  vector_push(&reader->term_texts, is_text);
  vector_push(&reader->term_widths, width);
}

static void read_arguments(struct reader *reader, struct structure_program *program) {
  if (!json_enter(&reader->json, '[')) return;
  while (json_next_item(&reader->json)) vector_push(&program->arguments, read_string(reader));
}

static void read_setting(struct reader *reader, const struct text *name) {
  struct executor_settings *settings = &reader->structure->program.settings;
  const struct {
    const char *name;
    uint32_t *number;
    uint32_t most;
  } rows[] = {{"options", &settings->options, UINT32_MAX},
              {"max_events", &settings->max_events, 1000000},
              {"max_memory", &settings->max_memory_mb, 1048576},
              {"max_threads", &settings->max_threads, HEDDLE_MAX_THREADS},
              {"max_terms", &settings->max_terms, 1u << 22},
              {"sym_args", &settings->symbolic_arguments, 1024},
              {"sym_arg_bytes", &settings->symbolic_argument_bytes, 1024},
              {"sym_stdin", &settings->symbolic_stdin_bytes, 1048576},
              {"hang_time", &settings->hang_seconds, 86400}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!is(name, rows[i].name)) continue;
    *rows[i].number = (uint32_t)read_number(reader, rows[i].most);
    return;
  }
  if (is(name, "isolation"))
    settings->isolation = (enum isolation)read_number(reader, ISOLATION_FORK);
  else
    json_skip(&reader->json);
}

static void read_program(struct reader *reader) {
  struct structure_program *program = &reader->structure->program;
  struct text name = {0};
  if (json_enter(&reader->json, '{')) {
    while (next_member(reader, &name)) {
      if (is(&name, "executable"))
        program->executable = read_string(reader);
      else if (is(&name, "hash"))
        program->hash = strtoull(read_string(reader), NULL, 16);
      else if (is(&name, "protocol") && read_number_32(reader) != HEDDLE_PROTOCOL_VERSION)
        complain(reader, "it is from another version of heddle");
      else if (is(&name, "arguments"))
        read_arguments(reader, program);
      else if (!is(&name, "protocol"))
        read_setting(reader, &name);
    }
  }
  text_free(&name);
}

/* --- the whole --- */

static void read_list(struct reader *reader, void (*read_item)(struct reader *reader)) {
  if (!json_enter(&reader->json, '[')) return;
  while (json_next_item(&reader->json))
    if (json_enter(&reader->json, '{')) read_item(reader);
}

static void read_format(struct reader *reader) {
  reader->has_format = strcmp(read_string(reader), STRUCTURE_FORMAT) == 0;
  if (!reader->has_format) complain(reader, "its format is not " STRUCTURE_FORMAT);
}

static void read_member(struct reader *reader, const struct text *name) {
  static const struct {
    const char *name;
    void (*read_item)(struct reader *reader);
  } lists[] = {
      {"threads", read_thread},       {"shared", read_shared}, {"objects", read_object}, {"events", read_event},
      {"conditions", read_condition}, {"left", read_left},     {"inputs", read_input},   {"terms", read_term}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (is(name, lists[i].name)) {
      read_list(reader, lists[i].read_item);
      return;
    }
  if (is(name, "format"))
    read_format(reader);
  else if (is(name, "strategy"))
    reader->structure->strategy = read_string(reader);
  else if (is(name, "contextual"))
    reader->structure->is_contextual = read_flag(reader);
  else if (is(name, "complete"))
    reader->structure->is_complete = read_flag(reader);
  else if (is(name, "program"))
    read_program(reader);
  else
    json_skip(&reader->json);
}

static void read_all(struct reader *reader) {
  struct text name = {0};
  if (json_enter(&reader->json, '{'))
    while (next_member(reader, &name)) read_member(reader, &name);
  if (!json_ended_well(&reader->json)) complain(reader, "it is not JSON, or was cut off");
  if (!reader->has_format) complain(reader, "it has no format");
  text_free(&name);
}

/* --- terms --- */

static void make_terms(struct reader *reader, term_id *terms) {
  struct structure *structure = reader->structure;
  term_id *inputs = memory_allocate((structure->inputs.count + 1) * sizeof *inputs);
  structure->terms = terms_create();
  structure->owns_terms = true;
  for (size_t i = 0; i < structure->inputs.count; i++)
    inputs[i] = term_input(structure->terms, terms_new_input(structure->terms, structure->inputs.items[i].name,
                                                             reader->input_widths.items[i]));
  for (size_t i = 0; i < reader->term_texts.count && !reader->wrong; i++) {
    const struct smtlib_names names = {inputs, terms, structure->inputs.count, i + 1};
    terms[i + 1] = term_parse_smtlib(structure->terms, reader->term_texts.items[i], &names);
    if (!terms[i + 1] || term_at(structure->terms, terms[i + 1])->width != reader->term_widths.items[i])
      complain(reader, "a term is not one");
  }
  free(inputs);
}

static term_id resolve(struct reader *reader, const term_id *terms, term_id name, unsigned width) {
  if (name == 0) return 0;
  if (name > reader->term_texts.count) {
    complain(reader, "a term is missing");
    return 0;
  }
  if (width && term_at(reader->structure->terms, terms[name])->width != width)
    complain(reader, "a constraint is not a truth value");
  return terms[name];
}

static void resolve_terms(struct reader *reader, const term_id *terms) {
  struct structure *structure = reader->structure;
  for (size_t i = 0; i < structure->events.count; i++)
    structure->events.items[i].constraint = resolve(reader, terms, structure->events.items[i].constraint, 1);
  for (size_t i = 0; i < structure->conditions.count; i++)
    structure->conditions.items[i].term = resolve(reader, terms, structure->conditions.items[i].term, 0);
}

static void read_terms(struct reader *reader) {
  term_id *terms = memory_allocate((reader->term_texts.count + 1) * sizeof *terms);
  make_terms(reader, terms);
  if (!reader->wrong) resolve_terms(reader, terms);
  free(terms);
}

/* --- is it whole? --- */

static bool ids_exist(const struct structure *structure, struct structure_slice slice, size_t count) {
  for (uint32_t i = 0; i < slice.count; i++) {
    const uint32_t id = structure->ids.items[slice.first + i];
    if (id == 0 || id > count) return false;
  }
  return true;
}

/* Causes come before what they cause: then there are no cycles. */
static bool causes_come_before(const struct structure *structure, uint32_t number, event_numbers *causes) {
  causes->count = 0;
  structure_append_causes(structure, &structure->events.items[number - 1], causes);
  for (size_t i = 0; i < causes->count; i++)
    if (causes->items[i] >= number) return false;
  return true;
}

static void check_events(struct reader *reader) {
  const struct structure *structure = reader->structure;
  const size_t conditions = structure->conditions.count;
  event_numbers causes = {0};
  for (size_t i = 0; i < structure->events.count && !reader->wrong; i++) {
    const struct structure_event *event = &structure->events.items[i];
    if (event->thread >= structure->threads.count || !ids_exist(structure, event->reads, conditions) ||
        !ids_exist(structure, event->consumes, conditions) || !ids_exist(structure, event->produces, conditions) ||
        !ids_exist(structure, event->after, structure->events.count))
      complain(reader, "an event names something that does not exist");
    else if (!causes_come_before(structure, (uint32_t)i + 1, &causes))
      complain(reader, "an event comes before its cause");
  }
  vector_free(&causes);
}

static void check_rest(struct reader *reader) {
  const struct structure *structure = reader->structure;
  for (size_t i = 0; i < structure->conditions.count; i++)
    if (structure->conditions.items[i].object > structure->objects.count ||
        structure->conditions.items[i].event > structure->events.count)
      complain(reader, "a condition names something that does not exist");
  for (size_t i = 0; i < structure->left.count; i++)
    if (structure->left.items[i].previous > structure->events.count ||
        structure->left.items[i].thread >= structure->threads.count)
      complain(reader, "an event that is left names something that does not exist");
  for (size_t i = 0; i < structure->tails.count; i++)
    if (structure->tails.items[i].joins != NO_THREAD && structure->tails.items[i].joins >= structure->threads.count)
      complain(reader, "a join names a thread that does not exist");
  for (size_t i = 0; i < structure->inputs.count; i++)
    if (structure->inputs.items[i].thread >= structure->threads.count)
      complain(reader, "an input names a thread that does not exist");
  const struct structure_program *program = &structure->program;
  if (!program->executable || program->arguments.count == 0 || program->settings.max_events == 0 ||
      structure->threads.count == 0 || structure->threads.count > HEDDLE_MAX_THREADS ||
      structure->shared.count > MAX_SHARED)
    complain(reader, "it does not say how to run the program");
}

static void check(struct reader *reader) {
  if (!reader->wrong) check_rest(reader);
  if (!reader->wrong) check_events(reader);
}

bool structure_read(struct structure *structure, const char *path, struct error *error) {
  struct text contents = {0};
  *structure = (struct structure){0};
  if (!files_read(path, &contents, error)) return false;
  struct reader reader = {.json = json_read(text_string(&contents), contents.length), .structure = structure};
  read_all(&reader);
  check(&reader);
  if (!reader.wrong) read_terms(&reader);
  const bool good = !reader.wrong;
  if (good) vector_push(&structure->program.arguments, NULL);
  if (!good) {
    structure_free(structure);
    error_set(error, "%s is not an unfolding written by 'heddle run --unfolding': %s", path, reader.wrong);
  }
  vector_free(&reader.term_texts);
  vector_free(&reader.term_widths);
  vector_free(&reader.input_widths);
  text_free(&reader.word);
  text_free(&contents);
  return good;
}
