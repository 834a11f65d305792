/* SPDX-License-Identifier: MIT
 *
 * Delta debugging over the schedule, and then over the inputs. A schedule is a sequence of blocks, each some steps of
 * one thread. Candidates:
 *
 *     serialise   the blocks of a chunk are sorted by thread: ABABAB becomes AAABBB or BBBAAA. Chunks are the whole
 *                 schedule first, then halves, quarters, ... down to pairs
 *     cut         only the first blocks are kept; after them the run goes on by itself
 *     move        one block is moved to the block before it, or behind it, that is of the same thread
 *     drop        one block is left out
 *
 * Every candidate is run. Its plan is lenient (a step of a thread that cannot move is left out), because a run in
 * another order reads other values and does other things; then it continues without switches. If it shows the same bug
 * with fewer switches, or with as many and fewer steps, what it really did becomes the schedule.
 *
 * Inputs are set to 0, all of them, then by halves, quarters, ... down to single ones; what remains is made smaller by
 * leaving out its high bits. Such a candidate must show the same bug with no more switches and steps.
 *
 * The search is bounded by runs and by steps performed, not by the clock, so that the same finding gives the same
 * result. Only when the time of the whole exploration is over it ends with what it has.
 */
#include "explore/loop/minimise.h"

#include "explore/executor/knowledge.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 20000000ull /* some two seconds */
#define NEW_PROCESS_STEPS 20000u
#define RUN_STEPS 500u
#define HANG_SECONDS 2
#define MOST_INPUT_RUNS 300u /* that make inputs simpler */

struct piece {
  size_t start, count; /* steps of the schedule */
  thread_id thread;
};

struct search {
  struct executor *executor;
  struct finding *finding;
  struct schedule best, candidate;
  input_values inputs, candidate_inputs;
  uint32_t best_switches, best_steps;
  VECTOR(struct piece) pieces; /* of `best` */
  uint64_t steps_left;
  uint32_t runs_left;
  bool simpler_inputs;
};

/* --- trying --- */

static void cut_into_pieces(struct search *self) {
  self->pieces.count = 0;
  for (size_t i = 0; i < self->best.count; i++) {
    const thread_id thread = self->best.items[i].thread;
    if (self->pieces.count == 0 || self->pieces.items[self->pieces.count - 1].thread != thread)
      vector_push(&self->pieces, ((struct piece){i, 0, thread}));
    self->pieces.items[self->pieces.count - 1].count++;
  }
}

static void spend(struct search *self, uint64_t steps) {
  self->steps_left -= steps < self->steps_left ? steps : self->steps_left;
}

/* Every run must start from what the finding's own started from: a schedule means something only with that. */
static void forget_what_was_learned(struct search *self) {
  struct knowledge *knowledge = executor_knowledge(self->executor);
  if (knowledge_same_shared(knowledge, self->finding->knowledge)) return;
  executor_end_process(self->executor);
  knowledge_copy_shared(knowledge, self->finding->knowledge);
  spend(self, NEW_PROCESS_STEPS);
}

static bool is_simpler(const struct search *self, const struct trace *trace) {
  if (trace->switches != self->best_switches) return trace->switches < self->best_switches;
  return trace->n_steps < self->best_steps;
}

static void adopt(struct search *self, const struct reply *reply) {
  self->best.count = 0;
  finding_append_schedule(&self->best, &reply->trace);
  self->best_switches = reply->trace.record->switches;
  self->best_steps = reply->trace.record->n_steps;
  cut_into_pieces(self);
}

static bool can_try(const struct search *self) {
  return self->runs_left > 0 && self->steps_left > 0;
}

static bool is_no_worse(const struct search *self, const struct trace *trace) {
  return trace->switches <= self->best_switches && trace->n_steps <= self->best_steps;
}

