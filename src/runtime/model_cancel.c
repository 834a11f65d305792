/* SPDX-License-Identifier: MIT
 *
 * Cancellation, deferred: pthread_cancel leaves a request, and the thread ends at its next cancellation point, or at
 * the one where it waits. There its cleanup handlers run as for pthread_exit.
 *
 * Whether a request is there is something that two threads touch, so looking at it is a visible operation; but only for
 * threads that some run has cancelled, or every sleep of every program would be one. That is learned like shared
 * memory: the request counts as shared memory of the runtime's own.
 */
#include "models.h"
#include "repetition.h"
#include "sharing.h"

#include <errno.h>

static uint64_t request_of(const struct thread *thread) {
  return (uint64_t)&thread->cancellation.address;
}

static bool is_cancelled_in_some_run(const struct thread *thread) {
  const uint64_t word = *shadow_of(request_of(thread));
  return word & SHADOW_RECORD && rt->granules[word & ~SHADOW_RECORD].shared;
}

void cancel_begin_thread(struct thread *thread) {
  thread->cancel_requested = thread->cancel_disabled = thread->cancel_asynchronous = thread->ending = false;
  thread->cancellation = (struct object){.address = thread->id, .run = rt->run, .class = THREAD_OBJECT};
}

static void end_as_cancelled(site_id site) {
  struct thread *thread = self();
  trace_record(EVENT_THREAD_CANCELLED, 0, 0, site);
  races_acquire(&thread->cancellation);
  thread->result = PTHREAD_CANCELED;
  thread_unwind();
}

/* Where it was not the request alone that let it move, or it would have done something else without. Waking up took a
 * mutex, and there is one less to signal. */
static uint8_t flags_of_point(uint8_t kind) {
  if (kind == EVENT_CANCELLATION_POINT) return 0;
  return kind == EVENT_CONDITION_WAKE ? EVENT_PARKED | EVENT_OF_ALL : EVENT_PARKED;
}

/* The chosen step of a thread was an operation that it does not perform; or, in pthread_join, there was no step. */
void cancel_act(site_id site) {
  struct thread *thread = self();
  const uint8_t kind = thread->operation.kind;
  if (kind != EVENT_THREAD_JOIN)
    record_object(EVENT_CANCELLATION_POINT, &thread->cancellation, site, 1)->flags |= flags_of_point(kind);
  end_as_cancelled(site);
  __builtin_unreachable();
}

static void look_for_request(site_id site, char *frame) {
  struct thread *thread = self();
  schedule_attempt(EVENT_CANCELLATION_POINT, &thread->cancellation, site, frame);
  if (cancel_is_due(thread)) cancel_act(site);
  record_object(EVENT_CANCELLATION_POINT, &thread->cancellation, site, 0);
}

/* A loop that only sleeps makes no visible operation, and ends only with the thread. */
static void look_for_endless_sleep(site_id site, char *frame) {
  struct thread *thread = self();
  if (!spin_is_watched(thread)) return;
  if (rt->trial_wanted) trial_begin();
  if (!spin_before_private_read(thread, visit_of_object(&thread->cancellation, site, frame))) return;
  if (spin_leave_to_reads(thread)) return;
  sharing_make_shared(request_of(thread), sizeof thread->cancellation.address);
  look_for_request(site, frame);
}

void cancel_point(site_id site, char *frame) {
  if (rehearsal_is_on() && !is_cancelled_in_some_run(self())) return;
  if (is_cancelled_in_some_run(self()))
    look_for_request(site, frame);
  else if (__heddle_in_run)
    look_for_endless_sleep(site, frame);
}

WRAPPED_VOID(pthread_testcancel, (void), ()) {
  char *frame = SPIN_FRAME();
  look_for_request(take_site(), frame);
}

WRAPPED(int, pthread_cancel, (pthread_t handle), (handle)) {
  const site_id site = take_site();
  struct thread *target = thread_asked_for(handle);
  if (!target || target->joined) return ESRCH;
  sharing_make_shared(request_of(target), sizeof target->cancellation.address);
  schedule_object(EVENT_THREAD_CANCEL, &target->cancellation, site, false);
  races_release(&target->cancellation);
  target->cancel_requested = true;
  target->cancellation.version++;
  record_object(EVENT_THREAD_CANCEL, &target->cancellation, site, 0);
  if (target->state == JOINING && cancel_is_due(target)) schedule_wake_from_join(target);
  return 0;
}

WRAPPED(int, pthread_setcancelstate, (int state, int *old), (state, old)) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  struct thread *thread = self();
  const int before = thread->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  model_store(old, &before, sizeof before, call_site());
  thread->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

WRAPPED(int, pthread_setcanceltype, (int type, int *old), (type, old)) {
  const site_id site = take_site();
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  struct thread *thread = self();
  const int before = thread->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  model_store(old, &before, sizeof before, site);
  thread->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (thread->cancel_asynchronous) process_not_supported(site, "asynchronous cancellation: treated as deferred");
  return 0;
}
