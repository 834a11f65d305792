/* SPDX-License-Identifier: MIT
 *
 * Checkpoints: moments of a run from which later runs start, if their plans agree with all that led there. Memory comes
 * back by layers.c; what it leaves out is kept here: the stacks in use, and the events in the trace ring. The runtime's
 * own state comes back with its memory, but for what is about the process and not about the run (struct kept).
 *
 * A checkpoint is taken at the root, while all fibers stand still: the one that runs goes there and comes back, as it
 * will each time that a run starts from the checkpoint.
 *
 * A plan agrees with a checkpoint (agrees()) if it has the same steps so far, and the same inputs and seed where they
 * were asked for. What is known must be the same as well, by its seal: what is shared decides what a step is.
 *
 * Where they are taken, if the way there took long enough: before the first thread is created; before the first choice;
 * and between there and the last step of the plan, where its run parts from earlier ones: at half of the way, half of
 * what is left, and so on. When later plans part earlier and earlier, as in a depth-first search, a run repeats only a
 * small part of its way, and the number of checkpoints is logarithmic.
 *
 * Time decides only whether one is taken; a run from a checkpoint is the same as one from main.
 */
#include "checkpoint.h"
#include "choose.h"
#include "executor.h"
#include "fiber.h"
#include "layers.h"
#include "repetition.h"
#include "sharing.h"
#include "sleep.h"
#include "snapshot.h"
#include "terms.h"
#include "trace.h"

#include <sys/mman.h>

#define NOWHERE UINT32_MAX
#define KEPT_BYTES (256ull << 20)
#define MOST_BYTES (8ull << 20) /* of stacks, steps and events, for one checkpoint */
#define LEAST_TICKS 50000ull    /* of the processor's clock: what a way must cost */
#define TICKS_PER_PAGE 500ull   /* about what putting one back costs */
#define MOST_DOUBLINGS 24u
#define SLOW_WAYS 3u
#define QUICK_RUNS 15u

/* Plans may differ in these: the steps before a plan's last one do not depend on them. */
#define FLAGS_AT_THE_END                                                                                               \
  (PLAN_PUBLISH_ALL | PLAN_BLOCKS | PLAN_LENIENT | PLAN_TRY_LAST | PLAN_WAITS | PLAN_LATE_END | PLAN_MAY_STOP |        \
   PLAN_SOLO | PLAN_CONDITIONAL)
#define FLAGS_OF_INPUTS (PLAN_RANDOM_INPUTS | PLAN_SMALL_INPUTS | PLAN_OWN_DECISIONS)
/* What such a run adds to is not in its trace alone. */
#define FLAGS_WITHOUT (PLAN_OUTPUT | PLAN_SYMBOLIC_READS | PLAN_ACCESSES | PLAN_TOUCHES)

struct piece {
  char *memory, *saved;
  uint64_t size_bytes;
};

struct checkpoint {
  struct plan plan; /* of the run that took it, without what follows it */
  uint64_t seed, seal;
  uint64_t bytes_before, bytes_after; /* of what is kept, without this one and with it */
  uint32_t n_steps, n_threads, n_events, n_words_written, n_pieces;
  uint32_t planned; /* 1 + the place of the step being taken in the plan; 0 none */
  bool has_drawn;   /* a choice by the seed was made */
  bool has_inputs;  /* inputs were asked for */
  bool was_used;
  uint64_t ticks; /* what the way there took */
  uint32_t vector_control;
  uint16_t float_control;
  const struct step *steps;
  const struct input_value *inputs;
  const struct event *events;
  const struct piece *pieces;
};

/* How long it took to come where a checkpoint might be. */
struct ways {
  uint32_t n_slow; /* in a row */
  uint64_t least_ticks;
};

struct checkpoints {
  struct next_checkpoint next;
  bool is_off, is_always, is_wanted;
  bool has_drawn;        /* before this run started where it did */
  uint64_t first_random; /* the state of the generator there */
  uint32_t doublings;    /* of LEAST_TICKS: after checkpoints that were not worth it */
  uint64_t started_at, ticks_before, ticks_per_step;
  struct ways ways[2]; /* to the first choice, and to those that look_further() finds */
  bool is_further;
  bool has_taken; /* in this run: now it takes long because of the faults */
  uint32_t first_step;
  uint32_t n_quick; /* so many runs from main are not worth measuring */
  bool is_quick;    /* nor is this one */
  uint64_t used_bytes, uses;
  struct checkpoint stack[MAX_LAYERS];
  struct {
    uint64_t arena_high;
    uint32_t mapped_stack_bytes;
    bool mapped_arena;
  } threads[HEDDLE_MAX_THREADS];
};

