/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"
#include "cli/find.h"

#include "report/unfolding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct strategy *implied_strategy(const struct options *options) {
  const struct option_source source = options_source(options);
  for (unsigned i = 0; strategy_at(i); i++) {
    const char *option = strategy_at(i)->implied_by;
    if (option && option_find(&source, option)->given) return strategy_at(i);
  }
  return NULL;
}

static bool choose_strategy(const struct options *options, const struct strategy **strategy, struct error *error) {
  const struct option_value *value = &options->values[OPTION_STRATEGY];
  *strategy = value->given ? NULL : implied_strategy(options);
  if (!*strategy) *strategy = strategy_find(value->text);
  const bool is_bounded = options->values[OPTION_MAX_PREEMPTIONS].given;
  if (*strategy && is_bounded && (*strategy)->with_bound) *strategy = (*strategy)->with_bound;
  return *strategy || error_set(error, "there is no strategy %s: see 'heddle run --help'", value->text);
}

/* "unfolding or contextual" */
static void list_takers(const char *option, struct text *text) {
  const struct strategy *last = NULL;
  for (unsigned i = 0; strategy_at(i); i++) {
    if (!strategy_takes(strategy_at(i), option)) continue;
    if (last) text_append_format(text, "%s%s", text->length > 0 ? ", " : "", last->name);
    last = strategy_at(i);
  }
  text_append_format(text, "%s%s", text->length > 0 ? " or " : "", last->name);
}

/* An option of another strategy would do nothing. */
static bool check_options(const struct options *options, const struct strategy *strategy, struct error *error) {
  const struct option_source source = options_source(options);
  for (unsigned i = 0; strategy_at(i); i++)
    for (const char *const *name = strategy_at(i)->options; name && *name; name++) {
      if (strategy_takes(strategy, *name) || !option_find(&source, *name)->given) continue;
      struct text takers = {0};
      list_takers(*name, &takers);
      error_set(error, "--%s needs --strategy %s, not %s", *name, text_string(&takers), strategy->name);
      text_free(&takers);
      return false;
    }
  return true;
}

static bool configure(const struct options *options, struct explore_settings *settings, struct error *error) {
  const struct option_source source = options_source(options);
  const struct strategy *strategy = settings->strategy;
  if (!strategy->configure) return true;
  settings->own = memory_allocate(strategy->settings_bytes);
  return strategy->configure(settings->own, &source, error);
}

static bool choose_among(const char *option, const char *text, const char *const *names, int *choice,
                         struct error *error) {
  for (*choice = 0; names[*choice]; (*choice)++)
    if (strcmp(names[*choice], text) == 0) return true;
  return error_set(error, "--%s cannot be %s: see 'heddle run --help'", option, text);
}

static bool choose_isolation(const struct options *options, enum isolation *isolation, struct error *error) {
  static const char *const names[] = {"auto", "reset", "fork", NULL};
  int choice;
  if (!choose_among("isolation", options->values[OPTION_ISOLATION].text, names, &choice, error)) return false;
  *isolation = (enum isolation)choice;
  return true;
}

/* What is given stands, whatever else implies it. */
static bool choose_exit_status(const struct options *options, uint32_t *chosen, struct error *error) {
  static const char *const names[] = {"zero", "any", NULL};
  const struct option_value *value = &options->values[OPTION_EXIT_STATUS];
  int choice;
  if (!choose_among("exit-status", value->text, names, &choice, error)) return false;
  const bool is_implied = options->values[OPTION_SVCOMP].given && !value->given;
  if (choice == 1 || is_implied) *chosen |= RUN_ANY_EXIT_STATUS;
  return true;
}

static bool choose_files(const struct options *options, uint32_t *chosen, struct error *error) {
  static const char *const names[] = {"private", "real", NULL};
  int choice;
  if (!choose_among("files", options->values[OPTION_FILES].text, names, &choice, error)) return false;
  if (choice == 1) *chosen |= RUN_REAL_FILES;
  return true;
}

static bool choose_symmetry(const struct options *options, uint32_t *chosen, struct error *error) {
  static const char *const names[] = {"off", "auto", NULL};
  const struct option_value *value = &options->values[OPTION_SYMMETRY];
  int choice = 0;
  if (value->given && !choose_among("symmetry", value->text, names, &choice, error)) return false;
  if (choice == 1) *chosen |= RUN_SYMMETRY;
  return true;
}

static bool choose_loops(const struct strategy *strategy, uint32_t *chosen) {
  if (strategy && strategy->spins) *chosen |= RUN_SPINS;
  return true;
}

static bool choose_run_options(const struct options *options, uint32_t *chosen, struct error *error) {
  static const char *const names[] = {"off", "warn", "error", NULL};
  static const uint32_t races[] = {0, RUN_RACES_WARN, RUN_RACES_END};
  int choice;
  if (!choose_among("races", options->values[OPTION_RACES].text, names, &choice, error)) return false;
  *chosen = races[choice];
  if (options->values[OPTION_MALLOC_FAIL].given) *chosen |= RUN_MALLOC_MAY_FAIL;
  if (options->values[OPTION_SPURIOUS].given) *chosen |= RUN_SPURIOUS_WAKES;
  if (options->values[OPTION_LEAKS].given) *chosen |= RUN_LEAKS;
  if (options->values[OPTION_SVCOMP].given) *chosen |= RUN_SVCOMP;
  return choose_files(options, chosen, error) && choose_exit_status(options, chosen, error);
}

