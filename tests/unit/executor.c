/* SPDX-License-Identifier: MIT
 *
 * src/explore/executor/executor.c against make-believe processes, in place of src/explore/executor/process.c: they read
 * plans and write traces as the runtime does, die when a test says so, and change what they should not. Whatever they
 * do, every plan has one answer, in order, and nothing that was run is run again.
 */
#include "unit.h"

#include "explore/executor/executor.h"
#include "explore/executor/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_PLANS 64

/* --- make-believe processes --- */

static struct {
  void (*act)(void); /* what the process does when it has time to */
  int starts;        /* how many processes there were */
  bool alive;
  bool was_loud; /* the last run */
  int status;    /* of the last that ended, as waitpid says */
  struct channel *channel;
  uint64_t channel_bytes, read, written, knowledge_offset;
  unsigned performed[MOST_PLANS]; /* by ticket */
} fake;

static void map_channel(int file) {
  if (fake.channel) munmap(fake.channel, fake.channel_bytes);
  fake.channel_bytes = (uint64_t)lseek(file, 0, SEEK_END);
  fake.channel = mmap(NULL, fake.channel_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert_true(fake.channel != MAP_FAILED);
}

bool process_start(const struct process_settings *settings, pid_t *pid, struct error *error) {
  map_channel(settings->channel);
  fake.knowledge_offset = fake.channel->knowledge_offset;
  fake.read = fake.written = 0;
  fake.was_loud = false;
  fake.alive = true;
  *pid = ++fake.starts;
  return true;
}

bool process_has_ended(pid_t pid, struct process_end *end) {
  assert_int_equal(pid, fake.starts);
  if (fake.alive) fake.act();
  *end = (struct process_end){.status = fake.status};
  return !fake.alive;
}

bool process_wait(pid_t pid, int milliseconds, struct process_end *end) {
  *end = process_await(pid);
  return true;
}

void process_signal_group(pid_t pid, int signal) {}

struct process_end process_await(pid_t pid) {
  fake.alive = false;
  return (struct process_end){0};
}

struct process_end process_kill(pid_t pid) {
  return process_await(pid);
}

static void die(int status) {
  fake.alive = false;
  fake.status = status;
}

/* The next plan in the ring, NULL none: whole, and with the sum that a runtime looks at. */
static const struct plan *take_next_plan(void) {
  const struct channel *channel = fake.channel;
  while (fake.read < atomic_load(&channel->plans.written)) {
    const char *ring = (const char *)channel + channel->plan_ring_offset;
    const struct plan *plan = (const struct plan *)(ring + fake.read % channel->plan_ring_bytes);
    fake.read += plan->size_bytes & ~RING_SKIP;
    atomic_store(&fake.channel->plans.read, fake.read);
    if (plan->size_bytes & RING_SKIP) continue;
    assert_true(plan->check == record_check(plan, plan->size_bytes, channel->generation));
    assert_true(plan_is_sound(plan, plan->size_bytes));
    assert_true(plan->ticket < MOST_PLANS);
    return plan;
  }
  return NULL;
}

/* What depends on a run that was not quiet is passed over, as a runtime does. */
static const struct plan *take_plan(void) {
  const struct plan *plan = take_next_plan();
  while (plan && plan->flags & PLAN_CONDITIONAL && fake.was_loud) plan = take_next_plan();
  if (plan) fake.performed[plan->ticket]++;
  return plan;
}

static struct process_knowledge *knowledge_of_process(void) {
  return channel_at(fake.channel, fake.knowledge_offset);
}

/* Writes a trace without events; *record is where it lies. */
static struct trace *write_trace(const struct plan *plan, uint32_t run, enum outcome outcome, uint32_t flags) {
  struct channel *channel = fake.channel;
  struct trace *record = (struct trace *)((char *)channel + channel->trace_ring_offset + fake.written);
  *record = (struct trace){.size_bytes = sizeof *record,
                           .form = RECORD_TRACE,
                           .flags = flags,
                           .ticket = plan->ticket,
                           .version = knowledge_of_process()->known.version,
                           .seal = knowledge_of_process()->known.seal,
                           .seed = plan->seed + run,
                           .run = run,
                           .outcome = outcome,
                           .n_threads = 1};
  fake.was_loud = !trace_is_quiet(record);
  record->check = record_check(record, record->size_bytes, channel->generation);
  fake.written += record->size_bytes;
  return record;
}

static void publish(void) {
  atomic_store(&fake.channel->traces.written, fake.written);
}

static void answer(const struct plan *plan) {
  write_trace(plan, 0, OUTCOME_FINISHED, TRACE_PLAN_DONE);
  publish();
}

static void answer_all(void) {
  for (const struct plan *plan; (plan = take_plan());) answer(plan);
}

/* --- the tests' side --- */

static struct executor *executor;

static int set_up(void **state) {
  static const char *const arguments[] = {"program", NULL};
  const struct executor_settings settings = {.executable = "program",
                                             .arguments = arguments,
                                             .max_events = 100,
                                             .hang_seconds = 1000,
                                             .coverage_bytes = 8,
                                             .output = -1};
  struct error error;
  memset(&fake, 0, sizeof fake);
  fake.act = answer_all;
  executor = executor_create(&settings, &error);
  return executor ? 0 : -1;
}

static int tear_down(void **state) {
  executor_destroy(executor);
  if (fake.channel) munmap(fake.channel, fake.channel_bytes);
  return 0;
}

static void submit(unsigned count) {
  const struct plan plan = {.runs = 1};
  for (unsigned i = 0; i < count; i++) executor_submit(executor, &plan, NULL, 0, NULL, 0);
}

static struct reply receive(void) {
  struct reply reply;
  struct error error = {0};
  for (;;) {
    const enum reception reception = executor_receive(executor, 1000, &reply, &error);
    if (reception == RECEPTION_FAILED) fail_msg("%s", error.message);
    if (reception == RECEPTION_REPLY) return reply;
    assert_true(executor_in_flight(executor) > 0);
  }
}

/* The next answer is for this plan. */
static struct reply expect(uint64_t ticket, enum outcome outcome) {
  const struct reply reply = receive();
  assert_int_equal(reply.plan->ticket, ticket);
  assert_int_equal(reply.trace.record->ticket, ticket);
  assert_int_equal(reply.trace.record->outcome, outcome);
  return reply;
}

static void expect_performed_once(unsigned count) {
  for (unsigned i = 0; i < count; i++) assert_int_equal(fake.performed[i], 1);
}

static void answers_come_in_order(void **state) {
  submit(5);
  for (unsigned i = 0; i < 5; i++) {
    const struct reply reply = expect(i, OUTCOME_FINISHED);
    assert_true(reply.plan_done && !reply.damaged);
  }
  assert_int_equal(executor_in_flight(executor), 0);
  assert_int_equal(fake.starts, 1);
  expect_performed_once(5);
}

static void answer_three_runs(void) {
  const struct plan *plan = take_plan();
  if (!plan) return;
  for (uint32_t run = 0; run < 3; run++) write_trace(plan, run, OUTCOME_FINISHED, 0);
  publish();
}

static void a_plan_has_as_many_traces_as_runs(void **state) {
  const struct plan plan = {.runs = 3, .flags = PLAN_PUBLISH_ALL, .seed = 7};
  fake.act = answer_three_runs;
  executor_submit(executor, &plan, NULL, 0, NULL, 0);
  for (uint32_t run = 0; run < 3; run++) {
    const struct reply reply = expect(0, OUTCOME_FINISHED);
    assert_int_equal(reply.trace.record->run, run);
    assert_int_equal(reply.trace.record->seed, 7 + run);
    assert_int_equal(reply.plan_done, run == 2);
  }
}

static void die_in_second_run(void) {
  if (fake.starts > 1) {
    answer_all();
    return;
  }
  answer(take_plan());
  fake.channel->ticket = take_plan()->ticket;
  atomic_store(&fake.channel->running, 1);
  die(SIGKILL);
}

static void a_process_that_dies_costs_one_run(void **state) {
  submit(4);
  fake.act = die_in_second_run;
  expect(0, OUTCOME_FINISHED);
  const struct reply lost = expect(1, OUTCOME_VANISHED);
  assert_int_equal(lost.trace.record->status, SIGKILL);
  assert_true(lost.plan_done && !lost.damaged);
  expect(2, OUTCOME_FINISHED);
  expect(3, OUTCOME_FINISHED);
  assert_int_equal(fake.starts, 2);
  expect_performed_once(4);
}

static void a_lost_run_can_be_repeated(void **state) {
  submit(3);
  fake.act = die_in_second_run;
  expect(0, OUTCOME_FINISHED);
  expect(1, OUTCOME_VANISHED);
  executor_repeat(executor);
  expect(1, OUTCOME_FINISHED);
  expect(2, OUTCOME_FINISHED);
  assert_int_equal(fake.performed[1], 2);
  assert_int_equal(fake.performed[2], 1);
}

static void answer_three_and_die(void) {
  if (fake.starts > 1) {
    answer_all();
    return;
  }
  for (unsigned i = 0; i < 3; i++) answer(take_plan());
  die(SIGKILL);
}

static void what_a_dead_process_has_run_is_not_run_again(void **state) {
  submit(5);
  fake.act = answer_three_and_die;
  for (unsigned i = 0; i < 5; i++) expect(i, OUTCOME_FINISHED);
  assert_int_equal(fake.starts, 2);
  expect_performed_once(5);
}

static void end_at_once(void) {
  die(125 << 8);
}

static void a_program_that_never_runs_is_an_error(void **state) {
  struct reply reply;
  struct error error = {0};
  submit(1);
  fake.act = end_at_once;
  enum reception reception;
  while ((reception = executor_receive(executor, 100, &reply, &error)) == RECEPTION_NOTHING) continue;
  assert_int_equal(reception, RECEPTION_FAILED);
  assert_non_null(strstr(error.message, "program exited with status 125 before main"));
  assert_int_equal(fake.starts, 3);
}

/* --- damage --- */

static size_t changed_byte;

static void answer_changed(void) {
  const struct plan *plan = take_plan();
  if (!plan) return;
  struct trace *record = write_trace(plan, 0, OUTCOME_FINISHED, TRACE_PLAN_DONE);
  if (fake.starts % 2 == 1) ((unsigned char *)record)[changed_byte] ^= 1u << changed_byte % 8;
  publish();
}

/* The first process changes a byte of its answer, the second one does not. */
static void every_byte_of_a_trace_counts(void **state) {
  fake.act = answer_changed;
  for (changed_byte = 0; changed_byte < sizeof(struct trace); changed_byte++) {
    memset(fake.performed, 0, sizeof fake.performed);
    submit(2);
    const struct reply damaged = receive();
    assert_true(damaged.damaged);
    assert_int_equal(damaged.trace.record->outcome, OUTCOME_VANISHED);
    executor_repeat(executor);
    const struct reply repeated = receive();
    assert_false(repeated.damaged);
    assert_int_equal(repeated.trace.record->outcome, OUTCOME_FINISHED);
    executor_drop_plans(executor);
    /* Tickets grow; the table of performed plans is short. */
    tear_down(state);
    const size_t byte = changed_byte;
    set_up(state);
    fake.act = answer_changed;
    changed_byte = byte;
  }
}

static void change_settings(void) {
  if (fake.starts == 1) ((unsigned char *)fake.channel)[changed_byte] ^= 1;
  answer_all();
}

static void changed_settings_are_seen(void **state) {
  for (changed_byte = 0; changed_byte < offsetof(struct channel, max_terms); changed_byte += 5) {
    if (changed_byte >= offsetof(struct channel, plan_ring_offset) &&
        changed_byte < offsetof(struct channel, isolation))
      continue; /* our process needs them itself */
    if (changed_byte >= offsetof(struct channel, generation) && changed_byte < offsetof(struct channel, size_bytes))
      continue;
    const size_t byte = changed_byte;
    fake.act = change_settings;
    submit(2);
    assert_true(receive().damaged);
    expect(1, OUTCOME_FINISHED);
    tear_down(state);
    set_up(state);
    changed_byte = byte;
  }
}

/* A record of an earlier process, right in every other way. */
static void answer_with_old_generation(void) {
  const struct plan *plan = take_plan();
  if (!plan) return;
  struct trace *record = write_trace(plan, 0, OUTCOME_FINISHED, TRACE_PLAN_DONE);
  if (fake.starts == 1) record->check = record_check(record, record->size_bytes, fake.channel->generation - 1);
  publish();
}

static void a_record_of_another_process_is_none(void **state) {
  fake.act = answer_with_old_generation;
  submit(2);
  assert_true(receive().damaged);
  expect(1, OUTCOME_FINISHED);
}

/* A trace that says that a byte is covered. */
static void cover(void) {
  const struct plan *plan = take_plan();
  if (!plan) return;
  struct trace *record = write_trace(plan, 0, OUTCOME_FINISHED, TRACE_PLAN_DONE);
  const uint32_t covered[2] = {changed_byte, 0};
  memcpy(record + 1, covered, sizeof covered);
  record->adds.n_covered = fake.starts == 1 ? 1 : 0;
  record->size_bytes += sizeof covered;
  record->check = record_check(record, record->size_bytes, fake.channel->generation);
  fake.written += sizeof covered;
  publish();
}

static void what_traces_cover_is_covered(void **state) {
  fake.act = cover;
  changed_byte = 3;
  submit(1);
  expect(0, OUTCOME_FINISHED);
  assert_int_equal(executor_coverage(executor)[3], 1);
  assert_int_equal(executor_coverage(executor)[5], 0);
  changed_byte = 8; /* one more than there are */
  submit(1);
  assert_true(receive().damaged);
}

static void coverage_is_one_or_nothing(void **state) {
  submit(1);
  expect(0, OUTCOME_FINISHED);
  assert_false(executor_is_damaged(executor));
  ((unsigned char *)fake.channel)[fake.channel->coverage_offset + 5] = 4;
  assert_true(executor_is_damaged(executor));
}

static void change_what_the_process_knows(void) {
  knowledge_of_process()->known.threads[0].index ^= 1;
  answer_all();
}

static void changed_knowledge_is_seen(void **state) {
  fake.act = change_what_the_process_knows;
  submit(1);
  expect(0, OUTCOME_FINISHED);
  assert_true(executor_is_damaged(executor));
  executor_end_process(executor);
  executor_load_knowledge(executor);
  assert_false(executor_is_damaged(executor));
}

/* It knows something that the engine does not. */
static void answer_with_other_knowledge(void) {
  const struct plan *plan = take_plan();
  if (!plan) return;
  if (fake.starts == 1) knowledge_of_process()->known.seal++;
  write_trace(plan, 0, OUTCOME_FINISHED, TRACE_PLAN_DONE);
  publish();
}

static void a_trace_that_does_not_fit_is_no_answer(void **state) {
  fake.act = answer_with_other_knowledge;
  submit(2);
  assert_true(receive().damaged);
  expect(1, OUTCOME_FINISHED);
}

/* It names a thread, says so or not, and dies in its second run. */
static void name_and_die(void) {
  struct process_knowledge *process = knowledge_of_process();
  for (const struct plan *plan; (plan = take_plan());) {
    if (fake.starts > 1 || plan->ticket == 0) {
      answer(plan);
      continue;
    }
    process->known.threads[1] = (struct thread_name){0, 5};
    process->known.seal += sealed_thread(1, process->known.threads[1]);
    process->known.n_threads = 2;
    fake.channel->ticket = plan->ticket;
    fake.channel->running = 1;
    die(SIGKILL);
    return;
  }
}

static void what_a_lost_run_added_is_known(void **state) {
  fake.act = name_and_die;
  submit(3);
  expect(0, OUTCOME_FINISHED);
  expect(1, OUTCOME_VANISHED);
  assert_int_equal(executor_knowledge(executor)->n_threads, 2);
  assert_int_equal(executor_knowledge(executor)->threads[1].index, 5);
  expect(2, OUTCOME_FINISHED);
  assert_int_equal(knowledge_of_process()->known.n_threads, 2);
  assert_false(executor_is_damaged(executor));
}

/* --- other ways --- */

static void need_fork(void) {
  const struct plan *plan = take_plan();
  if (!plan) return;
  const bool forks = fake.channel->isolation == ISOLATION_FORK;
  write_trace(plan, 0, OUTCOME_FINISHED, TRACE_PLAN_DONE | (forks ? 0 : TRACE_NEEDS_FORK | TRACE_EXECUTOR_ENDS));
  publish();
}

static void a_run_that_needs_fork_is_repeated_so(void **state) {
  fake.act = need_fork;
  submit(1);
  const struct reply reply = expect(0, OUTCOME_FINISHED);
  assert_int_equal(reply.trace.record->flags & TRACE_NEEDS_FORK, 0);
  assert_int_equal(executor_isolation(executor), ISOLATION_FORK);
  assert_int_equal(fake.performed[0], 2);
}

static void submit_conditional(unsigned count) {
  const struct plan plan = {.runs = 1, .flags = PLAN_CONDITIONAL};
  for (unsigned i = 0; i < count; i++) executor_submit(executor, &plan, NULL, 0, NULL, 0);
}

static void fail_first(void) {
  for (const struct plan *plan; (plan = take_plan());) {
    write_trace(plan, 0, plan->ticket == 0 ? OUTCOME_ASSERTION : OUTCOME_FINISHED, TRACE_PLAN_DONE);
    publish();
  }
}

static void conditional_plans_are_skipped(void **state) {
  fake.act = fail_first;
  submit(1);
  submit_conditional(2);
  expect(0, OUTCOME_ASSERTION);
  executor_skip_conditional(executor);
  assert_int_equal(executor_in_flight(executor), 0);
  submit(1);
  submit_conditional(1);
  expect(3, OUTCOME_FINISHED);
  expect(4, OUTCOME_FINISHED);
  assert_int_equal(fake.performed[1] + fake.performed[2], 0);
  assert_int_equal(fake.starts, 1);
}

static void die_with_first(void) {
  if (fake.starts > 1) {
    answer_all();
    return;
  }
  fake.channel->ticket = take_plan()->ticket;
  atomic_store(&fake.channel->running, 1);
  die(SIGKILL);
}

static void conditional_plans_are_skipped_by_the_next_process(void **state) {
  fake.act = die_with_first;
  submit(1);
  submit_conditional(2);
  expect(0, OUTCOME_VANISHED);
  executor_skip_conditional(executor);
  submit(1);
  expect(3, OUTCOME_FINISHED);
  assert_int_equal(fake.performed[1] + fake.performed[2], 0);
}

/* A run that is lost is made again: then what depends on it is run. */
static void conditional_plans_follow_a_repetition(void **state) {
  fake.act = die_with_first;
  submit(1);
  submit_conditional(2);
  expect(0, OUTCOME_VANISHED);
  executor_repeat(executor);
  for (unsigned i = 0; i < 3; i++) expect(i, OUTCOME_FINISHED);
}

/* Whoever asked for them may not want them under another isolation. */
static void conditional_plans_wait_for_the_isolation(void **state) {
  fake.act = need_fork;
  submit(1);
  submit_conditional(2);
  expect(0, OUTCOME_FINISHED);
  assert_int_equal(executor_isolation(executor), ISOLATION_FORK);
  assert_int_equal(fake.performed[1], 0);
  executor_skip_conditional(executor);
  submit(1);
  expect(3, OUTCOME_FINISHED);
  assert_int_equal(fake.performed[1] + fake.performed[2], 0);
}

static void plans_that_were_dropped_have_no_answer(void **state) {
  submit(3);
  expect(0, OUTCOME_FINISHED);
  executor_drop_plans(executor);
  assert_int_equal(executor_in_flight(executor), 0);
  submit(1);
  expect(3, OUTCOME_FINISHED);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(answers_come_in_order),
      TEST(a_plan_has_as_many_traces_as_runs),
      TEST(a_process_that_dies_costs_one_run),
      TEST(a_lost_run_can_be_repeated),
      TEST(what_a_dead_process_has_run_is_not_run_again),
      TEST(a_program_that_never_runs_is_an_error),
      TEST(every_byte_of_a_trace_counts),
      TEST(changed_settings_are_seen),
      TEST(a_record_of_another_process_is_none),
      TEST(what_traces_cover_is_covered),
      TEST(coverage_is_one_or_nothing),
      TEST(changed_knowledge_is_seen),
      TEST(a_trace_that_does_not_fit_is_no_answer),
      TEST(what_a_lost_run_added_is_known),
      TEST(a_run_that_needs_fork_is_repeated_so),
      TEST(conditional_plans_are_skipped),
      TEST(conditional_plans_are_skipped_by_the_next_process),
      TEST(conditional_plans_follow_a_repetition),
      TEST(conditional_plans_wait_for_the_isolation),
      TEST(plans_that_were_dropped_have_no_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