#define the_checkpoints ((struct checkpoints *)the_next_checkpoint)
#define KEPT ((char *)the_checkpoints + (256ull << 20))

static uint64_t ticks_now(void) {
  return __builtin_ia32_rdtsc();
}

static uint32_t at_most(uint32_t count, uint32_t most) {
  return count < most ? count : most;
}

/* ---- starting and ending ---- */

void checkpoint_initialise(const char *setting) {
  const long at = system_call(SYS_mmap, the_checkpoints, (256ull << 20) + KEPT_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
  the_checkpoints->next.step = NOWHERE;
  const bool has_snapshot = rt->channel->isolation != ISOLATION_FORK && !rt->kernel_threads;
  const bool has_file = rt->channel->symbolic_stdin_bytes; /* how far it was read is the kernel's */
  const bool may_miss_faults = snapshot_has_libraries();
  the_checkpoints->is_off =
      !has_snapshot || has_file || may_miss_faults || (setting && strings_equal(setting, "never"));
  the_checkpoints->is_always = setting && strings_equal(setting, "always");
  layers_initialise();
}

void checkpoint_forget_all(void) {
  layers_forget();
  the_checkpoints->used_bytes = 0;
  the_checkpoints->next = (struct next_checkpoint){.step = NOWHERE};
}

void checkpoint_cannot_hold(void) {
  the_checkpoints->is_off = true;
  checkpoint_forget_all();
}

/* ---- which plans can start from one ---- */

static bool has_same_inputs(const struct checkpoint *checkpoint, const struct plan *plan) {
  return !((checkpoint->plan.flags ^ plan->flags) & FLAGS_OF_INPUTS) && checkpoint->plan.n_inputs == plan->n_inputs &&
         memcmp(checkpoint->inputs, plan_inputs(plan), plan->n_inputs * sizeof *checkpoint->inputs) == 0;
}

/* The events up to step `record_from` are left out of a trace: none of these is. */
static bool leaves_out_all(const struct plan *plan, uint32_t steps) {
  return plan->record_from && plan->record_from >= steps;
}

/* More of them can be left out later, not fewer. Decisions name events by their place. */
static bool has_events(const struct checkpoint *checkpoint, const struct plan *plan) {
  const uint32_t then = checkpoint->plan.record_from, now = plan->record_from, steps = checkpoint->n_steps;
  if (then == now || (leaves_out_all(&checkpoint->plan, steps) && leaves_out_all(plan, steps))) return true;
  return now > then && !checkpoint->has_inputs;
}

/* All steps were the plan's. Threads that it sets to sleep do so at its last step. */
static bool is_within(const struct plan *plan, uint32_t steps) {
  return plan->n_steps > steps || (plan->n_steps == steps && !plan->n_sleepers);
}

/* Some steps were the policy's. There was only one thread: nothing depends on the seed unless it was drawn from. */
static bool goes_on_alike(const struct checkpoint *checkpoint, const struct plan *plan) {
  const uint32_t shared_flags = ~(uint32_t)(PLAN_PUBLISH_ALL | PLAN_BLOCKS | PLAN_CONDITIONAL);
  return checkpoint->plan.n_steps == plan->n_steps && checkpoint->plan.policy == plan->policy &&
         !((checkpoint->plan.flags ^ plan->flags) & shared_flags) && checkpoint->plan.solo == plan->solo &&
         !checkpoint->plan.n_sleepers && !plan->n_sleepers;
}

static bool has_same_steps(const struct checkpoint *checkpoint, const struct plan *plan) {
  const uint32_t steps = checkpoint->n_steps, planned = at_most(plan->n_steps, steps);
  if (!(is_within(&checkpoint->plan, steps) && is_within(plan, steps)) && !goes_on_alike(checkpoint, plan))
    return false;
  return steps < plan->max_events && memcmp(checkpoint->steps, plan_steps(plan), planned * sizeof(struct step)) == 0;
}

/* Priorities are drawn when a thread is created; those of main alone are drawn anew. */
static bool depends_on_seed(const struct checkpoint *checkpoint, const struct plan *plan) {
  const bool has_priorities = plan->policy == POLICY_PRIORITY || checkpoint->plan.policy == POLICY_PRIORITY;
  return checkpoint->has_drawn || (checkpoint->has_inputs && plan->flags & PLAN_RANDOM_INPUTS) ||
         (has_priorities && (checkpoint->n_steps > 0 || checkpoint->n_threads > 1));
}

static bool agrees(const struct checkpoint *checkpoint, const struct plan *plan, uint32_t number) {
  const uint32_t lenient = rt->channel->options & RUN_SYMMETRY ? PLAN_LENIENT : 0; /* decides who could move: twins.c */
  const uint32_t flags = (FLAGS_AT_THE_END | FLAGS_OF_INPUTS) & ~lenient;
  if (sharing_is_newer(plan)) return false; /* its steps are not those of other runs */
  if (checkpoint->seal != rt->knowledge->seal || (checkpoint->plan.flags ^ plan->flags) & ~flags) return false;
  if (depends_on_seed(checkpoint, plan) &&
      (checkpoint->seed != plan->seed + number || checkpoint->plan.policy != plan->policy ||
       checkpoint->plan.priority_changes != plan->priority_changes ||
       checkpoint->plan.expected_steps != plan->expected_steps))
    return false;
  if (checkpoint->has_inputs && !has_same_inputs(checkpoint, plan)) return false;
  return has_events(checkpoint, plan) && has_same_steps(checkpoint, plan);
}

/* ---- where the next one is taken ---- */

static bool can_take_any(const struct plan *plan) {
  return !the_checkpoints->is_off && !(plan->flags & FLAGS_WITHOUT) && !rt->is_carrying && layers_count() < MAX_LAYERS;
}

/* What comes before the last step of a plan, and before what is recorded of its run, is common with others. */
static uint32_t end_of_common(const struct plan *plan) {
  const uint32_t parting = plan->n_steps ? plan->n_steps - 1 : 0;
  return plan->record_from ? at_most(plan->record_from, parting) : parting;
}

static uint64_t least_ticks(void) {
  return LEAST_TICKS << the_checkpoints->doublings;
}

/* What was reached now was not worth a checkpoint: at half of what is left it may be. */
static void look_further(const struct plan *plan) {
  const uint32_t end = end_of_common(plan), here = rt->n_steps, left = end > here ? end - here : 0;
  const bool is_far = left > 1 && left * the_checkpoints->ticks_per_step >= least_ticks();
  the_checkpoints->is_further = true;
  if (!can_take_any(plan))
    the_checkpoints->next = (struct next_checkpoint){.step = NOWHERE};
  else
    the_checkpoints->next.step = the_checkpoints->is_always ? here : is_far ? here + left / 2 : NOWHERE;
}

/* ---- taking one ---- */

static bool run_can_be_held(void) {
  return !rt->files_touched && !rt->needs_fork && rt->n_mappings == 0 && !rt->shared_grew && !rt->trial &&
         !rt->trial_wanted && !rt->has_parked && !rt->stepped && rt->late.outcome == OUTCOME_NONE &&
         rt->plan_position == at_most(rt->n_steps, rt->plan->n_steps) &&
         (rt->plan_position == rt->n_steps || rt->n_threads == 1);
}

/* A way may take long because the process had to wait, or because all was new to it: not several times in a row. */
static bool is_worth_it(void) {
  struct ways *ways = &the_checkpoints->ways[the_checkpoints->is_further];
  const uint64_t ticks = ticks_now() - the_checkpoints->started_at;
  if (!ways->n_slow || ticks < ways->least_ticks) ways->least_ticks = ticks;
  ways->n_slow = ticks >= least_ticks() ? ways->n_slow + 1 : 0;
  return the_checkpoints->is_always || ways->n_slow >= SLOW_WAYS;
}

void checkpoint_consider(void) {
  if (!is_worth_it() || !run_can_be_held()) {
    look_further(rt->plan);
    return;
  }
  the_checkpoints->is_wanted = true;
  fiber_visit_root();
}

bool checkpoint_is_wanted(void) {
  return the_checkpoints->is_wanted;
}

/* Room that is given back when the checkpoint is. NULL: there is none. */
static void *keep(const void *bytes, uint64_t size_bytes) {
  const uint64_t rounded = (size_bytes + 15) & ~15ull;
  if (rounded > MOST_BYTES || the_checkpoints->used_bytes + rounded > KEPT_BYTES) return NULL;
  void *kept = KEPT + the_checkpoints->used_bytes;
  the_checkpoints->used_bytes += rounded;
  if (bytes) memcpy(kept, bytes, size_bytes);
  return kept;
}

static bool has_stack(const struct thread *thread) {
  return thread == rt->current || (thread->state != ABSENT && thread->state != ENDED);
}

static bool keep_stacks(struct checkpoint *checkpoint) {
  struct piece *pieces = keep(NULL, (rt->highest_thread + 1) * sizeof *pieces);
  if (!pieces) return false;
  checkpoint->pieces = pieces;
  checkpoint->n_pieces = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (!has_stack(thread)) continue;
    const uint64_t size_bytes = thread->state_top - (uint64_t)thread->stack_pointer;
    char *saved = keep(thread->stack_pointer, size_bytes);
    if (!saved) return false;
    pieces[checkpoint->n_pieces++] = (struct piece){thread->stack_pointer, saved, size_bytes};
  }
  return true;
}

