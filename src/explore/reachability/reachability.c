/* SPDX-License-Identifier: MIT
 *
 * Reachability testing (Lei and Carver, 2006): every partially ordered SYN-sequence of the program is exercised once,
 * without keeping the sequences that were. docs/algorithms/reachability.md has the table of symbols.
 *
 * A run shows a sequence. Its race table (syn.h) stands for its variants: what the run did up to a point, with
 * other partners for some receiving events. A run for a variant begins with the variant's steps and continues by
 * itself, except that receiving events without a partner do not take what is old; when only that could continue, the
 * run is partial. What it shows has variants of its own: of receiving events that are white, and where they are old,
 * with sending events that are new.
 *
 * Where a thread decided by its inputs, the other sides are other ways of a choice that the thread made; a variant that
 * takes one needs inputs, for which the solver is asked.
 *
 * The sequences whose variants are not all under way are a stack, the newest on top: its height is bounded by the depth
 * of the tree times the runs under way.
 */
#include "explore/strategy/strategy.h"

#include "base/error.h"
#include "explore/reachability/decision_choices.h"
#include "explore/reachability/reductions.h"
#include "explore/reachability/syn_run.h"
#include "explore/strategy/input_notes.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 64
#define MOST_ROWS 256 /* in vain, before the loop may look at the clock */

/* A sequence with variants left: the table's row is the next of them. */
struct frame {
  struct syn_run run;
  struct race_table table;
  struct decision_choices ways;
  struct values *values;
  struct trace *record; /* of the run, and what it was made for: only if the exploration is saved */
  struct syn_past past;
  struct frame *below;
};

/* A run under way. */
struct reachability_attempt {
  struct syn_past past;
  uint32_t n_steps;
  term_list wanted;                  /* sides that the run is to take */
  struct reachability_attempt *next; /* in the list of unused ones */
};

struct reachability {
  struct syn_objects *objects;
  struct inputs *inputs;
  struct reductions reductions;
  struct frame *top, *spare;
  uint64_t height;
  struct syn_variant variant;
  struct syn_plan plan;
  term_list constraints;
  struct input_notes notes;
  struct reachability_attempt attempts[WINDOW];
  struct reachability_attempt *unused;
  struct deadline *deadline;
  uint64_t seed, runs, events, blocked_runs;
  enum policy policy;
  bool started, hidden;
  bool is_saved;
};

/* ---- options ---- */

struct reachability_settings {
  struct order_settings order;
  struct reduction_settings reductions;
};

static void choose_label(const char *text, size_t length, struct reduction_settings *chosen) {
  char *label = memory_copy_bytes(text, length);
  chosen->order = true;
  chosen->label = label_hash(label);
  free(label);
}

/* Names with commas between them. */
static bool choose_reductions(const char *text, struct reduction_settings *chosen, struct error *error) {
  while (text && *text) {
    const size_t length = strcspn(text, ",");
    if (length == 2 && memcmp(text, "pv", 2) == 0)
      chosen->pv = true;
    else if (length == 8 && memcmp(text, "symmetry", 8) == 0)
      chosen->symmetry = true;
    else if (length > 6 && memcmp(text, "order=", 6) == 0)
      choose_label(text + 6, length - 6, chosen);
    else
      return option_refuse("reduce", text, length, error);
    text += length + (text[length] == ',');
  }
  return true;
}

static bool reachability_configure(void *own, const struct option_source *source, struct error *error) {
  struct reachability_settings *settings = own;
  return order_configure(&settings->order, source, error) &&
         choose_reductions(option_find(source, "reduce")->text, &settings->reductions, error);
}

static const char *const option_names[] = {"order", "reduce", NULL};

/* ---- life ---- */

