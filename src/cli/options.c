/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option_kind { NUMBER, PAIR, SECONDS, TEXT, FLAG };

static const struct option_row {
  const char *name;
  enum option_kind kind;
  const char *argument, *initial;
  double least, most;
  const char *help;
} rows[OPTIONS] = {
#define OPTION(id, name, kind, argument, initial, least, most, help)                                                   \
  [OPTION_##id] = {name, kind, argument, initial, (double)(least), (double)(most), help},
#include "cli/options.def"
#undef OPTION
};

/* Flags of cc that `heddle run` passes on; those of the second list may take the next word with them. */
static const char *const compiler_flags[] = {"-D",    "-U", "-I", "-L", "-l",       "-O",        "-g",
                                             "-std=", "-W", "-f", "-m", "-pthread", "-pedantic", "-ansi",
                                             "-w",    "-x", "-i", "-X", "-stat"};
static const char *const flags_with_word[] = {"-D",       "-U",       "-I",       "-L",      "-l",
                                              "-x",       "-include", "-isystem", "-iquote", "-idirafter",
                                              "-Xlinker", "-Xclang",  "-imacros"};

static const char *dashes(const struct option_row *row) {
  return row->name[1] ? "--" : "-";
}

/* --- values --- */

static bool bad_value(const struct option_row *row, const char *text, struct error *error) {
  if (row->most < 1e15)
    return error_set(error, "%s%s takes a number from %.0f to %.0f, not '%s'", dashes(row), row->name, row->least,
                     row->most, text);
  return error_set(error, "%s%s takes a number, not '%s'", dashes(row), row->name, text);
}

static bool parse_number(const struct option_row *row, const char *text, uint64_t *number, struct error *error) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  const bool good = errno == 0 && *text >= '0' && *text <= '9' && *end == 0;
  if (!good || (double)*number < row->least || (double)*number > row->most) return bad_value(row, text, error);
  return true;
}

static bool bad_pair(const struct option_row *row, const char *text, struct error *error) {
  return error_set(error, "%s%s takes two numbers from %.0f to %.0f, as in %s%s=2,8, not '%s'", dashes(row), row->name,
                   row->least, row->most, dashes(row), row->name, text);
}

/* "N,M" */
static bool parse_pair(const struct option_row *row, const char *text, struct option_value *value,
                       struct error *error) {
  const char *comma = strchr(text, ',');
  if (!comma || (size_t)(comma - text) > 20) return bad_pair(row, text, error);
  char first[24];
  snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
  return (parse_number(row, first, &value->number, NULL) && parse_number(row, comma + 1, &value->second, NULL)) ||
         bad_pair(row, text, error);
}

static bool parse_seconds(const struct option_row *row, const char *text, double *seconds, struct error *error) {
  char *end;
  *seconds = strtod(text, &end);
  if (end == text || *end != 0 || !isfinite(*seconds) || *seconds < row->least || *seconds > row->most)
    return bad_value(row, text, error);
  return true;
}

static bool set_value(struct options *options, enum option option, const char *text, struct error *error) {
  struct option_value *value = &options->values[option];
  value->text = text;
  switch (rows[option].kind) {
  case NUMBER: return parse_number(&rows[option], text, &value->number, error);
  case PAIR: return parse_pair(&rows[option], text, value, error);
  case SECONDS: return parse_seconds(&rows[option], text, &value->seconds, error);
  case TEXT: return *text || error_set(error, "%s%s needs a value", dashes(&rows[option]), rows[option].name);
  case FLAG: return true;
  }
  return false;
}

static void set_defaults(struct options *options) {
  for (enum option i = 0; i < OPTIONS; i++)
    if (*rows[i].initial) BUG_ON(!set_value(options, i, rows[i].initial, NULL));
}

/* --- words --- */

struct words {
  int count, next;
  char **items;
};

/* Does the word name this option? *value is what is written together with it, NULL if nothing is. */
static bool names_option(const char *word, const struct option_row *row, const char **value) {
  const size_t length = strlen(row->name);
  const size_t n_dashes = strlen(dashes(row));
  if (strncmp(word, dashes(row), n_dashes) != 0 || strncmp(word + n_dashes, row->name, length) != 0) return false;
  const char *rest = word + n_dashes + length;
  *value = NULL;
  if (*rest == 0) return true;
  if (n_dashes == 1)
    *value = rest;
  else if (*rest == '=')
    *value = rest + 1;
  return *value != NULL;
}

/* --name N M, unless the two are written N,M. */
static bool parse_two_words(struct options *options, enum option option, struct words *words, struct error *error) {
  const struct option_row *row = &rows[option];
  const char *first = words->next < words->count ? words->items[words->next++] : NULL;
  if (first && strchr(first, ',')) return set_value(options, option, first, error);
  const char *second = first && words->next < words->count ? words->items[words->next++] : NULL;
  if (!second) return error_set(error, "%s%s needs two numbers", dashes(row), row->name);
  struct option_value *value = &options->values[option];
  return parse_number(row, first, &value->number, error) && parse_number(row, second, &value->second, error);
}

