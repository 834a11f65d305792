/* SPDX-License-Identifier: MIT */
#include "cli/find.h"

#include "trace/tables.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The outcomes that reports call so; "race" is short for data-race. */
static uint64_t outcomes_of_kind(const char *text, size_t length) {
  uint64_t outcomes = 0;
  const bool is_race = is_name("race", text, length);
  for (uint32_t i = 0; i < OUTCOMES; i++)
    if (outcome_is_bug(i) && (is_name(outcome_row(i)->kind, text, length) || (is_race && i == OUTCOME_DATA_RACE)))
      outcomes |= 1ull << i;
  return outcomes;
}

static uint64_t all_bugs(void) {
  uint64_t outcomes = 0;
  for (uint32_t i = 0; i < OUTCOMES; i++)
    if (outcome_is_bug(i)) outcomes |= 1ull << i;
  return outcomes;
}

static bool read_kinds(const char *list, uint64_t *outcomes, struct error *error) {
  *outcomes = 0;
  for (const char *word = list;; word += strcspn(word, ",") + 1) {
    const size_t length = strcspn(word, ",");
    const uint64_t named = is_name("all", word, length) ? all_bugs() : outcomes_of_kind(word, length);
    if (!named)
      return error_set(error,
                       "--find: '%.*s' is no kind of finding; there are assertion, crash, deadlock, livelock, race, "
                       "memory, lock-misuse, exception, exit, and all",
                       (int)length, word);
    *outcomes |= named;
    if (!word[length]) return true;
  }
}

static bool seeks(const struct explore_settings *settings, enum outcome outcome) {
  return settings->sought >> outcome & 1;
}

/* Whoever asks for data races by name wants them to be findings. */
static bool choose_races(const struct options *options, struct explore_settings *settings, struct error *error) {
  if (settings->sought == all_bugs()) return true;
  if (!seeks(settings, OUTCOME_DATA_RACE))
    return !(settings->executor.options & RUN_RACES_END) ||
           error_set(error, "--races=error makes data races findings: add race to --find");
  if (options->values[OPTION_RACES].given && !(settings->executor.options & RUN_RACES_END))
    return error_set(error, "--find race needs --races=error, or no --races at all");
  settings->executor.options = (settings->executor.options & ~(uint32_t)RUN_RACES_WARN) | RUN_RACES_END;
  return true;
}

/* Without --find everything is sought; but where data races were asked for, an exit status, which is often only how a
 * program says what it computed, does not end the search. */
static uint64_t ends_search(const struct options *options, const struct explore_settings *settings) {
  if (options->values[OPTION_KEEP_GOING].given) return 0;
  const bool asks_for_races = settings->executor.options & RUN_RACES_END && !options->values[OPTION_FIND].given;
  return settings->sought & ~(asks_for_races ? 1ull << OUTCOME_EXIT : 0);
}

/* By --races=error, or by --exit-status beside --svcomp. With --svcomp the only abort() that is a finding is that of
 * the program's own reach_error. */
static uint64_t asked_for_otherwise(const struct explore_settings *settings) {
  const uint32_t options = settings->executor.options;
  return (options & RUN_RACES_END ? 1ull << OUTCOME_DATA_RACE : 0) |
         (options & RUN_SVCOMP ? 1ull << OUTCOME_ABORT : 0) |
         (options & RUN_ANY_EXIT_STATUS ? 0 : 1ull << OUTCOME_EXIT);
}

bool find_choose(const struct options *options, struct explore_settings *settings, struct error *error) {
  const struct option_value *find = &options->values[OPTION_FIND];
  const char *kinds = options->values[OPTION_SVCOMP].given && !find->given ? "assertion" : find->text;
  if (!read_kinds(kinds, &settings->sought, error)) return false;
  if (!find->given) settings->sought |= asked_for_otherwise(settings);
  if (!choose_races(options, settings, error)) return false;
  settings->ends_search = ends_search(options, settings);
  settings->keep_going = settings->ends_search != all_bugs();
  return true;
}
