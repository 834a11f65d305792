/* SPDX-License-Identifier: MIT
 *
 * Delta debugging over the schedule, and then over the inputs. A schedule is a sequence of blocks, each some steps of
 * one thread. Candidates:
 *
 *     serialise   the blocks of a chunk are sorted by thread: ABABAB becomes AAABBB or BBBAAA. Chunks are the whole
 *                 schedule first, then halves, quarters, ... down to pairs
 *     cut         only the first blocks are kept; after them the run continues by itself
 *     move        one block is moved to the block before it, or after it, that is of the same thread
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

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 20000000ull /* some two seconds */
#define NEW_PROCESS_STEPS 20000u
#define RUN_STEPS 500u
#define MOST_INPUT_RUNS 300u /* that make inputs simpler */
#define ORDERS 3             /* that a chunk is serialised in */

struct piece {
  size_t start, count; /* steps of the schedule */
  thread_id thread;
};

/* What the next candidates change, in this order. */
enum stage { STAGE_CUT_ALL, STAGE_SERIALISE, STAGE_PIECES, STAGE_CUT, STAGE_ZEROS, STAGE_BITS, STAGE_OVER };

struct minimiser {
  const struct finding *finding;
  struct schedule best, candidate;
  input_values inputs, candidate_inputs;
  uint32_t best_switches, best_steps;
  VECTOR(struct piece) pieces; /* of `best` */
  uint64_t steps_left;
  uint32_t runs_left;
  enum stage stage;
  size_t chunk;     /* how many blocks, or inputs, are changed at once */
  size_t place;     /* the first block, or input, that is changed */
  unsigned variant; /* of the change there */
  bool improved;    /* by a candidate of this round through the blocks */
  bool simpler_inputs;
};

/* --- the best run so far --- */

static void cut_into_pieces(struct minimiser *self) {
  self->pieces.count = 0;
  for (size_t i = 0; i < self->best.count; i++) {
    const thread_id thread = self->best.items[i].thread;
    if (self->pieces.count == 0 || self->pieces.items[self->pieces.count - 1].thread != thread)
      vector_push(&self->pieces, ((struct piece){i, 0, thread}));
    self->pieces.items[self->pieces.count - 1].count++;
  }
}

static void adopt(struct minimiser *self, const struct trace_view *trace) {
  self->best.count = 0;
  finding_append_schedule(&self->best, trace);
  self->best_switches = trace->record->switches;
  self->best_steps = trace->record->n_steps;
  cut_into_pieces(self);
}

static bool is_simpler(const struct minimiser *self, const struct trace *trace) {
  if (trace->switches != self->best_switches) return trace->switches < self->best_switches;
  return trace->n_steps < self->best_steps;
}

static bool is_no_worse(const struct minimiser *self, const struct trace *trace) {
  return trace->switches <= self->best_switches && trace->n_steps <= self->best_steps;
}

static void start_stage(struct minimiser *self, enum stage stage) {
  self->stage = stage;
  self->place = 0;
  self->variant = 0;
}

/* --- candidates: blocks --- */

static void append_pieces(struct minimiser *self, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    schedule_append(&self->candidate, self->best.items + self->pieces.items[i].start, self->pieces.items[i].count);
}

