/* SPDX-License-Identifier: MIT
 *
 * The last resort against a loop over memory that is not known to be shared, when it is not a pure spin loop (spin.c):
 * the thread counts, prints or draws random numbers while it waits. It makes no visible operation, so nobody else would
 * ever move. After a while of computing, the run becomes a trial: the thread is set aside at its next access, and the
 * others continue.
 *
 *     - one of them touches what the thread has read: that is shared now, which is what the run was for; it ends,
 * discarded;
 *     - none does: the thread just computes for long. The run is made again, without a trial until something else is
 *       found to be shared.
 *
 * So no trace of a trial is ever taken for a run, whatever was found to be shared before it began.
 */
#include "awaits.h"
#include "ends.h"
#include "repetition.h"
#include "schedule.h"
#include "trace.h"

static uint32_t n_shared(void) {
  return atomic_load_explicit(&rt->knowledge->n_shared, memory_order_relaxed);
}

bool trial_is_worth_it(void) {
  return !rt->trial && rt->n_threads > 1 && rt->vain_trial_at != n_shared() + 1;
}

void trial_begin(void) {
  struct thread *thread = self();
  rt->trial_wanted = false;
  rehearsal_check();
  if (!trial_is_worth_it() || rt->section_owner != NO_THREAD) return;
  rt->trial = true;
  trace_complete_value(thread);
  thread->state = SET_ASIDE;
  schedule_others();
}

/* A thread that is parked for good (repetition.c) may continue after all when another touches what it looked at. */
void trial_found_sharing(void) {
  if (!rt->trial && !rt->has_parked) return;
  rt->trial_found = true;
  finish_run(OUTCOME_ASSUMPTION_FAILED, 0, 0);
}

bool trial_is_in_vain(void) {
  return rt->trial && !rt->trial_found;
}

/* Called at the end of a run: whether it was a trial in vain, and must be made again. */
bool trial_was_in_vain(void) {
  if (!trial_is_in_vain()) return false;
  rt->vain_trial_at = n_shared() + 1;
  return true;
}