static bool has_drawn(void) {
  return the_checkpoints->has_drawn || rt->random_state != the_checkpoints->first_random;
}

static bool asked_for_inputs(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state != ABSENT && rt->threads[i].n_inputs) return true;
  return false;
}

static bool keep_all(struct checkpoint *checkpoint) {
  const struct plan *plan = rt->plan;
  const uint64_t steps_bytes = at_most(plan->n_steps, rt->n_steps) * sizeof(struct step);
  *checkpoint = (struct checkpoint){.plan = *plan,
                                    .seed = rt->seed,
                                    .seal = rt->knowledge->seal,
                                    .bytes_before = the_checkpoints->used_bytes,
                                    .n_steps = rt->n_steps,
                                    .n_threads = rt->n_threads,
                                    .n_events = rt->n_events,
                                    .n_words_written = rt->n_words_written,
                                    .planned = rt->planned ? (uint32_t)(rt->planned - plan_steps(plan)) + 1 : 0,
                                    .has_drawn = has_drawn(),
                                    .has_inputs = asked_for_inputs()};
  checkpoint->steps = keep(plan_steps(plan), steps_bytes);
  checkpoint->inputs = keep(plan_inputs(plan), plan->n_inputs * sizeof(struct input_value));
  checkpoint->events = keep(rt->events, rt->n_events * sizeof(struct event));
  return checkpoint->steps && checkpoint->inputs && checkpoint->events && keep_stacks(checkpoint);
}