static void put_back(struct reachability *self, struct reachability_attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *reachability_create(const struct strategy_settings *settings) {
  const struct reachability_settings *own = settings->own;
  struct reachability *self = memory_allocate(sizeof *self);
  BUG_ON(!settings->objects);
  self->objects = settings->objects;
  self->inputs = settings->inputs;
  if (own) self->reductions.settings = own->reductions;
  self->deadline = settings->deadline;
  self->seed = settings->seed;
  self->is_saved = settings->is_saved;
  self->policy = order_policy(own ? &own->order : NULL);
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  return self;
}

static void free_frame(struct frame *frame) {
  syn_run_free(&frame->run);
  race_table_free(&frame->table);
  choices_free(&frame->ways);
  values_release(frame->values);
  free(frame->record);
  syn_past_free(&frame->past);
  free(frame);
}

static void reachability_destroy(void *memory) {
  struct reachability *self = memory;
  for (struct frame *frame = self->top, *below; frame; frame = below) {
    below = frame->below;
    free_frame(frame);
  }
  for (struct frame *frame = self->spare, *below; frame; frame = below) {
    below = frame->below;
    free_frame(frame);
  }
  for (size_t i = 0; i < WINDOW; i++) {
    syn_past_free(&self->attempts[i].past);
    vector_free(&self->attempts[i].wanted);
  }
  reductions_free(&self->reductions);
  syn_variant_free(&self->variant);
  syn_plan_free(&self->plan);
  vector_free(&self->constraints);
  free(self);
}

/* ---- the stack ---- */

static struct frame *take_spare(struct reachability *self) {
  struct frame *frame = self->spare;
  if (!frame) return memory_allocate(sizeof *frame);
  self->spare = frame->below;
  return frame;
}

static void give_spare(struct reachability *self, struct frame *frame) {
  values_release(frame->values);
  free(frame->record);
  frame->values = NULL;
  frame->record = NULL;
  frame->below = self->spare;
  self->spare = frame;
}

static void pop(struct reachability *self) {
  struct frame *frame = self->top;
  self->top = frame->below;
  self->height--;
  give_spare(self, frame);
}

/* ---- yielding ---- */

/* The sides that the variant's threads took, and those they are to take instead. */
static void list_sides(struct reachability *self, const struct frame *frame, struct reachability_attempt *attempt) {
  self->constraints.count = attempt->wanted.count = 0;
  for (size_t i = 0; i < frame->run.decisions.count; i++) {
    const syn_id event = frame->run.decisions.items[i].event;
    if (!self->variant.in.items[event]) continue;
    const uint32_t way = self->variant.partner.items[event];
    const term_id side = choices_side(&frame->ways, frame->run.decisions.items[i].place, way);
    if (self->variant.is_changed.items[event])
      vector_push(&attempt->wanted, side);
    else
      vector_push(&self->constraints, side);
  }
}

/* Inputs with which the variant's threads decide as it says. NULL in *values: as in the sequence. */
static bool find_inputs(struct reachability *self, const struct frame *frame, struct reachability_attempt *attempt,
                        struct values **values) {
  attempt->wanted.count = 0;
  if (frame->run.decisions.count == 0) return true;
  list_sides(self, frame, attempt);
  if (attempt->wanted.count == 0) return true;
  term_id target = attempt->wanted.items[0];
  for (size_t i = 1; i < attempt->wanted.count; i++)
    target = term_make(inputs_terms(self->inputs), TERM_AND, target, attempt->wanted.items[i], 0);
  const enum answer answer =
      inputs_solve(self->inputs, self->constraints.items, self->constraints.count, target, frame->values, values);
  if (answer == ANSWER_UNKNOWN) self->notes.unsolved = true;
  return answer == ANSWER_SATISFIABLE;
}

static void copy_past(struct syn_past *to, const struct syn_past *from) {
  to->old.count = to->black.count = to->slots.count = 0;
  for (size_t i = 0; i < from->old.count; i++) vector_push(&to->old, from->old.items[i]);
  for (size_t i = 0; i < from->black.count; i++) vector_push(&to->black, from->black.items[i]);
  for (size_t i = 0; i < from->slots.count; i++) vector_push(&to->slots, from->slots.items[i]);
}

static void fill_target(struct reachability *self, struct target *target, struct reachability_attempt *attempt,
                        const struct values *values) {
  const struct syn_plan *plan = &self->plan;
  schedule_append(&target->prefix, plan->steps.items, plan->steps.count);
  for (size_t i = 0; i < plan->waits.count && i < MAX_SLEEPERS; i++)
    vector_push(&target->sleepers, plan->waits.items[i]);
  if (plan->waits.count > 0) target->plan.flags |= PLAN_WAITS;
  if (plan->may_stop) target->plan.flags |= PLAN_MAY_STOP;
  if (values) inputs_append_values(self->inputs, values, &target->inputs);
  attempt->n_steps = (uint32_t)plan->steps.count;
  copy_past(&attempt->past, &plan->past);
}

/* The variant of the row of the top frame, and on to the next row. False: there is no run for it. */
static bool take_row(struct reachability *self, struct reachability_attempt *attempt, struct target *target) {
  struct frame *frame = self->top;
  struct values *values = NULL;
  syn_variant_derive(&self->variant, &frame->run.syn, &frame->table);
  const bool is_possible = syn_plan_make(&self->plan, &frame->run, &self->variant, self->objects) &&
                           find_inputs(self, frame, attempt, &values);
  if (is_possible) fill_target(self, target, attempt, values ? values : frame->values);
  values_release(values);
  if (!race_table_next(&frame->table, &frame->run.syn)) pop(self);
  return is_possible;
}

static bool take_work(struct reachability *self, struct reachability_attempt *attempt, struct target *target) {
  if (!self->started) {
    self->started = true;
    attempt->n_steps = 0;
    attempt->past.old.count = attempt->past.black.count = attempt->past.slots.count = 0;
    return true;
  }
  for (int i = 0; i < MOST_ROWS && self->top && !deadline_is_over(self->deadline); i++)
    if (take_row(self, attempt, target)) return true;
  return false;
}

static bool reachability_next(void *memory, struct target *target) {
  struct reachability *self = memory;
  struct reachability_attempt *attempt = self->unused;
  BUG_ON(!attempt);
  if (!take_work(self, attempt, target)) return false;
  self->unused = attempt->next;
  target->plan.flags |= PLAN_LATE_END;
  target->plan.flags |= PLAN_OWN_DECISIONS; /* another thread that decides the same may do so in another sequence */
  if (self->reductions.settings.pv) target->plan.flags |= PLAN_TAKERS_LAST;
  target->plan.policy = self->policy;
  target->plan.seed = self->seed + self->runs++;
  target->plan.runs = 1;
  target->cookie = attempt;
  return true;
}

/* ---- absorbing ---- */

struct filter {
  struct reachability *self;
  const struct syn_run *run;
};

static bool is_wanted(void *context, const struct syn *syn, syn_id receive, uint32_t partner) {
  const struct filter *filter = context;
  return syn_run_is_possible(filter->run, receive, partner) &&
         !reductions_leave_out(&filter->self->reductions, filter->run, receive, partner);
}

/* The sequence of the run and its race table, before the first row. */
static void build_frame(struct reachability *self, struct frame *frame, const struct trace_view *trace,
                        const struct path *path, const struct syn_past *past, struct deadline *deadline) {
  if (path)
    choices_list(&frame->ways, self->inputs, trace, path, &self->notes);
  else
    choices_clear(&frame->ways);
  syn_run_build(&frame->run, self->objects, trace, path ? frame->ways.counts.items : NULL, past);
  reductions_read(&self->reductions, trace, &frame->run);
  struct filter filter = {self, &frame->run};
  frame->table.deadline = deadline;
  race_table_init(&frame->table, &frame->run.syn, is_wanted, &filter);
}

static void put_on_top(struct reachability *self, struct frame *frame) {
  frame->below = self->top;
  self->top = frame;
  self->height++;
}

static void push_frame(struct reachability *self, const struct reachability_attempt *attempt,
                       const struct trace_view *trace, const struct path *path) {
  struct frame *frame = take_spare(self);
  build_frame(self, frame, trace, path, &attempt->past, self->deadline);
  self->events += frame->run.ops.count;
  if (!race_table_next(&frame->table, &frame->run.syn)) {
    give_spare(self, frame);
    return;
  }
  frame->values = path ? values_hold(path->values) : NULL;
  if (self->is_saved) frame->record = trace_copy(trace);
  if (self->is_saved) copy_past(&frame->past, &attempt->past);
  put_on_top(self, frame);
}

/* Did the run take its plan's steps, and the sides that its inputs should have made it take? */
static bool followed(struct reachability *self, const struct reachability_attempt *attempt,
                     const struct trace_view *trace, const struct path *path) {
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return false;
  if (run_is_lost(self->inputs, trace, path)) {
    self->notes.lost = true;
    return false;
  }
  if (trace->record->n_steps < attempt->n_steps) return false;
  if (attempt->wanted.count == 0 || !path) return true;
  if (path_holds(path, self->inputs, attempt->wanted.items, attempt->wanted.count)) return true;
  self->notes.divergences++;
  return false;
}

/* Did a failure end the run although other threads could have gone on? Assertions and their like do not: the run ends
 * when the others have reached their end, and for those of them that fail as well there are other runs (looks.c). */
static bool hides_something(const struct trace_view *trace) {
  switch (trace->record->outcome) {
  case OUTCOME_DEADLOCK:
  case OUTCOME_LIVELOCK:
  case OUTCOME_EXIT:
  case OUTCOME_ASSERTION:
  case OUTCOME_ERROR_REACHED:
  case OUTCOME_ABORT: return false;
  default: return outcome_is_bug(trace->record->outcome) && trace->record->n_pending > 1;
  }
}

static void reachability_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                                uint64_t runs) {
  struct reachability *self = memory;
  struct reachability_attempt *attempt = cookie;
  self->blocked_runs += outcome_row(trace->record->outcome)->class == OUTCOME_IN_VAIN;
  self->hidden |= hides_something(trace);
  if (followed(self, attempt, trace, path)) push_frame(self, attempt, trace, path);
  put_back(self, attempt);
}