/* Runs a schedule with inputs; true if it shows the bug and is good enough: then it is the best now. */
static bool try_run(struct search *self, const struct schedule *schedule, const input_values *inputs,
                    bool (*is_good)(const struct search *self, const struct trace *trace)) {
  if (!can_try(self)) return false;
  const uint32_t random_inputs = self->finding->random_inputs ? PLAN_RANDOM_INPUTS : 0;
  const struct plan plan = {
      .flags = PLAN_LENIENT | random_inputs, .seed = self->finding->seed, .runs = 1, .policy = POLICY_CONTINUE};
  struct reply reply;
  executor_submit(self->executor, &plan, schedule->items, schedule->count, inputs->items, inputs->count);
  self->runs_left--;
  if (!executor_finish_plan(self->executor, &reply, NULL)) {
    self->runs_left = 0;
    return false;
  }
  const struct trace *trace = reply.trace.record;
  spend(self, trace->n_steps + (trace->flags & TRACE_EXECUTOR_ENDS ? NEW_PROCESS_STEPS : RUN_STEPS));
  if (trace->outcome == OUTCOME_COMPUTES || trace->outcome == OUTCOME_VANISHED) self->runs_left = 0;
  const bool good = finding_same_bug(&reply.trace, &self->finding->trace) && is_good(self, trace);
  if (good) adopt(self, &reply);
  forget_what_was_learned(self);
  return good;
}

/* Runs the candidate; true if it is the best now. */
static bool try_candidate(struct search *self) {
  return try_run(self, &self->candidate, &self->inputs, is_simpler);
}

/* --- candidates --- */

static void append_pieces(struct search *self, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    schedule_append(&self->candidate, self->best.items + self->pieces.items[i].start, self->pieces.items[i].count);
}

static void append_thread(struct search *self, size_t from, size_t to, thread_id thread) {
  for (size_t i = from; i < to; i++)
    if (self->pieces.items[i].thread == thread) append_pieces(self, i, i + 1);
}

typedef VECTOR(thread_id) thread_order;

static void move_to_front(thread_order *order, thread_id thread) {
  for (size_t i = 0; i < order->count; i++) {
    if (order->items[i] != thread) continue;
    memmove(order->items + 1, order->items, i * sizeof *order->items);
    order->items[0] = thread;
    return;
  }
}

/* Threads in the order in which they first move in the chunk. */
static void order_of_chunk(const struct search *self, size_t from, size_t to, thread_order *order) {
  order->count = 0;
  for (size_t i = from; i < to; i++) {
    size_t known = 0;
    while (known < order->count && order->items[known] != self->pieces.items[i].thread) known++;
    if (known == order->count) vector_push(order, self->pieces.items[i].thread);
  }
}

static void reverse(thread_order *order) {
  for (size_t i = 0, j = order->count; i + 1 < j; i++) {
    const thread_id thread = order->items[i];
    order->items[i] = order->items[--j];
    order->items[j] = thread;
  }
}

static bool try_order(struct search *self, size_t from, size_t to, const thread_order *order) {
  self->candidate.count = 0;
  append_pieces(self, 0, from);
  for (size_t i = 0; i < order->count; i++) append_thread(self, from, to, order->items[i]);
  append_pieces(self, to, self->pieces.count);
  return try_candidate(self);
}

/* As they come; with those at the chunk's borders beside their like; the other way round. */
static bool serialise(struct search *self, size_t from, size_t to) {
  thread_order order = {0};
  order_of_chunk(self, from, to, &order);
  bool done = try_order(self, from, to, &order);
  if (!done) {
    if (to < self->pieces.count) {
      reverse(&order);
      move_to_front(&order, self->pieces.items[to].thread);
      reverse(&order);
    }
    if (from > 0) move_to_front(&order, self->pieces.items[from - 1].thread);
    done = try_order(self, from, to, &order);
  }
  if (!done) {
    order_of_chunk(self, from, to, &order);
    reverse(&order);
    done = try_order(self, from, to, &order);
  }
  vector_free(&order);
  return done;
}