/* On the way from here on. */
static void set_out(uint64_t ticks_before) {
  the_checkpoints->has_drawn = has_drawn();
  the_checkpoints->first_random = rt->random_state;
  the_checkpoints->ticks_before = ticks_before;
  the_checkpoints->started_at = ticks_now();
  the_checkpoints->first_step = rt->n_steps;
  the_checkpoints->is_further = the_checkpoints->has_taken = the_checkpoints->is_quick = false;
  const bool can_take = can_take_any(rt->plan);
  the_checkpoints->next = (struct next_checkpoint){can_take ? rt->n_steps : NOWHERE, can_take && rt->n_threads == 1};
}

void checkpoint_begin_run(void) {
  if (the_checkpoints->n_quick > 0) {
    the_checkpoints->n_quick--;
    the_checkpoints->is_quick = true;
    the_checkpoints->next = (struct next_checkpoint){.step = NOWHERE};
    return;
  }
  the_checkpoints->first_random = rt->random_state;
  the_checkpoints->has_drawn = false;
  set_out(0);
}

void checkpoint_take(void) {
  struct checkpoint *checkpoint = &the_checkpoints->stack[layers_count()];
  the_checkpoints->is_wanted = false;
  const bool is_kept = keep_all(checkpoint) && layers_push();
  if (!is_kept) {
    checkpoint_cannot_hold();
    return;
  }
  __asm__("stmxcsr %0" : "=m"(checkpoint->vector_control));
  __asm__("fnstcw %0" : "=m"(checkpoint->float_control));
  checkpoint->bytes_after = the_checkpoints->used_bytes;
  checkpoint->ticks = the_checkpoints->ticks_before + the_checkpoints->ways[the_checkpoints->is_further].least_ticks;
  set_out(checkpoint->ticks);
  the_checkpoints->has_taken = true;
  look_further(rt->plan);
}

/* ---- starting from one ---- */

/* What is about the process, not about the run, and stays as it is. */
struct kept {
  uint64_t total_steps, steps_at_tick; /* the heartbeat only grows */
  uint32_t computing_ticks, quiet_ticks;
  uint32_t vain_trial_at, n_vain_spins; /* what runs were made again for */
  site_id vain_spins[MAX_VAIN_SPINS];
  bool has_proved, was_loud;
  uint64_t plan_steps, plan_discarded, plan_rounds;
};

