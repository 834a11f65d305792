/* SPDX-License-Identifier: MIT */
#include "report/ktest.h"

#include "report/given.h"
#include "report/shown_inputs.h"

#include <string.h>

#define MAGIC "KTEST"
#define MAGIC_BYTES 5
#define VERSION 3u

/* --- writing --- */

static void append_number(struct text *file, uint32_t number) {
  const unsigned char bytes[] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16),
                                 (unsigned char)(number >> 8), (unsigned char)number};
  text_append_bytes(file, bytes, sizeof bytes);
}

static void append_block(struct text *file, const char *bytes, size_t count) {
  append_number(file, (uint32_t)count);
  if (count > 0) text_append_bytes(file, bytes, count);
}

void ktest_append(struct text *file, const char *const *arguments, const struct trace_view *trace) {
  uint32_t count = 0;
  while (arguments[count]) count++;
  text_append_bytes(file, MAGIC, MAGIC_BYTES);
  append_number(file, VERSION);
  append_number(file, count);
  for (uint32_t i = 0; i < count; i++) append_block(file, arguments[i], strlen(arguments[i]));
  append_number(file, 0);
  append_number(file, 0);
  append_number(file, trace->record->n_inputs);
  for (uint32_t i = 0; i < trace->record->n_inputs; i++) {
    const struct input_record *input = &trace->inputs[i];
    struct text bytes = {0};
    input_append_bytes(&bytes, trace, input);
    append_block(file, trace->names + input->name_offset, input->name_bytes);
    append_block(file, bytes.string, bytes.length);
    text_free(&bytes);
  }
}

/* --- reading --- */

struct file {
  const unsigned char *at, *end;
  bool failed;
};

static uint32_t take_number(struct file *file) {
  if (file->end - file->at < 4) {
    file->failed = true;
    return 0;
  }
  const unsigned char *bytes = file->at;
  file->at += 4;
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void take_block(struct file *file, struct text *block) {
  const uint32_t count = take_number(file);
  text_clear(block);
  if (count > (size_t)(file->end - file->at)) file->failed = true;
  if (file->failed) return;
  text_append_bytes(block, file->at, count);
  file->at += count;
}

/* Objects that KLEE adds by itself: they say nothing about the program's inputs. */
static bool is_of_klee_alone(const char *name) {
  const size_t length = strlen(name);
  return strcmp(name, "model_version") == 0 || (length > 5 && strcmp(name + length - 5, "-stat") == 0);
}

static void read_objects(struct file *file, struct given_inputs *given) {
  struct text name = {0}, bytes = {0};
  for (uint32_t left = take_number(file); left > 0 && !file->failed; left--) {
    take_block(file, &name);
    take_block(file, &bytes);
    if (file->failed || is_of_klee_alone(text_string(&name))) continue;
    struct given_input *input = given_add(given, "", text_string(&name));
    input->is_raw = true;
    text_append_bytes(&input->raw, text_string(&bytes), bytes.length);
  }
  text_free(&name);
  text_free(&bytes);
}

bool ktest_parse(struct given_inputs *given, const struct text *contents, struct error *error) {
  const unsigned char *bytes = (const unsigned char *)contents->string;
  struct file file = {bytes + MAGIC_BYTES, bytes + contents->length, false};
  struct text unused = {0};
  const uint32_t version = take_number(&file);
  for (uint32_t left = take_number(&file); left > 0 && !file.failed; left--) take_block(&file, &unused);
  text_free(&unused);
  if (version >= 2) take_number(&file);
  if (version >= 2) take_number(&file);
  read_objects(&file, given);
  return !file.failed || error_set(error, "%s is damaged: it ends before its objects do", given->path);
}