static bool serialise_chunks(struct search *self, size_t chunk) {
  bool improved = false;
  for (size_t from = 0; from + 1 < self->pieces.count && can_try(self);) {
    const size_t to = from + chunk < self->pieces.count ? from + chunk : self->pieces.count;
    if (serialise(self, from, to))
      improved = true;
    else
      from += chunk;
  }
  return improved;
}

static bool cut(struct search *self, size_t kept) {
  self->candidate.count = 0;
  append_pieces(self, 0, kept);
  return try_candidate(self);
}

static bool drop(struct search *self, size_t piece) {
  self->candidate.count = 0;
  append_pieces(self, 0, piece);
  append_pieces(self, piece + 1, self->pieces.count);
  return try_candidate(self);
}

static bool move_back(struct search *self, size_t piece) {
  size_t before = piece;
  while (before > 0 && self->pieces.items[before - 1].thread != self->pieces.items[piece].thread) before--;
  if (before == 0) return false;
  self->candidate.count = 0;
  append_pieces(self, 0, before);
  append_pieces(self, piece, piece + 1);
  append_pieces(self, before, piece);
  append_pieces(self, piece + 1, self->pieces.count);
  return try_candidate(self);
}

static bool move_ahead(struct search *self, size_t piece) {
  size_t behind = piece + 1;
  while (behind < self->pieces.count && self->pieces.items[behind].thread != self->pieces.items[piece].thread) behind++;
  if (behind == self->pieces.count) return false;
  self->candidate.count = 0;
  append_pieces(self, 0, piece);
  append_pieces(self, piece + 1, behind);
  append_pieces(self, piece, piece + 1);
  append_pieces(self, behind, self->pieces.count);
  return try_candidate(self);
}

static bool cut_anywhere(struct search *self) {
  bool improved = false;
  for (size_t i = self->pieces.count; i-- > 0 && can_try(self);)
    if (i < self->pieces.count && cut(self, i)) improved = true;
  return improved;
}

static bool change_single_pieces(struct search *self) {
  bool improved = false;
  for (size_t i = 0; i < self->pieces.count && can_try(self); i++)
    while (i < self->pieces.count && (move_back(self, i) || move_ahead(self, i) || drop(self, i))) improved = true;
  return improved;
}

/* Until nothing helps any more. */
static void search(struct search *self) {
  if (cut(self, 0)) return;
  bool improved = true;
  while (improved && can_try(self)) {
    improved = false;
    for (size_t chunk = self->pieces.count; chunk >= 2; chunk /= 2) improved |= serialise_chunks(self, chunk);
    improved |= change_single_pieces(self);
    improved |= cut_anywhere(self);
  }
}

/* --- inputs --- */

static bool is_zero(const struct input_value *item) {
  return item->value[0] == 0 && item->value[1] == 0;
}

/* Without the inputs that became 0. */
static void drop_zeros(input_values *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (!is_zero(&list->items[i])) list->items[kept++] = list->items[i];
  list->count = kept;
}

static void copy_inputs(input_values *to, const input_values *from) {
  to->count = 0;
  for (size_t i = 0; i < from->count; i++) vector_push(to, from->items[i]);
}

static bool try_inputs(struct search *self) {
  drop_zeros(&self->candidate_inputs);
  self->candidate.count = 0;
  schedule_append(&self->candidate, self->best.items, self->best.count);
  if (!try_run(self, &self->candidate, &self->candidate_inputs, is_no_worse)) return false;
  copy_inputs(&self->inputs, &self->candidate_inputs);
  self->simpler_inputs = true;
  return true;
}

/* The inputs of a chunk are 0. */
static bool try_zeros(struct search *self, size_t from, size_t to) {
  self->candidate_inputs.count = 0;
  for (size_t i = 0; i < self->inputs.count; i++)
    if (i < from || i >= to) vector_push(&self->candidate_inputs, self->inputs.items[i]);
  return try_inputs(self);
}

static void zero_chunks(struct search *self, size_t chunk) {
  for (size_t from = 0; from < self->inputs.count && can_try(self);) {
    const size_t to = from + chunk < self->inputs.count ? from + chunk : self->inputs.count;
    if (!try_zeros(self, from, to)) from += chunk;
  }
}

