/* SPDX-License-Identifier: MIT */
#include "report/shown_inputs.h"

#include "base/json.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define LONGEST_VALUE 64

static const struct {
  const char *c_type;
  bool is_signed;
} rows[INPUT_TYPES] = {
#define INPUT(NAME, name, type, width, is_signed) [INPUT_##NAME] = {#type, is_signed},
#include "abi/inputs.def"
#undef INPUT
};

/* Where the C type of the table is not what a person would write. */
const char *input_c_type(enum input_type type) {
  switch (type) {
  case INPUT_SIZE: return "size_t";
  case INPUT_POINTER: return "void *";
  default: return rows[type].c_type;
  }
}

bool input_is_text(const struct input_record *input) {
  return input->width == 8 &&
         (input->type == INPUT_BYTES || input->type == INPUT_ARGUMENT || input->type == INPUT_STDIN);
}

size_t input_bytes_each(const struct input_record *input) {
  return (input->width + 7u) / 8;
}

/* --- values --- */

static bool comes_before(const struct input_value *value, thread_id thread, uint32_t index) {
  return value->thread != thread ? value->thread < thread : value->index < index;
}

wide_value input_value_of(const struct trace_view *trace, thread_id thread, uint32_t index) {
  size_t low = 0, high = trace->record->n_input_values;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (comes_before(&trace->input_values[middle], thread, index))
      low = middle + 1;
    else
      high = middle;
  }
  const struct input_value *value = &trace->input_values[low];
  if (low == trace->record->n_input_values || value->thread != thread || value->index != index) return 0;
  return (wide_value)value->value[1] << 64 | value->value[0];
}

static wide_value value_at(const struct trace_view *trace, const struct input_record *input, uint32_t i) {
  return input_value_of(trace, input->thread, input->index + i);
}

void input_append_bytes(struct text *bytes, const struct trace_view *trace, const struct input_record *input) {
  for (uint32_t i = 0; i < input->count; i++) {
    const wide_value value = value_at(trace, input, i);
    text_append_bytes(bytes, &value, input_bytes_each(input));
  }
}

/* --- words --- */

static void append_wide(struct text *text, wide_value value) {
  char digits[40];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + (int)(value % 10));
  while ((value /= 10) > 0);
  text_append_bytes(text, digits + at, sizeof digits - at);
}

static void append_integer(struct text *text, const struct input_record *input, wide_value value) {
  const wide_value sign = (wide_value)1 << (input->width - 1);
  if (!rows[input->type].is_signed || !(value & sign)) {
    append_wide(text, value);
    return;
  }
  text_append(text, "-");
  append_wide(text, sign - (value & (sign - 1)));
}

static void append_float(struct text *text, wide_value value) {
  const uint32_t bits = (uint32_t)value;
  float number;
  memcpy(&number, &bits, sizeof number);
  if (isfinite(number))
    text_append_format(text, "%.9g", (double)number);
  else
    text_append_format(text, "0x%08x", bits);
}

static void append_double(struct text *text, wide_value value) {
  const uint64_t bits = (uint64_t)value;
  double number;
  memcpy(&number, &bits, sizeof number);
  if (isfinite(number))
    text_append_format(text, "%.17g", number);
  else
    text_append_format(text, "0x%016llx", (unsigned long long)bits);
}

static void append_number(struct text *text, const struct input_record *input, wide_value value) {
  if (input->type == INPUT_FLOAT && input->width == 32)
    append_float(text, value);
  else if (input->type == INPUT_DOUBLE && input->width == 64)
    append_double(text, value);
  else
    append_integer(text, input, value);
}

void input_append_number(struct text *text, const struct trace_view *trace, const struct input_record *input,
                         uint32_t i) {
  append_number(text, input, value_at(trace, input, i));
}

void input_append_name(struct text *text, const struct trace_view *trace, const struct input_record *input) {
  text_append_bytes(text, trace->names + input->name_offset, input->name_bytes);
}

static void append_character(struct text *text, unsigned char byte, unsigned char next) {
  if (byte == '"' || byte == '\\')
    text_append_format(text, "\\%c", byte);
  else if (byte == '\n')
    text_append(text, "\\n");
  else if (isprint(byte))
    text_append_bytes(text, &byte, 1);
  else if (byte == 0 && !isdigit(next))
    text_append(text, "\\0");
  else
    text_append_format(text, isxdigit(next) ? "\\%03o" : "\\x%02x", byte); /* a hexadecimal digit would extend it */
}

void input_append_c_string(struct text *text, const char *bytes, size_t count) {
  text_append(text, "\"");
  for (size_t i = 0; i < count; i++)
    append_character(text, (unsigned char)bytes[i], i + 1 < count ? (unsigned char)bytes[i + 1] : 0);
  text_append(text, "\"");
}

static void append_plain_value(struct text *text, const struct input_record *input, wide_value value) {
  const bool is_character = input->type == INPUT_CHAR && input->width == 8;
  if (is_character && value < 128 && isprint((int)value) && value != '\'' && value != '\\')
    text_append_format(text, "'%c'", (int)value);
  else if (input->type == INPUT_POINTER)
    text_append_format(text, "0x%llx", (unsigned long long)value);
  else
    append_number(text, input, value);
}

