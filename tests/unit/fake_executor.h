/* SPDX-License-Identifier: MIT
 *
 * An executor without a process, in place of src/explore/executor/executor.c: a test's function says how each run goes.
 */
#ifndef HEDDLE_TESTS_FAKE_EXECUTOR_H
#define HEDDLE_TESTS_FAKE_EXECUTOR_H

#include "unit.h"

#include "explore/executor/executor.h"
#include "explore/executor/knowledge.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PLANS 4096

/* A run that is asked for. */
struct fake_run {
  const struct plan *plan;
  unsigned executor; /* 0 the first one: the exploration's own; the others repeat failing runs */
  unsigned attempt;  /* at this plan, from 0 */
  struct knowledge *knowledge;
};

/* How it goes: FINISHED after all steps of the plan unless the test's function says otherwise. */
struct fake_answer {
  enum outcome outcome;
  uint64_t seed; /* that the trace says */
  int32_t status;
  site_id site;
  uint32_t flags, n_steps, switches;
  bool damaged, cannot_run;
  bool not_yet; /* no answer now: it will be asked for again */
};

static void (*fake_script)(const struct fake_run *run, struct fake_answer *answer);
static unsigned fake_executors;
static struct step fake_steps[16]; /* of the plan submitted last */

struct executor {
  struct plan *plans[MOST_PLANS];
  unsigned attempts[MOST_PLANS];
  uint64_t first, end;
  unsigned number;
  struct trace record;
  struct knowledge *knowledge;
};

struct executor *executor_create(const struct executor_settings *settings, struct error *error) {
  struct executor *executor = memory_allocate(sizeof *executor);
  executor->knowledge = memory_allocate(sizeof *executor->knowledge);
  executor->number = fake_executors++;
  return executor;
}

void executor_destroy(struct executor *executor) {
  for (uint64_t i = 0; i < executor->end; i++) free(executor->plans[i]);
  free(executor->knowledge);
  free(executor);
}

void executor_submit(struct executor *executor, const struct plan *plan, const struct step *steps, size_t n_steps,
                     const struct input_value *inputs, size_t n_inputs) {
  assert_true(executor->end < MOST_PLANS);
  const size_t inputs_at = sizeof *plan + plan_steps_bytes((uint32_t)n_steps);
  const size_t size_bytes = inputs_at + n_inputs * sizeof *inputs;
  struct plan *copy = memory_allocate(size_bytes);
  *copy = *plan;
  copy->size_bytes = (uint32_t)size_bytes;
  copy->ticket = executor->end;
  copy->n_steps = (uint32_t)n_steps;
  copy->n_inputs = (uint32_t)n_inputs;
  if (n_steps > 0) memcpy((struct step *)plan_steps(copy), steps, n_steps * sizeof *steps);
  if (n_inputs > 0) memcpy((char *)copy + inputs_at, inputs, n_inputs * sizeof *inputs);
  executor->plans[executor->end++] = copy;
  for (size_t i = 0; i < n_steps && i < sizeof fake_steps / sizeof *fake_steps; i++) fake_steps[i] = steps[i];
}

void executor_add_sleepers(struct executor *executor, const struct event *sleepers, size_t count) {}

size_t executor_in_flight(const struct executor *executor) {
  return executor->end - executor->first;
}

enum reception executor_receive(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                                struct error *error) {
  if (executor->first == executor->end) return RECEPTION_NOTHING;
  const struct plan *plan = executor->plans[executor->first];
  const struct fake_run run = {plan, executor->number, executor->attempts[executor->first], executor->knowledge};
  struct fake_answer answer = {.outcome = OUTCOME_FINISHED, .seed = plan->seed, .n_steps = plan->n_steps};
  fake_script(&run, &answer);
  if (answer.not_yet) return RECEPTION_NOTHING;
  executor->attempts[executor->first]++;
  if (answer.cannot_run) {
    error_set(error, "it cannot be run");
    return RECEPTION_FAILED;
  }
  executor->record = (struct trace){.size_bytes = sizeof executor->record,
                                    .form = RECORD_TRACE,
                                    .flags = answer.flags | TRACE_PLAN_DONE,
                                    .ticket = plan->ticket,
                                    .seed = answer.seed,
                                    .outcome = answer.outcome,
                                    .status = answer.status,
                                    .site = answer.site,
                                    .n_steps = answer.n_steps,
                                    .plan_steps = answer.n_steps,
                                    .switches = answer.switches,
                                    .n_threads = 1};
  *reply = (struct reply){.plan = plan, .plan_done = true, .damaged = answer.damaged};
  assert_true(trace_open(&reply->trace, &executor->record, sizeof executor->record));
  executor->first++;
  return RECEPTION_REPLY;
}

bool executor_finish_plan(struct executor *executor, struct reply *reply, struct error *error) {
  return executor_receive(executor, 0, reply, error) == RECEPTION_REPLY;
}

void executor_repeat(struct executor *executor) {
  assert_true(executor->first > 0);
  executor->first--;
}

void executor_hold(struct executor *executor, uint64_t ticket) {}

bool executor_is_held(const struct executor *executor) {
  return false;
}

void executor_drop_plans(struct executor *executor) {
  executor->first = executor->end;
}

void executor_keep_journal(struct executor *executor, struct journal *journal) {}

void executor_save(struct executor *executor) {}

bool executor_wants_state(const struct executor *executor) {
  return false;
}

void executor_save_state(struct executor *executor, const struct text *state) {}

void executor_write_known(const struct executor *executor, struct text *state) {}

bool executor_read_known(struct executor *executor, uint64_t ticket, struct written *state) {
  return false;
}

const struct plan *executor_plan_at(struct executor *executor, uint64_t ticket) {
  return executor->plans[ticket];
}

void executor_skip_conditional(struct executor *executor) {
  while (executor->first < executor->end && executor->plans[executor->first]->flags & PLAN_CONDITIONAL)
    executor->first++;
}

bool executor_is_alive(const struct executor *executor) {
  return true;
}

void executor_end_process(struct executor *executor) {}

uint64_t executor_peak_rss_kb(const struct executor *executor) {
  return 0;
}

struct knowledge *executor_knowledge(struct executor *executor) {
  return executor->knowledge;
}

const uint8_t *executor_coverage(struct executor *executor) {
  static const uint8_t nothing[1];
  return nothing;
}

struct observations *executor_observations(struct executor *executor) {
  static struct observations nothing;
  return &nothing;
}

void executor_load_knowledge(struct executor *executor) {}

/* The engine's knowledge and that of a process are one here. */
bool executor_is_damaged(struct executor *executor) {
  return !knowledge_is_sound(executor->knowledge);
}

enum isolation executor_isolation(const struct executor *executor) {
  return ISOLATION_RESET;
}

bool executor_debug(struct executor *executor, const char *const *command, int *status, struct error *error) {
  return false;
}

#endif