/* Only the lowest `bits` bits of an input are left. */
static bool try_fewer_bits(struct search *self, size_t i, unsigned bits) {
  const uint64_t kept = self->inputs.items[i].value[0] & ((1ull << bits) - 1);
  if (kept == 0 || (kept == self->inputs.items[i].value[0] && self->inputs.items[i].value[1] == 0)) return false;
  copy_inputs(&self->candidate_inputs, &self->inputs);
  self->candidate_inputs.items[i].value[0] = kept;
  self->candidate_inputs.items[i].value[1] = 0;
  return try_inputs(self);
}

static void shorten(struct search *self, size_t i) {
  for (unsigned bits = 1; bits < 64; bits *= 2)
    if (try_fewer_bits(self, i, bits)) return;
}

static void simplify_inputs(struct search *self) {
  if (self->runs_left > MOST_INPUT_RUNS) self->runs_left = MOST_INPUT_RUNS;
  for (size_t chunk = self->inputs.count; chunk >= 1; chunk /= 2) zero_chunks(self, chunk);
  for (size_t i = 0; i < self->inputs.count && can_try(self); i++) shorten(self, i);
}

/* --- the finding --- */

/* The simplest run is repeated like the first one; should it not fail again, everything stays as it was. */
static void replace_run(struct finding *finding, struct search *search, const struct executor_settings *settings) {
  struct finding simpler = *finding;
  simpler.schedule = search->best;
  simpler.inputs = search->inputs;
  simpler.policy = POLICY_CONTINUE;
  simpler.record = NULL;
  simpler.output = (struct text){0};
  const bool repeated = finding_repeat(&simpler, settings, NULL);
  if (!repeated || !finding_same_bug(&simpler.trace, &finding->trace) ||
      simpler.record->n_steps != search->best_steps) {
    free(simpler.record);
    text_free(&simpler.output);
    return;
  }
  struct finding old = *finding;
  *finding = simpler;
  search->best = old.schedule;
  search->inputs = old.inputs;
  free(old.record);
  text_free(&old.output);
}

static bool is_worth_it(const struct finding *finding) {
  const uint32_t outcome = finding->record->outcome;
  return (finding->record->switches > 0 || finding->inputs.count > 0) && outcome != OUTCOME_VANISHED;
}

void finding_minimise(struct finding *finding, const struct executor_settings *settings, uint32_t max_runs) {
  finding->found_steps = finding->record->n_steps;
  finding->found_switches = finding->record->switches;
  if (max_runs == 0 || !is_worth_it(finding)) return;
  struct executor_settings quick = *settings;
  const uint32_t long_enough = 2 * finding->found_steps + 1000;
  if (quick.max_events > long_enough) quick.max_events = long_enough;
  quick.hang_seconds = quick.hang_seconds < HANG_SECONDS ? quick.hang_seconds : HANG_SECONDS;
  struct search self = {.executor = executor_create(&quick, NULL),
                        .finding = finding,
                        .best_switches = finding->found_switches,
                        .best_steps = finding->found_steps,
                        .runs_left = max_runs,
                        .steps_left = MOST_STEPS};
  if (!self.executor) return;
  knowledge_copy_threads(executor_knowledge(self.executor), finding->knowledge);
  knowledge_copy_shared(executor_knowledge(self.executor), finding->knowledge);
  schedule_append(&self.best, finding->schedule.items, finding->schedule.count);
  copy_inputs(&self.inputs, &finding->inputs);
  cut_into_pieces(&self);
  if (self.best_switches > 0) search(&self);
  simplify_inputs(&self);
  executor_destroy(self.executor);
  if (self.simpler_inputs || self.best_switches < finding->found_switches || self.best_steps < finding->found_steps)
    replace_run(finding, &self, settings);
  vector_free(&self.best);
  vector_free(&self.inputs);
  vector_free(&self.candidate_inputs);
  vector_free(&self.candidate);
  vector_free(&self.pieces);
}