static uint64_t number_or_no_limit(const struct options *options, enum option option) {
  return options->values[option].given ? options->values[option].number : NO_LIMIT;
}

/* Every byte of them is an input, and the first of a run's terms. */
static bool check_inputs(const struct options *options, struct error *error) {
  const struct option_value *arguments = &options->values[OPTION_SYM_ARGS];
  const uint64_t wanted = arguments->number * arguments->second + options->values[OPTION_SYM_STDIN].number;
  if (options->values[OPTION_KTEST].given && !options->values[OPTION_TESTS].given)
    return error_set(error, "--ktest needs --tests DIR, where the files go");
  if (options->values[OPTION_SAVE].given && options->values[OPTION_RESUME].given)
    return error_set(error, "--resume keeps saving to its own file: leave out --save");
  if (wanted <= options->values[OPTION_MAX_TERMS].number) return true;
  return error_set(error, "--sym-args and --sym-stdin ask for %llu inputs, more than --max-terms allows",
                   (unsigned long long)wanted);
}

/* Before anything is run. */
static bool check_unfolding(const struct options *options, struct error *error) {
  const char *file = options->values[OPTION_UNFOLDING].text;
  return !file || unfolding_is_json(file) || unfolding_is_dot(file) ||
         error_set(error, "--unfolding takes FILE.json or FILE.dot, not '%s'", file);
}

bool settings_make(struct explore_settings *settings, const struct options *options, const struct strategy *strategy,
                   struct error *error) {
  *settings = (struct explore_settings){
      .seed = options->values[OPTION_SEED].number,
      .max_runs = number_or_no_limit(options, OPTION_MAX_RUNS),
      .max_seconds = options->values[OPTION_MAX_TIME].seconds,
      .minimise_runs = (uint32_t)options->values[OPTION_MINIMISE].number,
      .solver_timeout_milliseconds = (uint32_t)options->values[OPTION_SOLVER_TIMEOUT].number,
      .max_address_targets = (uint32_t)options->values[OPTION_MAX_ADDRESS_TARGETS].number,
      .check_solver = options->values[OPTION_CHECK_SOLVER].given,
      .check_once = options->values[OPTION_CHECK_ONCE].given,
      .executor = {.max_events = (uint32_t)options->values[OPTION_MAX_EVENTS].number,
                   .max_memory_mb = (uint32_t)options->values[OPTION_MAX_MEMORY].number,
                   .max_inputs = (uint32_t)options->values[OPTION_MAX_INPUTS].number,
                   .max_threads = (uint32_t)options->values[OPTION_MAX_THREADS].number,
                   .max_terms = (uint32_t)options->values[OPTION_MAX_TERMS].number,
                   .symbolic_arguments = (uint32_t)options->values[OPTION_SYM_ARGS].number,
                   .symbolic_argument_bytes = (uint32_t)options->values[OPTION_SYM_ARGS].second,
                   .symbolic_stdin_bytes = (uint32_t)options->values[OPTION_SYM_STDIN].number,
                   .hang_seconds = (uint32_t)options->values[OPTION_HANG_TIME].number,
                   .output = -1},
  };
  if (options->values[OPTION_JOBS].number > 1) fputs("heddle: -j: only one executor is supported for now\n", stderr);
  settings->strategy = strategy;
  if (!strategy &&
      !(choose_strategy(options, &settings->strategy, error) && check_options(options, settings->strategy, error)))
    return false;
  return check_unfolding(options, error) && check_inputs(options, error) &&
         choose_isolation(options, &settings->executor.isolation, error) &&
         choose_run_options(options, &settings->executor.options, error) &&
         choose_symmetry(options, &settings->executor.options, error) &&
         choose_loops(settings->strategy, &settings->executor.options) && find_choose(options, settings, error) &&
         configure(options, settings, error);
}

bool settings_bring_inputs(const struct explore_settings *settings) {
  const bool reads = settings->strategy && settings->strategy->learns_quietly;
  return reads || settings->executor.symbolic_arguments || settings->executor.symbolic_stdin_bytes;
}

bool settings_check_program(const struct explore_settings *settings, const struct program *program,
                            struct error *error) {
  if (!settings_bring_inputs(settings) || program_follows_inputs(program)) return true;
  const char *what = settings->executor.symbolic_arguments     ? "--sym-args"
                     : settings->executor.symbolic_stdin_bytes ? "--sym-stdin"
                                                               : settings->strategy->name;
  return error_set(error,
                   "%s follows values through the program, which was built without code for that: build it with "
                   "'heddle cc --heddle-follow', or give its C files",
                   what);
}

void settings_free(struct explore_settings *settings) {
  free(settings->own);
  settings->own = NULL;
}
