/* SPDX-License-Identifier: MIT
 *
 * Runs that start where an earlier one still agrees with their plan, not at main (checkpoint.c).
 */
#ifndef HEDDLE_RUNTIME_CHECKPOINT_H
#define HEDDLE_RUNTIME_CHECKPOINT_H

#include "runtime.h"

#define HEDDLE_CHECKPOINTS_VARIABLE "HEDDLE_CHECKPOINTS"

/* Beside the layers, outside what they put back. */
struct next_checkpoint {
  uint32_t step;     /* before this step, or a later one, a checkpoint may be worth it; UINT32_MAX: nowhere */
  bool before_first; /* or before the first thread is created */
};
#define the_next_checkpoint ((struct next_checkpoint *)(RUNTIME_ADDRESS + (58ull << 30)))

/* `setting`: of HEDDLE_CHECKPOINTS, for tests: "always" (wherever one can be), "never", NULL (where it is worth it). */
void checkpoint_initialise(const char *setting);

/* Puts the memory of the last run back: to a checkpoint that this run can start from, or else to the start of main.
 * True: to a checkpoint, and all that the run needs is set up; `rt->current` is to continue. */
bool checkpoint_start_run(const struct plan *plan, uint32_t number);
void checkpoint_begin_run(void); /* from main */
/* After a run: puts memory back, unless checkpoint_start_run() will. */
void checkpoint_end_run(void);

/* From a fiber: goes to the root, which takes the checkpoint, and comes back; once, or at every start from there. */
void checkpoint_consider(void);
bool checkpoint_is_wanted(void); /* at the root: a fiber has come because of that */
void checkpoint_take(void);
/* The next run starts at main. */
void checkpoint_forget_all(void);
/* The program does what a checkpoint cannot undo: from here on there are none. */
void checkpoint_cannot_hold(void);

static inline bool checkpoint_is_due(void) {
  return rt->n_steps >= the_next_checkpoint->step;
}

static inline void checkpoint_before_choice(void) {
  if (__builtin_expect(checkpoint_is_due(), 0)) checkpoint_consider();
}

static inline void checkpoint_before_thread(void) {
  if (__builtin_expect(the_next_checkpoint->before_first, 0) && rt->n_threads == 1) checkpoint_consider();
}

#endif