static void append_thread(struct minimiser *self, size_t from, size_t to, thread_id thread) {
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
static void order_of_chunk(const struct minimiser *self, size_t from, size_t to, thread_order *order) {
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

/* Those at the chunk's borders come beside their like. */
static void fit_to_borders(const struct minimiser *self, size_t from, size_t to, thread_order *order) {
  if (to < self->pieces.count) {
    reverse(order);
    move_to_front(order, self->pieces.items[to].thread);
    reverse(order);
  }
  if (from > 0) move_to_front(order, self->pieces.items[from - 1].thread);
}

/* Variants: as they come; fit to the borders; the other way round. */
static void serialise(struct minimiser *self, size_t from, size_t to) {
  thread_order order = {0};
  order_of_chunk(self, from, to, &order);
  if (self->variant == 1) fit_to_borders(self, from, to, &order);
  if (self->variant == 2) reverse(&order);
  append_pieces(self, 0, from);
  for (size_t i = 0; i < order.count; i++) append_thread(self, from, to, order.items[i]);
  append_pieces(self, to, self->pieces.count);
  vector_free(&order);
}

static size_t end_of_chunk(const struct minimiser *self, size_t count) {
  return self->place + self->chunk < count ? self->place + self->chunk : count;
}

static bool propose_serialised(struct minimiser *self) {
  for (; self->chunk >= 2; self->chunk /= 2, self->place = 0) {
    if (self->place + 1 >= self->pieces.count) continue;
    serialise(self, self->place, end_of_chunk(self, self->pieces.count));
    return true;
  }
  start_stage(self, STAGE_PIECES);
  return false;
}

static bool move_back(struct minimiser *self, size_t piece) {
  size_t before = piece;
  while (before > 0 && self->pieces.items[before - 1].thread != self->pieces.items[piece].thread) before--;
  if (before == 0) return false;
  append_pieces(self, 0, before);
  append_pieces(self, piece, piece + 1);
  append_pieces(self, before, piece);
  append_pieces(self, piece + 1, self->pieces.count);
  return true;
}

static bool move_ahead(struct minimiser *self, size_t piece) {
  size_t after = piece + 1;
  while (after < self->pieces.count && self->pieces.items[after].thread != self->pieces.items[piece].thread) after++;
  if (after == self->pieces.count) return false;
  append_pieces(self, 0, piece);
  append_pieces(self, piece + 1, after);
  append_pieces(self, piece, piece + 1);
  append_pieces(self, after, self->pieces.count);
  return true;
}

static bool drop(struct minimiser *self, size_t piece) {
  append_pieces(self, 0, piece);
  append_pieces(self, piece + 1, self->pieces.count);
  return true;
}

static bool (*const changes[])(struct minimiser *self, size_t piece) = {move_back, move_ahead, drop};
#define CHANGES (sizeof changes / sizeof *changes)

static bool propose_changed_piece(struct minimiser *self) {
  for (; self->place < self->pieces.count; self->place++, self->variant = 0)
    for (; self->variant < CHANGES; self->variant++)
      if (changes[self->variant](self, self->place)) return true;
  start_stage(self, STAGE_CUT);
  self->place = self->pieces.count;
  return false;
}

static void start_round(struct minimiser *self) {
  start_stage(self, STAGE_SERIALISE);
  self->improved = false;
  self->chunk = self->pieces.count;
}

static void start_inputs(struct minimiser *self) {
  start_stage(self, STAGE_ZEROS);
  if (self->runs_left > MOST_INPUT_RUNS) self->runs_left = MOST_INPUT_RUNS;
  self->chunk = self->inputs.count;
}

/* The shortest beginning comes last. Rounds continue until one improves nothing. */
static bool propose_cut(struct minimiser *self) {
  while (self->place-- > 0) {
    if (self->place >= self->pieces.count) continue;
    append_pieces(self, 0, self->place);
    return true;
  }
  if (self->improved)
    start_round(self);
  else
    start_inputs(self);
  return false;
}

/* --- candidates: inputs --- */

static void copy_inputs(input_values *to, const input_values *from) {
  to->count = 0;
  for (size_t i = 0; i < from->count; i++) vector_push(to, from->items[i]);
}

/* The inputs of a chunk are 0. */
static bool propose_zeros(struct minimiser *self) {
  for (; self->chunk >= 1; self->chunk /= 2, self->place = 0) {
    if (self->place >= self->inputs.count) continue;
    const size_t to = end_of_chunk(self, self->inputs.count);
    self->candidate_inputs.count = 0;
    for (size_t i = 0; i < self->inputs.count; i++)
      if (i < self->place || i >= to) vector_push(&self->candidate_inputs, self->inputs.items[i]);
    return true;
  }
  start_stage(self, STAGE_BITS);
  return false;
}

/* Only the lowest bits of an input are left: 1, 2, 4, ... of them. */
static bool shorten(struct minimiser *self, size_t i, unsigned bits) {
  const uint64_t kept = self->inputs.items[i].value[0] & ((1ull << bits) - 1);
  if (kept == 0 || (kept == self->inputs.items[i].value[0] && self->inputs.items[i].value[1] == 0)) return false;
  copy_inputs(&self->candidate_inputs, &self->inputs);
  self->candidate_inputs.items[i].value[0] = kept;
  self->candidate_inputs.items[i].value[1] = 0;
  return true;
}

static bool propose_shorter(struct minimiser *self) {
  for (; self->place < self->inputs.count; self->place++, self->variant = 0)
    for (; 1u << self->variant < 64; self->variant++)
      if (shorten(self, self->place, 1u << self->variant)) return true;
  start_stage(self, STAGE_OVER);
  return false;
}

/* --- the search --- */

static bool is_about_inputs(const struct minimiser *self) {
  return self->stage == STAGE_ZEROS || self->stage == STAGE_BITS;
}

/* False: the stage has no candidate left, and another one has begun. */
static bool propose(struct minimiser *self) {
  self->candidate.count = 0;
  copy_inputs(&self->candidate_inputs, &self->inputs);
  switch (self->stage) {
  case STAGE_CUT_ALL: return true;
  case STAGE_SERIALISE: return propose_serialised(self);
  case STAGE_PIECES: return propose_changed_piece(self);
  case STAGE_CUT: return propose_cut(self);
  case STAGE_ZEROS: return propose_zeros(self);
  case STAGE_BITS: return propose_shorter(self);
  case STAGE_OVER: break;
  }
  return false;
}

bool minimiser_next(struct minimiser *self, struct candidate *candidate) {
  while (self->stage != STAGE_OVER && self->runs_left > 0 && self->steps_left > 0) {
    if (!propose(self)) continue;
    if (is_about_inputs(self)) schedule_append(&self->candidate, self->best.items, self->best.count);
    *candidate = (struct candidate){&self->candidate, &self->candidate_inputs};
    self->runs_left--;
    return true;
  }
  return false;
}

/* A chunk or a block that was improved is tried again from the first variant on. */
static void go_on(struct minimiser *self, bool good) {
  self->improved |= good;
  switch (self->stage) {
  case STAGE_CUT_ALL:
    if (good)
      start_inputs(self);
    else
      start_round(self);
    break;
  case STAGE_SERIALISE:
    self->variant = good ? 0 : (self->variant + 1) % ORDERS;
    if (!good && self->variant == 0) self->place += self->chunk;
    break;
  case STAGE_PIECES: self->variant = good ? 0 : self->variant + 1; break;
  case STAGE_ZEROS: self->place += good ? 0 : self->chunk; break;
  case STAGE_BITS:
    self->variant = good ? 0 : self->variant + 1;
    self->place += good;
    break;
  case STAGE_CUT:
  case STAGE_OVER: break;
  }
}

static void spend(struct minimiser *self, uint64_t steps) {
  self->steps_left -= steps < self->steps_left ? steps : self->steps_left;
}

void minimiser_absorb(struct minimiser *self, const struct trace_view *view) {
  const struct trace *trace = view->record;
  const bool is_input = is_about_inputs(self);
  spend(self, trace->n_steps + (trace->flags & TRACE_EXECUTOR_ENDS ? NEW_PROCESS_STEPS : RUN_STEPS));
  if (trace->outcome == OUTCOME_COMPUTES || trace->outcome == OUTCOME_VANISHED) self->runs_left = 0;
  const bool good =
      finding_same_bug(view, &self->finding->trace) && (is_input ? is_no_worse(self, trace) : is_simpler(self, trace));
  if (good) adopt(self, view);
  if (good && is_input) copy_inputs(&self->inputs, &self->candidate_inputs);
  self->simpler_inputs |= good && is_input;
  go_on(self, good);
}

void minimiser_count_new_process(struct minimiser *self) {
  spend(self, NEW_PROCESS_STEPS);
}

/* --- the finding --- */

static bool is_worth_it(const struct finding *finding) {
  const uint32_t outcome = finding->record->outcome;
  return (finding->record->switches > 0 || finding->inputs.count > 0) && outcome != OUTCOME_VANISHED;
}

struct minimiser *minimiser_create(const struct finding *finding, uint32_t max_runs) {
  struct minimiser *self = memory_allocate(sizeof *self);
  self->finding = finding;
  self->best_switches = finding->record->switches;
  self->best_steps = finding->record->n_steps;
  self->runs_left = is_worth_it(finding) ? max_runs : 0;
  self->steps_left = MOST_STEPS;
  schedule_append(&self->best, finding->schedule.items, finding->schedule.count);
  copy_inputs(&self->inputs, &finding->inputs);
  cut_into_pieces(self);
  if (self->best_switches == 0) start_inputs(self);
  return self;
}

void minimiser_destroy(struct minimiser *self) {
  if (!self) return;
  vector_free(&self->best);
  vector_free(&self->inputs);
  vector_free(&self->candidate_inputs);
  vector_free(&self->candidate);
  vector_free(&self->pieces);
  free(self);
}

bool minimiser_best(const struct minimiser *self, struct candidate *best, uint32_t *steps) {
  const struct trace *found = self->finding->record;
  *best = (struct candidate){&self->best, &self->inputs};
  *steps = self->best_steps;
  return self->simpler_inputs || self->best_switches < found->switches || self->best_steps < found->n_steps;
}