static bool parse_option(struct options *options, enum option option, const char *value, struct words *words,
                         struct error *error) {
  const struct option_row *row = &rows[option];
  if (row->kind == FLAG && value) return error_set(error, "%s%s takes no value", dashes(row), row->name);
  options->values[option].given = true;
  if (row->kind == PAIR && !value) return parse_two_words(options, option, words, error);
  if (row->kind != FLAG && !value) {
    if (words->next >= words->count) return error_set(error, "%s%s needs a value", dashes(row), row->name);
    value = words->items[words->next++];
  }
  return set_value(options, option, value ? value : "", error);
}

static bool starts_with_any(const char *word, const char *const *list, size_t count, bool exactly) {
  for (size_t i = 0; i < count; i++)
    if (exactly ? strcmp(word, list[i]) == 0 : strncmp(word, list[i], strlen(list[i])) == 0) return true;
  return false;
}

static bool parse_compiler_flag(struct options *options, const char *word, struct words *words, struct error *error) {
  if (!starts_with_any(word, compiler_flags, sizeof compiler_flags / sizeof *compiler_flags, false))
    return error_set(error, "unknown option %s: see 'heddle run --help'", word);
  vector_push(&options->compile, word);
  if (!starts_with_any(word, flags_with_word, sizeof flags_with_word / sizeof *flags_with_word, true)) return true;
  if (words->next >= words->count) return error_set(error, "%s needs a value", word);
  vector_push(&options->compile, words->items[words->next++]);
  return true;
}

static bool parse_word(struct options *options, const char *word, struct words *words, struct error *error) {
  const char *value;
  for (enum option i = 0; i < OPTIONS; i++)
    if (names_option(word, &rows[i], &value)) return parse_option(options, i, value, words, error);
  if (word[0] == '-' && word[1]) return parse_compiler_flag(options, word, words, error);
  vector_push(&options->compile, word);
  vector_push(&options->files, word);
  return true;
}

bool options_parse(struct options *options, int argc, char **argv, struct error *error) {
  struct words words = {argc, 1, argv};
  *options = (struct options){.arguments = argv + argc};
  set_defaults(options);
  while (words.next < argc) {
    const char *word = argv[words.next++];
    if (strcmp(word, "--") == 0) {
      options->arguments = argv + words.next;
      return true;
    }
    if (!parse_word(options, word, &words, error)) return false;
  }
  return true;
}

void options_free(struct options *options) {
  vector_free(&options->compile);
  vector_free(&options->files);
}

static const struct option_value *find(const void *self, const char *name) {
  const struct options *options = self;
  for (enum option i = 0; i < OPTIONS; i++)
    if (strcmp(rows[i].name, name) == 0) return &options->values[i];
  return NULL;
}

struct option_source options_source(const struct options *options) {
  return (struct option_source){options, find};
}

const char *option_word(enum option option) {
  static char words[OPTIONS][32];
  snprintf(words[option], sizeof words[option], "%s%s", dashes(&rows[option]), rows[option].name);
  return words[option];
}

const char *option_argument(enum option option) {
  return rows[option].argument;
}

const char *option_help(enum option option) {
  return rows[option].help;
}

void options_print_help(FILE *stream) {
  for (enum option i = 0; i < OPTIONS; i++) {
    const struct option_row *row = &rows[i];
    char left[64];
    snprintf(left, sizeof left, "%s%s %s", dashes(row), row->name, row->argument);
    fprintf(stream, "  %-30s %s", left, row->help);
    if (*row->initial) fprintf(stream, " [%s]", row->initial);
    fputs("\n", stream);
  }
  fputs("  -D -I -l -O ...                as for cc\n", stream);
}

/* How long to go on, and where the results go. */
static bool decides_nothing(enum option option) {
  switch (option) {
  case OPTION_MAX_RUNS:
  case OPTION_MAX_TIME:
  case OPTION_MINIMISE:
  case OPTION_TESTS:
  case OPTION_KTEST:
  case OPTION_COVERAGE:
  case OPTION_JSON:
  case OPTION_SAVE:
  case OPTION_RESUME:
  case OPTION_SAVE_EVERY:
  case OPTION_OUTPUT:
  case OPTION_NO_CACHE:
  case OPTION_JOBS:
  case OPTION_HELP: return true;
  default: return false;
  }
}

void options_append_identity(const struct options *options, struct text *text) {
  for (enum option i = 0; i < OPTIONS; i++) {
    const struct option_value *value = &options->values[i];
    if (decides_nothing(i)) continue;
    if (rows[i].kind == FLAG)
      text_append_format(text, "%s%s %s\n", dashes(&rows[i]), rows[i].name, value->given ? "given" : "not given");
    else if (rows[i].kind == PAIR)
      text_append_format(text, "%s%s %llu %llu\n", dashes(&rows[i]), rows[i].name, (unsigned long long)value->number,
                         (unsigned long long)value->second);
    else
      text_append_format(text, "%s%s %s\n", dashes(&rows[i]), rows[i].name, value->text ? value->text : "not given");
  }
}