static void reachability_stats(const void *memory, struct strategy_stats *stats) {
  const struct reachability *self = memory;
  *stats = (struct strategy_stats){
      .events = self->events,
      .blocked_runs = self->blocked_runs,
      .left = self->started ? self->height : 1,
      .hidden = self->hidden,
  };
  notes_tell(&self->notes, stats);
}

/* ---- the written form: what a frame has follows from its run, what that was made for, and the row ---- */

static void write_numbers(const uint32_t *numbers, size_t count, struct text *state) {
  written_add_number(state, count);
  for (size_t i = 0; i < count; i++) written_add_number(state, numbers[i]);
}

static void write_past(const struct syn_past *past, struct text *state) {
  write_numbers(past->old.items, past->old.count, state);
  write_numbers(past->black.items, past->black.count, state);
  written_add_number(state, past->slots.count);
  written_add_bytes(state, past->slots.items, past->slots.count * sizeof *past->slots.items);
}

static void read_past(struct syn_past *past, struct written *state) {
  past->old.count = past->black.count = past->slots.count = 0;
  for (size_t n = written_take_count(state, 1); n > 0; n--)
    vector_push(&past->old, (uint32_t)written_take_below(state, UINT32_MAX));
  for (size_t n = written_take_count(state, 1); n > 0; n--)
    vector_push(&past->black, (uint32_t)written_take_below(state, UINT32_MAX));
  for (size_t n = written_take_count(state, sizeof(struct syn_slots)); n > 0; n--) {
    struct syn_slots slots;
    written_take_bytes(state, &slots, sizeof slots);
    vector_push(&past->slots, slots);
  }
}

