/* SPDX-License-Identifier: MIT
 *
 * Two executors get the same plans: one starts every run at main, the next takes a checkpoint before every step and
 * starts its runs from these. Their traces must be the same, byte by byte, with all that they add to what is known.
 *
 *     compare-checkpoints RUNS EXECUTABLE [SEED [ARGUMENT...]]   prints "runs N differences N"; status 1 if any differs
 *
 * The plans are such as strategies make: the steps of the run before up to some place, mostly a late one, another
 * thread there, then a policy; flags, inputs and what is recorded vary.
 */
#include "base/error.h"
#include "explore/executor/executor.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INPUTS 4

static const char *const settings_of[2] = {"never", "always"};
static const uint32_t flags_of[] = {0,
                                    PLAN_MAY_STOP,
                                    PLAN_TRY_LAST | PLAN_MAY_STOP,
                                    PLAN_LENIENT,
                                    PLAN_LATE_END,
                                    PLAN_BLOCKS,
                                    PLAN_RANDOM_INPUTS,
                                    PLAN_OUTPUT};

struct wish {
  struct plan plan;
  struct schedule steps;
  struct input_value inputs[MOST_INPUTS];
  size_t n_inputs;
  struct trace *trace; /* of the run that started at main */
};

static struct {
  struct executor *executor;
  struct schedule last; /* the steps of the run before */
  uint64_t random;
  VECTOR(struct wish) wishes;
  uint64_t differences;
} self;

static uint64_t draw(uint64_t bound) {
  self.random = self.random * 6364136223846793005ull + 1442695040888963407ull;
  return bound ? (self.random >> 33) % bound : 0;
}

/* --- plans --- */

/* The last quarter of them three times out of four. */
static size_t draw_place(size_t count) {
  const size_t from = draw(4) ? count - count / 4 : 0;
  return from + draw(count - from + 1);
}

static void draw_inputs(struct wish *wish) {
  if (draw(3)) return;
  wish->n_inputs = draw(MOST_INPUTS + 1);
  for (size_t i = 0; i < wish->n_inputs; i++)
    wish->inputs[i] = (struct input_value){.index = (uint32_t)i, .value = {draw(4), 0}};
}

static void draw_plan(struct wish *wish) {
  const size_t place = draw_place(self.last.count);
  schedule_append(&wish->steps, self.last.items, place);
  if (draw(8)) *schedule_extend(&wish->steps, 1) = (struct step){(thread_id)draw(4), 0};
  wish->plan = (struct plan){.seed = draw(3),
                             .runs = 1,
                             .policy = (uint32_t)draw(3),
                             .priority_changes = 2,
                             .expected_steps = 10,
                             .flags = draw(2) ? PLAN_MAY_STOP : flags_of[draw(sizeof flags_of / sizeof *flags_of)],
                             .max_events = 2000};
  if (wish->steps.count > 1 && !(wish->plan.flags & PLAN_LENIENT))
    wish->plan.record_from = (uint32_t)(draw(2) ? wish->steps.count - 1 : draw(wish->steps.count));
  draw_inputs(wish);
}

/* --- runs --- */

static bool run(const struct wish *wish, struct reply *reply, struct error *error) {
  executor_submit(self.executor, &wish->plan, wish->steps.items, wish->steps.count, wish->inputs, wish->n_inputs);
  return executor_finish_plan(self.executor, reply, error);
}

static void remember_steps(const struct wish *wish, const struct trace_view *trace) {
  self.last.count = 0;
  schedule_append(&self.last, wish->steps.items, wish->plan.record_from);
  schedule_append_trace(&self.last, trace);
}

static bool make_runs(uint64_t runs, struct error *error) {
  for (; runs > 0; runs--) {
    struct wish wish = {0};
    struct reply reply;
    draw_plan(&wish);
    if (!run(&wish, &reply, error)) return false;
    wish.trace = trace_copy(&reply.trace);
    remember_steps(&wish, &reply.trace);
    vector_push(&self.wishes, wish);
  }
  return true;
}

/* --- again, from checkpoints --- */

static void tell_difference(size_t number, const struct trace *a, const struct trace *b) {
  const uint32_t bytes = a->size_bytes < b->size_bytes ? a->size_bytes : b->size_bytes;
  uint32_t at = offsetof(struct trace, ticket);
  while (at < bytes && ((const char *)a)[at] == ((const char *)b)[at]) at++;
  printf(
      "run %zu: %u and %u bytes, %u and %u events, %u and %u steps, outcomes %u and %u; they differ from byte %u on\n",
      number + 1, a->size_bytes, b->size_bytes, a->n_events, b->n_events, a->n_steps, b->n_steps, a->outcome,
      b->outcome, at);
  self.differences++;
}

/* The check has the number of the process in it. */
static bool are_same(const struct trace *a, const struct trace *b) {
  const size_t first = offsetof(struct trace, ticket);
  if (a->size_bytes != b->size_bytes) return false;
  return memcmp((const char *)a + first, (const char *)b + first, a->size_bytes - first) == 0;
}

static bool compare_runs(struct error *error) {
  for (size_t i = 0; i < self.wishes.count; i++) {
    const struct wish *wish = &self.wishes.items[i];
    struct reply reply;
    if (!run(wish, &reply, error)) return false;
    if (!are_same(wish->trace, reply.trace.record)) tell_difference(i, wish->trace, reply.trace.record);
  }
  return true;
}

/* One after the other, so that the program finds the same descriptors. */
static bool compare(const struct executor_settings *settings, uint64_t runs, struct error *error) {
  for (int i = 0; i < 2; i++) {
    setenv("HEDDLE_CHECKPOINTS", settings_of[i], 1);
    self.executor = executor_create(settings, error);
    if (!self.executor || !(i ? compare_runs(error) : make_runs(runs, error))) return false;
    executor_destroy(self.executor);
  }
  return true;
}

int main(int argc, char **argv) {
  struct error error = {0};
  if (argc < 3) return fputs("usage: compare-checkpoints RUNS EXECUTABLE [SEED [ARGUMENT...]]\n", stderr), 2;
  self.random = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  const char *arguments[16] = {argv[2]};
  for (int i = 4; i < argc && i < 18; i++) arguments[i - 3] = argv[i];
  const struct executor_settings settings = {.executable = argv[2],
                                             .arguments = arguments,
                                             .options = RUN_RACES_WARN,
                                             .max_events = 2000,
                                             .max_terms = 10000,
                                             .hang_seconds = 5,
                                             .output = -1};
  if (!compare(&settings, strtoull(argv[1], NULL, 10), &error))
    return fprintf(stderr, "compare-checkpoints: %s\n", error.message), 2;
  printf("runs %zu differences %llu\n", self.wishes.count, (unsigned long long)self.differences);
  return self.differences != 0;
}
