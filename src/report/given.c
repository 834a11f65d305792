/* SPDX-License-Identifier: MIT */
#include "report/given.h"

#include "base/files.h"
#include "report/describe.h"
#include "report/numbers.h"
#include "report/shown_inputs.h"

#include <stdlib.h>
#include <string.h>

/* --- reading --- */

struct given_input *given_add(struct given_inputs *given, const char *thread, const char *name) {
  const struct given_input input = {.thread = memory_copy_string(thread), .name = memory_copy_string(name)};
  vector_push(&given->list, input);
  return &given->list.items[given->list.count - 1];
}

void given_free(struct given_inputs *given) {
  for (size_t i = 0; i < given->list.count; i++) {
    struct given_input *input = &given->list.items[i];
    for (size_t k = 0; k < input->numbers.count; k++) free(input->numbers.items[k]);
    vector_free(&input->numbers);
    text_free(&input->raw);
    free(input->thread);
    free(input->name);
  }
  vector_free(&given->list);
}

static bool starts_with(const struct text *contents, const char *magic) {
  return contents->length >= strlen(magic) && memcmp(contents->string, magic, strlen(magic)) == 0;
}

static bool parse(struct given_inputs *given, const struct text *contents, struct error *error) {
  if (starts_with(contents, "KTEST") || starts_with(contents, "BOUT\n")) {
    given->by_name = true;
    return ktest_parse(given, contents, error);
  }
  const char first = text_string(contents)[strspn(text_string(contents), " \t\r\n")];
  if (first == '<') {
    given->one_each = true;
    return testcase_parse(given, contents, error);
  }
  if (first == '{') {
    given->by_thread = true;
    return inputs_json_parse(given, contents, error);
  }
  return error_set(error, "%s has no inputs: give a test case in XML, a .ktest file, or the inputs.json of a bug",
                   given->path);
}

bool given_read(struct given_inputs *given, const char *path, struct error *error) {
  *given = (struct given_inputs){.path = path};
  struct text contents = {0};
  const bool good = files_read(path, &contents, error) && parse(given, &contents, error);
  text_free(&contents);
  if (!good) given_free(given);
  return good;
}

/* --- assigning --- */

struct assigner {
  const struct given_inputs *given;
  bool *used;
  size_t first; /* all before it are used */
  struct assignment *assignment;
  struct error *error;
};

static bool fits(const struct given_inputs *given, const struct given_input *candidate, const char *thread,
                 const struct text *name, bool any_name) {
  if (given->by_thread && strcmp(candidate->thread, thread) != 0) return false;
  return any_name || !given->by_name || strcmp(candidate->name, text_string(name)) == 0;
}

/* The next one for this input; NULL when there is none. */
static const struct given_input *take(struct assigner *self, const char *thread, const struct text *name) {
  const struct given_inputs *given = self->given;
  while (self->first < given->list.count && self->used[self->first]) self->first++;
  for (int any_name = 0; any_name < 2; any_name++)
    for (size_t i = self->first; i < given->list.count; i++) {
      if (self->used[i] || !fits(given, &given->list.items[i], thread, name, any_name)) continue;
      self->used[i] = true;
      return &given->list.items[i];
    }
  return NULL;
}

static void add_value(struct assigner *self, const struct input_record *record, uint32_t i, wide_value value) {
  if (value == 0) return;
  const struct input_value item = {
      .index = record->index + i, .thread = record->thread, .value = {(uint64_t)value, (uint64_t)(value >> 64)}};
  vector_push(&self->assignment->values, item);
}

static bool add_raw(struct assigner *self, const struct input_record *record, const struct text *raw) {
  const size_t bytes = input_bytes_each(record);
  for (uint32_t i = 0; i < record->count && i * bytes < raw->length; i++) {
    const size_t left = raw->length - i * bytes;
    wide_value value = 0;
    memcpy(&value, raw->string + i * bytes, left < bytes ? left : bytes);
    if (record->width < 128) value &= ((wide_value)1 << record->width) - 1;
    add_value(self, record, i, value);
  }
  return true;
}

static bool add_number(struct assigner *self, const struct input_record *record, uint32_t i, const char *name,
                       const char *number) {
  wide_value value;
  if (!number_parse(number, record, &value))
    return error_set(self->error, "%s: '%.40s' is not a value of %s %.40s", self->given->path, number,
                     input_c_type(record->type), name);
  add_value(self, record, i, value);
  return true;
}

/* Where every number stands by itself, an input of many values takes as many. */
static bool assign_one(struct assigner *self, const char *thread, const struct text *name,
                       const struct input_record *record) {
  for (uint32_t i = 0; i < record->count;) {
    const struct given_input *input = take(self, thread, name);
    if (!input) {
      self->assignment->missing++;
      return true;
    }
    if (input->is_raw) return add_raw(self, record, &input->raw);
    for (size_t k = 0; k < input->numbers.count && i < record->count; k++, i++)
      if (!add_number(self, record, i, text_string(name), input->numbers.items[k])) return false;
    if (!self->given->one_each) return true;
  }
  return true;
}

static int compare_values(const void *a, const void *b) {
  const struct input_value *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static bool assign_all(struct assigner *self, const struct knowledge *knowledge, const struct trace_view *trace) {
  bool good = true;
  for (uint32_t i = 0; good && i < trace->record->n_inputs; i++) {
    const struct input_record *record = &trace->inputs[i];
    struct text thread = {0}, name = {0};
    describe_thread(&thread, knowledge, record->thread);
    input_append_name(&name, trace, record);
    good = assign_one(self, text_string(&thread), &name, record);
    text_free(&thread);
    text_free(&name);
  }
  return good;
}

bool given_assign(const struct given_inputs *given, const struct knowledge *knowledge, const struct trace_view *trace,
                  struct assignment *assignment, struct error *error) {
  struct assigner self = {given, memory_allocate(given->list.count + 1), 0, assignment, error};
  assignment->values.count = assignment->unused = assignment->missing = 0;
  const bool good = assign_all(&self, knowledge, trace);
  for (size_t i = 0; i < given->list.count; i++) assignment->unused += !self.used[i];
  free(self.used);
  if (assignment->values.count > 0)
    qsort(assignment->values.items, assignment->values.count, sizeof *assignment->values.items, compare_values);
  return good;
}
