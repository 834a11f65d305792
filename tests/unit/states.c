/* SPDX-License-Identifier: MIT
 *
 * The states of strategies: a strategy that was written and read again at some moment yields the same targets from
 * there on as the one that goes on, and writes the same bytes; whatever bytes it reads, it does no harm. The same
 * numbers are drawn in every run.
 */
#include "machine.h"

#include "base/hash.h"
#include "base/random.h"
#include "explore/reachability/syn_objects.h"

#include <stdlib.h>

#define MOST_WINDOW 64u
#define MOST_RUNS 400u
#define MAX_EVENTS 100u
#define EXPECTED_STEPS 1000u /* so many that the parts of `auto` have short turns */
#define FUZZ_ROUNDS 3000u
#define KEPT_STATES 64u

static const char *const strategies[] = {"random", "pct",    "exhaustive", "optimal",       "dpor",         "dpor-cr",
                                         "dpor-1", "dpor-2", "race-flip",  "dpor-cr-sleep", "reachability", "auto"};
#define N_STRATEGIES (sizeof strategies / sizeof *strategies)

/* An exploration, with the runs under way: the oldest first. */
struct explorer {
  const struct strategy *strategy;
  void *self;
  struct syn_objects objects;
  struct deadline deadline;
  struct run runs[MOST_WINDOW];
  unsigned under_way;
  uint64_t targets; /* a hash of those so far */
};

static void *create(struct explorer *explorer, uint64_t seed) {
  const struct strategy_settings settings = {.seed = seed,
                                             .max_events = MAX_EVENTS,
                                             .expected_steps = EXPECTED_STEPS,
                                             .objects = &explorer->objects,
                                             .deadline = &explorer->deadline,
                                             .is_saved = true};
  return explorer->strategy->create(&settings);
}

static void begin(struct explorer *explorer, const char *strategy, uint64_t seed) {
  *explorer = (struct explorer){.strategy = strategy_find(strategy)};
  explorer->self = create(explorer, seed);
}

static void end(struct explorer *explorer) {
  explorer->strategy->destroy(explorer->self);
  syn_objects_free(&explorer->objects);
}

static uint64_t hash_target(uint64_t hash, const struct target *target) {
  hash = hash_mix(hash, target->plan.seed);
  hash = hash_mix(hash, target->plan.flags);
  hash = hash_mix(hash, target->plan.record_from);
  for (size_t i = 0; i < target->prefix.count; i++)
    hash = hash_mix(hash, target->prefix.items[i].thread * 65536u + target->prefix.items[i].alternative);
  for (size_t i = 0; i < target->sleepers.count; i++)
    hash = hash_mix(hash, target->sleepers.items[i].object * 64 + target->sleepers.items[i].thread);
  return hash;
}

/* False: there is nothing to run now. */
static bool start_run(struct explorer *explorer, const struct program *program) {
  struct target target = {.plan = {.runs = 1}};
  const bool more = explorer->strategy->next(explorer->self, &target);
  if (more) {
    explorer->targets = hash_target(explorer->targets, &target);
    perform(program, &target, &explorer->runs[explorer->under_way++]);
  }
  free(target.prefix.items);
  free(target.sleepers.items);
  return more;
}

/* The trace as one record. */
static void write_trace(const struct run *run, struct text *text) {
  struct trace record = run->record;
  const size_t events_bytes = record.n_events * sizeof(struct event);
  const size_t pendings_bytes = record.n_pending * sizeof(struct pending);
  record.size_bytes = (uint32_t)(sizeof record + events_bytes + pendings_bytes);
  record.form = RECORD_TRACE;
  text_append_bytes(text, &record, sizeof record);
  text_append_bytes(text, run->machine.events + run->record_from, events_bytes);
  text_append_bytes(text, run->pendings, pendings_bytes);
}

/* A sequence may become another when more is known of the objects: from then on the strategy means nothing. */
static bool end_run(struct explorer *explorer) {
  struct text text = {0};
  struct trace_view view;
  const struct run run = explorer->runs[0];
  explorer->under_way--;
  memmove(explorer->runs, explorer->runs + 1, explorer->under_way * sizeof *explorer->runs);
  write_trace(&run, &text);
  assert_true(trace_open(&view, (const struct trace *)text.string, text.length));
  const bool is_void = explorer->strategy->needs_objects && syn_objects_learn(&explorer->objects, &view);
  if (!is_void) explorer->strategy->absorb(explorer->self, run.cookie, &view, NULL, 1);
  text_free(&text);
  return !is_void;
}

/* One round of the loop. False: it is over. */
static bool step(struct explorer *explorer, const struct program *program, unsigned window) {
  if (window > explorer->strategy->window) window = explorer->strategy->window;
  while (explorer->under_way < window && start_run(explorer, program)) continue;
  return explorer->under_way > 0 && end_run(explorer);
}

/* ---- writing and reading ---- */

static void save(const struct explorer *explorer, struct text *text) {
  void *cookies[MOST_WINDOW];
  for (unsigned i = 0; i < explorer->under_way; i++) cookies[i] = explorer->runs[i].cookie;
  explorer->strategy->save(explorer->self, cookies, explorer->under_way, text);
}

static bool load_from(struct explorer *explorer, const struct text *text) {
  void *cookies[MOST_WINDOW];
  struct written written = {text->string, text->string + text->length, false};
  const bool good = explorer->strategy->load(explorer->self, &written, cookies, explorer->under_way);
  for (unsigned i = 0; good && i < explorer->under_way; i++) explorer->runs[i].cookie = cookies[i];
  return good && written_is_over(&written);
}

