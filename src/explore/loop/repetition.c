/* SPDX-License-Identifier: MIT */
#include "explore/loop/repetition.h"

#include "explore/executor/knowledge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_OUTPUT_BYTES (1 << 20)

/* A file in memory that cannot grow: a program may print without end. */
static int open_output(void) {
  const int file = memfd_create("heddle-output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, MAX_OUTPUT_BYTES) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0) return file;
  close(file);
  return -1;
}

/* The program's descriptor is a copy of ours: where it stands is how much was printed. */
static void read_output(struct text *output, int file) {
  char buffer[4096];
  size_t left = (size_t)lseek(file, 0, SEEK_CUR);
  ssize_t count;
  lseek(file, 0, SEEK_SET);
  while (left > 0 && (count = read(file, buffer, left < sizeof buffer ? left : sizeof buffer)) > 0) {
    text_append_bytes(output, buffer, (size_t)count);
    left -= (size_t)count;
  }
}

static void keep_trace(struct finding *finding, const struct trace_view *view) {
  free(finding->record);
  finding->record = trace_copy(view);
  BUG_ON(!trace_open(&finding->trace, finding->record, finding->record->size_bytes));
}

static struct plan plan_of(const struct finding *finding, uint32_t flags) {
  const uint32_t random_inputs = finding->random_inputs ? PLAN_RANDOM_INPUTS : 0;
  return (struct plan){.flags = flags | random_inputs | PLAN_OUTPUT | PLAN_PUBLISH_ALL,
                       .seed = finding->seed,
                       .runs = 1,
                       .policy = finding->policy,
                       .priority_changes = finding->priority_changes,
                       .expected_steps = finding->expected_steps};
}

void finding_submit(const struct finding *finding, struct executor *executor, uint32_t flags) {
  knowledge_copy_threads(executor_knowledge(executor), finding->knowledge);
  knowledge_copy_shared(executor_knowledge(executor), finding->knowledge);
  const struct plan plan = plan_of(finding, flags);
  executor_submit(executor, &plan, finding->schedule.items, finding->schedule.count, finding->inputs.items,
                  finding->inputs.count);
}

static void submit(struct lane *lane, const struct finding *finding) {
  knowledge_copy_threads(lane_knowledge(lane), finding->knowledge);
  knowledge_copy_shared(lane_knowledge(lane), finding->knowledge);
  const struct plan plan = plan_of(finding, PLAN_BLOCKS);
  lane_submit(lane, &plan, finding->schedule.items, finding->schedule.count, finding->inputs.items,
              finding->inputs.count);
}

bool repetition_start(struct repetition *repetition, struct pool *pool, const struct executor_settings *settings,
                      const struct finding *finding, struct error *error) {
  struct executor_settings with_output = *settings;
  repetition->output = with_output.output = open_output();
  if (with_output.output < 0) return error_set_errno(error, "cannot keep the program's output");
  repetition->lane = lane_open(pool, &with_output, error);
  if (!repetition->lane) {
    close(with_output.output);
    return false;
  }
  submit(repetition->lane, finding);
  return true;
}

/* All of its output is there when the process has ended. */
void repetition_finish(struct repetition *repetition, struct finding *finding, const struct reply *reply) {
  keep_trace(finding, &reply->trace);
  knowledge_copy_threads(finding->knowledge, lane_knowledge(repetition->lane)); /* and those that are new */
  lane_close(repetition->lane);
  repetition->lane = NULL;
  text_clear(&finding->output);
  read_output(&finding->output, repetition->output);
  close(repetition->output);
}

void repetition_abandon(struct repetition *repetition) {
  if (!repetition->lane) return;
  lane_close(repetition->lane);
  repetition->lane = NULL;
  close(repetition->output);
}

static bool repeat_in(struct pool *pool, struct finding *finding, const struct executor_settings *settings,
                      struct error *error) {
  struct repetition repetition = {0};
  struct reply reply;
  if (!repetition_start(&repetition, pool, settings, finding, error)) return false;
  const bool answered = lane_finish_plan(repetition.lane, &reply, error);
  if (answered)
    repetition_finish(&repetition, finding, &reply);
  else
    repetition_abandon(&repetition);
  return answered;
}

bool finding_repeat(struct finding *finding, const struct executor_settings *settings, struct error *error) {
  struct pool *pool = pool_create(1);
  const bool repeated = repeat_in(pool, finding, settings, error);
  pool_destroy(pool);
  return repeated;
}