static void append_array(struct text *text, const struct trace_view *trace, const struct input_record *input,
                         size_t most) {
  text_append(text, "{");
  for (uint32_t i = 0; i < input->count && i < most; i++) {
    if (i > 0) text_append(text, ", ");
    append_plain_value(text, input, value_at(trace, input, i));
  }
  text_append(text, input->count > most ? ", ...}" : "}");
}

static void append_text_value(struct text *text, const struct trace_view *trace, const struct input_record *input,
                              size_t most) {
  struct text bytes = {0};
  input_append_bytes(&bytes, trace, input);
  input_append_c_string(text, text_string(&bytes), bytes.length < most ? bytes.length : most);
  if (bytes.length > most) text_append(text, "...");
  text_free(&bytes);
}

static void append_type_and_name(struct text *text, const struct scene *scene, const struct input_record *input) {
  const char *type = input_c_type(input->type);
  text_append(text, type);
  if (input->name_bytes > 0 && type[strlen(type) - 1] != '*') text_append(text, " ");
  input_append_name(text, scene->trace, input);
  if (input->count != 1 || input_is_text(input)) text_append_format(text, "[%u]", input->count);
}

void input_append_declaration(struct text *text, const struct scene *scene, const struct input_record *input,
                              size_t most) {
  append_type_and_name(text, scene, input);
  text_append(text, " = ");
  if (input_is_text(input))
    append_text_value(text, scene->trace, input, most);
  else if (input->count == 1)
    append_plain_value(text, input, value_at(scene->trace, input, 0));
  else
    append_array(text, scene->trace, input, most);
  const bool needs_place = input->name_bytes == 0 && input->site != 0;
  if (input->thread == 0 && !needs_place) return;
  text_append(text, " (");
  if (input->thread != 0) describe_thread(text, scene->knowledge, input->thread);
  if (input->thread != 0 && needs_place) text_append(text, ", ");
  if (needs_place) describe_place(text, program_place(scene->program, input->site));
  text_append(text, ")");
}

void inputs_print(FILE *stream, const struct scene *scene, const char *first, size_t most) {
  const uint32_t count = scene->trace->record->n_inputs;
  const int indent = (int)strlen(first);
  for (uint32_t i = 0; i < count && i < most; i++) {
    struct text line = {0};
    input_append_declaration(&line, scene, &scene->trace->inputs[i], LONGEST_VALUE);
    fprintf(stream, "%*s%s\n", indent, i == 0 ? first : "", text_string(&line));
    text_free(&line);
  }
  if (count > most) fprintf(stream, "%*sand %u more\n", indent, "", (unsigned)(count - most));
}

/* --- JSON --- */

static void append_json_number(struct text *json, const struct trace_view *trace, const struct input_record *input,
                               uint32_t i) {
  struct text number = {0};
  input_append_number(&number, trace, input, i);
  const bool is_bits = strncmp(number.string, "0x", 2) == 0; /* JSON has no infinity */
  text_append_format(json, is_bits ? "\"%s\"" : "%s", number.string);
  text_free(&number);
}

/* A text has its bytes as well: JSON strings hold only characters. */
static void append_json_text(struct text *json, const struct trace_view *trace, const struct input_record *input) {
  struct text bytes = {0};
  input_append_bytes(&bytes, trace, input);
  json_append_bytes(json, text_string(&bytes), bytes.length);
  text_append(json, ", \"bytes\": \"");
  for (size_t i = 0; i < bytes.length; i++) text_append_format(json, "%02x", (unsigned char)bytes.string[i]);
  text_append(json, "\"");
  text_free(&bytes);
}

static void append_json_value(struct text *json, const struct trace_view *trace, const struct input_record *input) {
  if (input_is_text(input)) {
    append_json_text(json, trace, input);
  } else if (input->count == 1) {
    append_json_number(json, trace, input, 0);
  } else {
    text_append(json, "[");
    for (uint32_t i = 0; i < input->count; i++) {
      if (i > 0) text_append(json, ", ");
      append_json_number(json, trace, input, i);
    }
    text_append(json, "]");
  }
}

static void append_json_input(struct text *json, const struct knowledge *knowledge, const struct trace_view *trace,
                              const struct input_record *input) {
  struct text thread = {0};
  describe_thread(&thread, knowledge, input->thread);
  text_append(json, "{\"name\": ");
  json_append_bytes(json, trace->names + input->name_offset, input->name_bytes);
  text_append(json, ", \"thread\": ");
  json_append_string(json, text_string(&thread));
  text_append(json, ", \"type\": ");
  json_append_string(json, input_c_type(input->type));
  text_append(json, ", \"value\": ");
  append_json_value(json, trace, input);
  text_append(json, "}");
  text_free(&thread);
}

void inputs_append_json(struct text *json, const struct knowledge *knowledge, const struct trace_view *trace) {
  text_append(json, "[");
  for (uint32_t i = 0; i < trace->record->n_inputs; i++) {
    if (i > 0) text_append(json, ", ");
    append_json_input(json, knowledge, trace, &trace->inputs[i]);
  }
  text_append(json, "]");
}
