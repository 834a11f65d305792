/* SPDX-License-Identifier: MIT
 *
 * Whether a module's code follows inputs: if it asks for some itself, or if that is demanded. Otherwise the object
 * keeps the module (abi/kept.h), for a link that finds inputs elsewhere.
 */
#include "abi/kept.h"
#include "base/files.h"
#include "instrument/instrument.h"
#include "instrument/internal.h"

#include <string.h>

bool kept_asks_for_inputs(struct unit *unit) {
  static const char *const prefixes[] = {HEDDLE_INPUT_PREFIXES};
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
      if (functions_starts_with(name, prefixes[i])) return true;
  }
  return false;
}

static void append_word(struct text *words, const char *word) {
  text_append_bytes(words, word, strlen(word) + 1);
}

static void append_words(struct text *words, const struct instrument_options *options) {
  append_word(words, options->source);
  append_word(words, options->optimisation);
  if (options->function_sections) append_word(words, "function-sections");
  if (options->data_sections) append_word(words, "data-sections");
  if (options->variables) append_word(words, "variables");
  if (options->line_coverage) append_word(words, "line-coverage");
}

/* The linker leaves out a section of such a constant, unless it makes a relocatable object. */
static void exclude(struct unit *unit, LLVMValueRef global) {
  const unsigned kind = LLVMGetMDKindIDInContext(unit->context, "exclude", strlen("exclude"));
  LLVMGlobalSetMetadata(global, kind, LLVMMDNodeInContext2(unit->context, NULL, 0));
}

bool kept_add_module(struct unit *unit, const struct instrument_options *options, struct error *error) {
  struct text words = {0}, record = {0}, bitcode = {0};
  if (!files_read(options->bitcode, &bitcode, error)) return false;
  append_words(&words, options);
  const struct kept_module head = {HEDDLE_KEPT_MAGIC, words.length + bitcode.length, words.length, 0};
  text_append_bytes(&record, (const char *)&head, sizeof head);
  text_append_bytes(&record, words.string, words.length);
  text_append_bytes(&record, text_string(&bitcode), bitcode.length);
  exclude(unit, sites_keep_bytes(unit, record.string, record.length, HEDDLE_KEPT_SECTION));
  text_free(&words);
  text_free(&record);
  text_free(&bitcode);
  return true;
}