static void write_frame(const struct frame *frame, struct text *state) {
  written_add_text(state, (const char *)frame->record, frame->record->size_bytes);
  write_past(&frame->past, state);
  written_add_number(state, frame->table.row.count);
  written_add_bytes(state, frame->table.row.items, frame->table.row.count * sizeof *frame->table.row.items);
}

static bool read_row(struct race_table *table, struct written *state) {
  if (written_take_number(state) != table->row.count) return written_refuse(state);
  written_take_bytes(state, table->row.items, table->row.count * sizeof *table->row.items);
  for (size_t i = 0; i < table->row.count; i++)
    if (table->row.items[i] < -1 || table->row.items[i] > (int32_t)table->columns.items[i].count)
      return written_refuse(state);
  return !state->failed;
}

/* A trace has a check of its own: its run is one that there was. */
static bool read_frame(struct reachability *self, struct written *state) {
  struct frame *frame = take_spare(self);
  struct trace_view trace;
  size_t size_bytes;
  put_on_top(self, frame);
  const char *bytes = written_take_text(state, &size_bytes);
  frame->record = memory_allocate(size_bytes + 1);
  memcpy(frame->record, bytes, size_bytes);
  read_past(&frame->past, state);
  if (state->failed || !trace_read(&trace, frame->record, size_bytes, NO_GENERATION)) return written_refuse(state);
  if (syn_objects_learn(self->objects, &trace)) return written_refuse(state);
  build_frame(self, frame, &trace, NULL, &frame->past, NULL); /* a part of it would not fit the row */
  frame->table.deadline = self->deadline;
  return read_row(&frame->table, state);
}