static void read_kept(struct kept *kept) {
  *kept = (struct kept){rt->total_steps,
                        rt->steps_at_tick,
                        rt->computing_ticks,
                        rt->quiet_ticks,
                        rt->vain_trial_at,
                        rt->n_vain_spins,
                        {0},
                        rt->has_proved,
                        rt->was_loud,
                        rt->plan_steps,
                        rt->plan_discarded,
                        rt->plan_rounds};
  memcpy(kept->vain_spins, rt->vain_spins, rt->n_vain_spins * sizeof *rt->vain_spins);
}

static void write_kept(const struct kept *kept) {
  rt->total_steps = kept->total_steps;
  rt->steps_at_tick = kept->steps_at_tick;
  rt->computing_ticks = kept->computing_ticks;
  rt->quiet_ticks = kept->quiet_ticks;
  rt->vain_trial_at = kept->vain_trial_at;
  rt->n_vain_spins = kept->n_vain_spins;
  memcpy(rt->vain_spins, kept->vain_spins, rt->n_vain_spins * sizeof *rt->vain_spins);
  rt->has_proved = kept->has_proved;
  rt->was_loud = kept->was_loud;
  rt->plan_steps = kept->plan_steps;
  rt->plan_discarded = kept->plan_discarded;
  rt->plan_rounds = kept->plan_rounds;
}

static uint32_t known_threads(void) {
  return atomic_load_explicit(&rt->knowledge->n_threads, memory_order_relaxed);
}

/* Mappings stay. */
static void read_mapped(void) {
  for (uint32_t i = 0; i < known_threads(); i++) {
    const struct thread *thread = &rt->threads[i];
    the_checkpoints->threads[i].arena_high = thread->arena_high;
    the_checkpoints->threads[i].mapped_stack_bytes = thread->mapped_stack_bytes;
    the_checkpoints->threads[i].mapped_arena = thread->mapped_arena;
  }
}

static void write_mapped(void) {
  for (uint32_t i = 0; i < known_threads(); i++) {
    struct thread *thread = &rt->threads[i];
    const bool is_same = thread->arena_high == the_checkpoints->threads[i].arena_high &&
                         thread->mapped_stack_bytes == the_checkpoints->threads[i].mapped_stack_bytes &&
                         thread->mapped_arena == the_checkpoints->threads[i].mapped_arena;
    if (is_same) continue;
    thread->arena_high = the_checkpoints->threads[i].arena_high;
    thread->mapped_stack_bytes = the_checkpoints->threads[i].mapped_stack_bytes;
    thread->mapped_arena = the_checkpoints->threads[i].mapped_arena;
  }
}

static void put_memory_back(uint32_t place) {
  const struct checkpoint *checkpoint = &the_checkpoints->stack[place];
  struct kept kept;
  read_kept(&kept);
  read_mapped();
  layers_restore(place);
  for (uint32_t i = 0; i < checkpoint->n_pieces; i++)
    memcpy(checkpoint->pieces[i].memory, checkpoint->pieces[i].saved, checkpoint->pieces[i].size_bytes);
  write_kept(&kept);
  write_mapped();
}

/* How many of the events are to be left out. Every step is one visible event. */
static uint32_t count_left_out(const struct checkpoint *checkpoint, const struct plan *plan) {
  uint32_t steps = plan->record_from - checkpoint->plan.record_from, count = 0;
  if (leaves_out_all(plan, checkpoint->n_steps)) return checkpoint->n_events;
  if (!steps) return 0;
  while (count < checkpoint->n_events && (steps || !(checkpoint->events[count].flags & EVENT_VISIBLE)))
    steps -= checkpoint->events[count++].flags & EVENT_VISIBLE;
  return count;
}

static uint32_t place_after(uint32_t place, uint32_t left_out) {
  return place > left_out ? place - left_out : 0;
}

static void put_events_back(const struct checkpoint *checkpoint, const struct plan *plan) {
  const uint32_t left_out = count_left_out(checkpoint, plan);
  trace_begin();
  rt->n_events = rt->channel->live_events = checkpoint->n_events - left_out;
  rt->n_words_written = checkpoint->n_words_written;
  memcpy(rt->events, checkpoint->events + left_out, rt->n_events * sizeof(struct event));
  for (uint32_t i = 0; i <= rt->highest_thread && left_out; i++) {
    struct thread *thread = &rt->threads[i];
    thread->valued_event = place_after(thread->valued_event, left_out);
    thread->join_event = place_after(thread->join_event, left_out);
  }
}

