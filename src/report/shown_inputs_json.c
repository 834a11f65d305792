/* SPDX-License-Identifier: MIT
 *
 * heddle's own file of inputs: {"inputs": [...]} with the objects of the JSON report. Of these `thread` and `value` or
 * `bytes` are read; the rest is for people.
 */
#include "base/json_read.h"
#include "report/given.h"
#include "report/shown_inputs.h"

#include <stdlib.h>
#include <string.h>

void inputs_append_file(struct text *json, const struct knowledge *knowledge, const struct trace_view *trace) {
  text_append(json, "{\"inputs\": ");
  inputs_append_json(json, knowledge, trace);
  text_append(json, "}\n");
}

static void push_text(struct given_input *input, const struct text *text) {
  vector_push(&input->numbers, memory_copy_string(text_string(text)));
}

static void read_value(struct json_reader *json, struct given_input *input) {
  struct text text = {0};
  switch (json_peek(json)) {
  case '0':
    if (json_read_number(json, &text)) push_text(input, &text);
    break;
  case '"':
    if (json_read_string(json, &text)) push_text(input, &text);
    break;
  case '[':
    if (json_enter(json, '['))
      while (json_next_item(json)) {
        const bool read = json_peek(json) == '"' ? json_read_string(json, &text) : json_read_number(json, &text);
        if (read) push_text(input, &text);
      }
    break;
  default: json->failed = true;
  }
  text_free(&text);
}

static int digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

static void read_bytes(struct json_reader *json, struct given_input *input) {
  struct text hex = {0};
  if (json_read_string(json, &hex) && hex.length % 2 == 0) {
    for (size_t i = 0; i < hex.length; i += 2) {
      const int high = digit(hex.string[i]), low = digit(hex.string[i + 1]);
      const char byte = (char)(high * 16 + low);
      if (high < 0 || low < 0) json->failed = true;
      text_append_bytes(&input->raw, &byte, 1);
    }
    input->is_raw = true;
  } else {
    json->failed = true;
  }
  text_free(&hex);
}

static void replace(char **string, const struct text *text) {
  free(*string);
  *string = memory_copy_string(text_string(text));
}

static void read_input(struct json_reader *json, struct given_inputs *given) {
  struct given_input *input = given_add(given, "main", "");
  struct text name = {0}, word = {0};
  if (json_enter(json, '{'))
    while (json_next_member(json, &name)) {
      const char *member = text_string(&name);
      if (strcmp(member, "value") == 0)
        read_value(json, input);
      else if (strcmp(member, "bytes") == 0)
        read_bytes(json, input);
      else if (strcmp(member, "thread") == 0 && json_read_string(json, &word))
        replace(&input->thread, &word);
      else if (strcmp(member, "name") == 0 && json_read_string(json, &word))
        replace(&input->name, &word);
      else
        json_skip(json);
    }
  if (!input->is_raw && input->numbers.count == 0) json->failed = true;
  text_free(&name);
  text_free(&word);
}

bool inputs_json_parse(struct given_inputs *given, const struct text *contents, struct error *error) {
  struct json_reader json = json_read(text_string(contents), contents->length);
  struct text name = {0};
  bool found = false;
  if (json_enter(&json, '{'))
    while (json_next_member(&json, &name)) {
      if (strcmp(text_string(&name), "inputs") != 0) {
        json_skip(&json);
        continue;
      }
      found = true;
      if (json_enter(&json, '['))
        while (json_next_item(&json)) read_input(&json, given);
    }
  text_free(&name);
  if (json_ended_well(&json) && found) return true;
  return error_set(error,
                   "%s is not a JSON file of inputs, such as {\"inputs\": [{\"thread\": \"main\", \"value\": 1}, ...]}",
                   given->path);
}
