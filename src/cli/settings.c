/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

#include "report/unfolding.h"

#include <stdio.h>
#include <string.h>

static bool choose_strategy(const struct options *options, const struct strategy **strategy, struct error *error) {
  /* A bound on preemptions asks for the strategy that has one, an unfolding for one that makes it. */
  const bool bounded = options->values[OPTION_MAX_PREEMPTIONS].given && !options->values[OPTION_STRATEGY].given;
  const bool unfolded = options->values[OPTION_UNFOLDING].given && !options->values[OPTION_STRATEGY].given;
  const char *name = unfolded ? "unfolding" : bounded ? "exhaustive" : options->values[OPTION_STRATEGY].text;
  *strategy = strategy_find(name);
  return *strategy || error_set(error, "there is no strategy %s: see 'heddle run --help'", name);
}

static bool choose_among(const char *option, const char *text, const char *const *names, int *choice,
                         struct error *error) {
  for (*choice = 0; names[*choice]; (*choice)++)
    if (strcmp(names[*choice], text) == 0) return true;
  return error_set(error, "--%s cannot be %s: see 'heddle run --help'", option, text);
}

static bool choose_order(const struct options *options, bool *takes_first, struct error *error) {
  static const char *const names[] = {"random", "first", NULL};
  int choice;
  if (!choose_among("order", options->values[OPTION_ORDER].text, names, &choice, error)) return false;
  *takes_first = choice == 1;
  return true;
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
  return choose_exit_status(options, chosen, error);
}

static bool choose_order_solver(const struct options *options, struct explore_settings *settings, struct error *error) {
  static const char *const names[] = {"own", "z3", "both", NULL};
  int choice;
  if (!choose_among("order-solver", options->values[OPTION_ORDER_SOLVER].text, names, &choice, error)) return false;
  settings->z3_orders = choice == 1;
  settings->checks_orders = choice == 2;
  return true;
}

/* Names with commas between them. */
static bool choose_without(const struct options *options, uint32_t *without, struct error *error) {
  static const char *const names[] = {"unsat-core", "duplicates", "priority", NULL};
  const char *text = options->values[OPTION_WITHOUT].text;
  *without = 0;
  while (text && *text) {
    const size_t length = strcspn(text, ",");
    int i = 0;
    while (names[i] && (strlen(names[i]) != length || strncmp(names[i], text, length) != 0)) i++;
    if (!names[i]) return error_set(error, "--without cannot be %.*s: see 'heddle run --help'", (int)length, text);
    *without |= 1u << i;
    text += length + (text[length] == ',');
  }
  return true;
}

static void choose_label(const char *text, size_t length, struct reduction_settings *chosen) {
  struct text label = {0};
  text_append_bytes(&label, text, length);
  chosen->order = true;
  chosen->label = label_hash(label.string);
  text_free(&label);
}

static bool choose_reductions(const struct options *options, struct reduction_settings *chosen, struct error *error) {
  const char *text = options->values[OPTION_REDUCE].text;
  while (text && *text) {
    const size_t length = strcspn(text, ",");
    if (length == 2 && memcmp(text, "pv", 2) == 0)
      chosen->pv = true;
    else if (length == 8 && memcmp(text, "symmetry", 8) == 0)
      chosen->symmetry = true;
    else if (length > 6 && memcmp(text, "order=", 6) == 0)
      choose_label(text + 6, length - 6, chosen);
    else
      return error_set(error, "--reduce cannot be %.*s: see 'heddle run --help'", (int)length, text);
    text += length + (text[length] == ',');
  }
  return true;
}

static uint64_t number_or_no_limit(const struct options *options, enum option option) {
  return options->values[option].given ? options->values[option].number : NO_LIMIT;
}