/* As if the run had begun with this plan. */
static void set_plan(const struct checkpoint *checkpoint, const struct plan *plan, uint32_t number) {
  const uint64_t random_state = rt->random_state;
  executor_name_run(plan, number);
  rt->planned = checkpoint->planned ? &plan_steps(plan)[checkpoint->planned - 1] : NULL;
  rt->plan_position = at_most(rt->n_steps, plan->n_steps);
  for (uint32_t i = 0; i <= rt->highest_thread && !checkpoint->has_inputs; i++)
    if (rt->threads[i].state != ABSENT) thread_seed_inputs(&rt->threads[i]);
  if (rt->n_threads == 1) thread_draw_priority(&rt->threads[0]);
  if (plan->policy == POLICY_PRIORITY) choose_priorities();
  if (checkpoint->has_drawn) rt->random_state = random_state;
  sleep_begin_run();
  rt->n_events_slept_through = rt->n_events;
}

static void start_from(uint32_t place, const struct plan *plan, uint32_t number) {
  struct checkpoint *checkpoint = &the_checkpoints->stack[place];
  put_memory_back(place);
  __asm__("ldmxcsr %0" : : "m"(checkpoint->vector_control));
  __asm__("fldcw %0" : : "m"(checkpoint->float_control));
  the_checkpoints->used_bytes = checkpoint->bytes_after;
  checkpoint->was_used = true;
  put_events_back(checkpoint, plan);
  set_plan(checkpoint, plan, number);
  the_checkpoints->first_random = rt->random_state;
  the_checkpoints->has_drawn = checkpoint->has_drawn;
  set_out(checkpoint->ticks);
}

/* ---- which one ---- */

static uint32_t count_agreeing(const struct plan *plan, uint32_t number) {
  uint32_t count = layers_count();
  if (plan->flags & FLAGS_WITHOUT) return 0;
  while (count > 0 && !agrees(&the_checkpoints->stack[count - 1], plan, number)) count--;
  return count;
}

/* To copy its memory takes less than the way to it. */
static bool is_cheap(uint32_t place) {
  const struct checkpoint *checkpoint = &the_checkpoints->stack[place];
  const uint64_t pages = layers_pages(place) + (checkpoint->bytes_after - checkpoint->bytes_before) / 4096;
  return the_checkpoints->is_always || pages * TICKS_PER_PAGE < checkpoint->ticks;
}

/* What was taken for nothing makes the next ones rarer, unless more is known meanwhile. */
static void judge_those_from(uint32_t first) {
  bool was_useless = false, was_used = false;
  for (uint32_t i = 0; i < layers_count(); i++) {
    const struct checkpoint *checkpoint = &the_checkpoints->stack[i];
    was_useless |= i >= first && !checkpoint->was_used && checkpoint->seal == rt->knowledge->seal;
    was_used |= i < first;
  }
  if (was_useless && the_checkpoints->doublings < MOST_DOUBLINGS) the_checkpoints->doublings++;
  if (!was_useless && was_used && the_checkpoints->doublings > 0) the_checkpoints->doublings--;
}

/* Every now and then a run starts at main all the same: a program that does not do the same again is seen to. */
static bool is_turn_of_main(void) {
  const uint64_t uses = ++the_checkpoints->uses;
  return (uses & (uses - 1)) == 0;
}

bool checkpoint_start_run(const struct plan *plan, uint32_t number) {
  if (!layers_count()) return false;
  uint32_t count = count_agreeing(plan, number);
  judge_those_from(count);
  while (count > 0 && !is_cheap(count - 1)) count--;
  if (count > 0 && !is_turn_of_main()) {
    start_from(count - 1, plan, number);
    return true;
  }
  checkpoint_forget_all();
  snapshot_restore();
  return false;
}

/* A run from main that takes much less than the way to a checkpoint must cost: the next ones are not measured. */
static void measure_run(void) {
  const uint32_t steps = rt->n_steps - the_checkpoints->first_step;
  const uint64_t ticks = ticks_now() - the_checkpoints->started_at;
  if (steps && !the_checkpoints->has_taken) the_checkpoints->ticks_per_step = ticks / steps;
  if (!layers_count() && ticks < LEAST_TICKS / 2 && !the_checkpoints->is_always) the_checkpoints->n_quick = QUICK_RUNS;
}

void checkpoint_end_run(void) {
  if (!the_checkpoints->is_quick) measure_run();
  if (!layers_count()) snapshot_restore();
}