static void reachability_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state) {
  const struct reachability *self = memory;
  VECTOR(const struct frame *) frames = {0};
  for (const struct frame *frame = self->top; frame; frame = frame->below) vector_push(&frames, frame);
  written_add_number(state, frames.count);
  for (size_t i = frames.count; i-- > 0;) write_frame(frames.items[i], state);
  vector_free(&frames);
  for (size_t i = 0; i < n_cookies; i++) {
    const struct reachability_attempt *attempt = cookies[i];
    written_add_number(state, attempt->n_steps);
    write_past(&attempt->past, state);
  }
  written_add_number(state, self->runs);
  written_add_number(state, self->events);
  written_add_number(state, self->blocked_runs);
  written_add_number(state, self->started);
  written_add_number(state, self->hidden);
  notes_write(&self->notes, state);
}

static bool reachability_load(void *memory, struct written *state, void **cookies, size_t n_cookies) {
  struct reachability *self = memory;
  bool good = n_cookies <= WINDOW;
  for (size_t n = written_take_count(state, sizeof(struct trace)); good && n > 0; n--) good = read_frame(self, state);
  for (size_t i = 0; good && i < n_cookies; i++) {
    struct reachability_attempt *attempt = self->unused;
    self->unused = attempt->next;
    attempt->n_steps = (uint32_t)written_take_below(state, UINT32_MAX);
    read_past(&attempt->past, state);
    cookies[i] = attempt;
  }
  self->runs = written_take_number(state);
  self->events = written_take_number(state);
  self->blocked_runs = written_take_number(state);
  self->started = written_take_bool(state);
  self->hidden = written_take_bool(state);
  notes_read(&self->notes, state);
  return good && !state->failed;
}

const struct strategy strategy_reachability = {
    .name = "reachability",
    .spins = true,
    .help = "every partially ordered sequence of synchronisations once (reachability testing)",
    .explores_inputs = true,
    .needs_objects = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = option_names,
    .settings_bytes = sizeof(struct reachability_settings),
    .configure = reachability_configure,
    .create = reachability_create,
    .destroy = reachability_destroy,
    .next = reachability_next,
    .absorb = reachability_absorb,
    .stats = reachability_stats,
    .save = reachability_save,
    .load = reachability_load,
};