/* Every byte of them is an input, and the first of a run's terms. */
static bool check_inputs(const struct options *options, struct error *error) {
  const struct option_value *arguments = &options->values[OPTION_SYM_ARGS];
  const uint64_t wanted = arguments->number * arguments->second + options->values[OPTION_SYM_STDIN].number;
  if (options->values[OPTION_KTEST].given && !options->values[OPTION_TESTS].given)
    return error_set(error, "--ktest needs --tests DIR: the files go there");
  if (options->values[OPTION_SAVE].given && options->values[OPTION_RESUME].given)
    return error_set(error, "--resume goes on saving to its own file: leave out --save");
  if (wanted <= options->values[OPTION_MAX_TERMS].number) return true;
  return error_set(error, "--sym-args and --sym-stdin ask for %llu inputs, more than --max-terms allows",
                   (unsigned long long)wanted);
}

/* Before anything is run. */
static bool check_unfolding(const struct options *options, struct explore_settings *settings, struct error *error) {
  const char *file = options->values[OPTION_UNFOLDING].text;
  settings->keeps_memo = file;
  if (!file) return true;
  if (!settings->strategy->net)
    return error_set(error, "--unfolding needs --strategy unfolding or contextual: %s makes no unfolding",
                     settings->strategy->name);
  return unfolding_is_json(file) || unfolding_is_dot(file) ||
         error_set(error, "--unfolding takes FILE.json or FILE.dot, not '%s'", file);
}

bool settings_make(struct explore_settings *settings, const struct options *options, struct error *error) {
  *settings = (struct explore_settings){
      .seed = options->values[OPTION_SEED].number,
      .max_runs = number_or_no_limit(options, OPTION_MAX_RUNS),
      .max_seconds = options->values[OPTION_MAX_TIME].seconds,
      .max_preemptions = number_or_no_limit(options, OPTION_MAX_PREEMPTIONS),
      .max_interferences =
          options->values[OPTION_MAX_K].given ? (uint32_t)options->values[OPTION_MAX_K].number : UINT32_MAX - 1,
      .max_scenarios = number_or_no_limit(options, OPTION_MAX_SCENARIOS),
      .minimise_runs = (uint32_t)options->values[OPTION_MINIMISE].number,
      .depth = (uint32_t)options->values[OPTION_DEPTH].number,
      .solver_timeout_milliseconds = (uint32_t)options->values[OPTION_SOLVER_TIMEOUT].number,
      .max_address_targets = (uint32_t)options->values[OPTION_MAX_ADDRESS_TARGETS].number,
      .check_extensions = options->values[OPTION_CHECK_EXTENSIONS].given,
      .check_solver = options->values[OPTION_CHECK_SOLVER].given,
      .check_once = options->values[OPTION_CHECK_ONCE].given,
      .no_deadlock_search = options->values[OPTION_NO_DEADLOCK_SEARCH].given,
      .keep_going = options->values[OPTION_KEEP_GOING].given,
      .executor = {.max_events = (uint32_t)options->values[OPTION_MAX_EVENTS].number,
                   .max_memory_mb = (uint32_t)options->values[OPTION_MAX_MEMORY].number,
                   .max_terms = (uint32_t)options->values[OPTION_MAX_TERMS].number,
                   .symbolic_arguments = (uint32_t)options->values[OPTION_SYM_ARGS].number,
                   .symbolic_argument_bytes = (uint32_t)options->values[OPTION_SYM_ARGS].second,
                   .symbolic_stdin_bytes = (uint32_t)options->values[OPTION_SYM_STDIN].number,
                   .hang_seconds = (uint32_t)options->values[OPTION_HANG_TIME].number,
                   .output = -1},
  };
  if (options->values[OPTION_JOBS].number > 1) fputs("heddle: -j: only one executor is supported for now\n", stderr);
  return choose_strategy(options, &settings->strategy, error) && check_unfolding(options, settings, error) &&
         check_inputs(options, error) && choose_isolation(options, &settings->executor.isolation, error) &&
         choose_reductions(options, &settings->reductions, error) &&
         choose_order(options, &settings->takes_first, error) && choose_order_solver(options, settings, error) &&
         choose_without(options, &settings->without, error) &&
         choose_run_options(options, &settings->executor.options, error);
}