static void copy_objects(struct syn_objects *to, const struct syn_objects *from) {
  struct text text = {0};
  syn_objects_write(from, &text);
  struct written written = {text.string, text.string + text.length, false};
  assert_true(syn_objects_read(to, &written));
  assert_true(written_is_over(&written));
  text_free(&text);
}

/* Goes on with a strategy that has read what this one wrote. */
static void replace(struct explorer *explorer, uint64_t seed) {
  struct text written = {0}, again = {0};
  struct syn_objects objects = {0};
  save(explorer, &written);
  copy_objects(&objects, &explorer->objects);
  explorer->strategy->destroy(explorer->self);
  syn_objects_free(&explorer->objects);
  explorer->objects = objects;
  explorer->self = create(explorer, seed);
  assert_true(load_from(explorer, &written));
  save(explorer, &again);
  assert_int_equal(written.length, again.length);
  assert_memory_equal(written.string, again.string, written.length);
  text_free(&written);
  text_free(&again);
}

static bool can_save(const struct explorer *explorer) {
  return !explorer->strategy->can_save || explorer->strategy->can_save(explorer->self);
}

static void compare(const char *strategy, uint64_t number, unsigned window) {
  const struct program program = draw_program(number, number % 2);
  static struct explorer whole, parts;
  uint64_t moments = number;
  begin(&whole, strategy, number);
  begin(&parts, strategy, number);
  for (unsigned runs = 0; runs < MOST_RUNS; runs++) {
    const bool more = step(&whole, &program, window);
    assert_int_equal(step(&parts, &program, window), more);
    assert_int_equal(whole.targets, parts.targets);
    if (!more) break;
    if (random_next(&moments) % 8 == 0 && can_save(&parts)) replace(&parts, number);
  }
  struct strategy_stats a = {0}, b = {0};
  whole.strategy->stats(whole.self, &a);
  parts.strategy->stats(parts.self, &b);
  assert_int_equal(a.events, b.events);
  assert_int_equal(a.blocked_runs, b.blocked_runs);
  assert_int_equal(a.left, b.left);
  end(&whole);
  end(&parts);
}

static const unsigned windows[] = {1, 3, 8, MOST_WINDOW};

static void a_strategy_goes_on_where_it_was(void **unused) {
  for (size_t i = 0; i < N_STRATEGIES; i++)
    for (uint64_t number = 0; number < 40; number++) compare(strategies[i], number, windows[number % 4]);
}

/* ---- any bytes ---- */

/* What a strategy wrote, with the number of runs under way then. */
struct kept {
  struct text text;
  unsigned under_way;
};

static uint64_t fuzz = 18;

static uint64_t any(uint64_t count) {
  return random_next(&fuzz) % count;
}

static void change(struct text *bytes) {
  for (uint64_t n = 1 + any(4); n > 0 && bytes->length > 0; n--) {
    const size_t at = any(bytes->length);
    switch (any(4)) {
    case 0: bytes->string[at] ^= (char)(1u << any(8)); break;
    case 1: bytes->string[at] = (char)any(256); break;
    case 2: bytes->string[at] = (char)(any(2) ? 0 : 1 + any(3)); break;
    case 3: bytes->length = any(8) ? bytes->length : at; break;
    }
  }
}

/* If it was read, it has targets, or has none; nothing is run for them. */
static bool read_bytes(const char *strategy, const struct text *bytes, unsigned under_way) {
  static struct explorer explorer;
  begin(&explorer, strategy, 1);
  explorer.under_way = under_way;
  const bool good = load_from(&explorer, bytes);
  for (unsigned i = 0; good && i < 4; i++) {
    struct target target = {.plan = {.runs = 1}};
    if (explorer.strategy->next(explorer.self, &target)) assert_true(target.prefix.count <= MAX_EVENTS);
    free(target.prefix.items);
    free(target.sleepers.items);
  }
  end(&explorer);
  return good;
}

static size_t keep_states(const char *strategy, struct kept *kept) {
  size_t count = 0;
  for (uint64_t number = 0; count < KEPT_STATES && number < 64; number++) {
    const struct program program = draw_program(number, number % 2);
    static struct explorer explorer;
    begin(&explorer, strategy, number);
    for (uint64_t left = 2 + any(12); left > 0 && step(&explorer, &program, windows[number % 4]); left--) continue;
    if (can_save(&explorer)) {
      kept[count] = (struct kept){.under_way = explorer.under_way};
      save(&explorer, &kept[count++].text);
    }
    end(&explorer);
  }
  return count;
}

static void no_bytes_do_harm_to(const char *strategy) {
  struct kept kept[KEPT_STATES];
  const size_t count = keep_states(strategy, kept);
  unsigned n_read = 0;
  for (unsigned round = 0; round < FUZZ_ROUNDS; round++) {
    const struct kept *from = &kept[any(count)];
    struct text bytes = {0};
    text_append_bytes(&bytes, from->text.string, from->text.length);
    change(&bytes);
    n_read += read_bytes(strategy, &bytes, from->under_way);
    text_free(&bytes);
  }
  for (size_t i = 0; i < count; i++) text_free(&kept[i].text);
  assert_in_range(n_read, 1, FUZZ_ROUNDS - FUZZ_ROUNDS / 10); /* some get past all tests, and some do not */
}

static void no_bytes_do_harm(void **unused) {
  for (size_t i = 0; i < N_STRATEGIES; i++) no_bytes_do_harm_to(strategies[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_strategy_goes_on_where_it_was),
      cmocka_unit_test(no_bytes_do_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
