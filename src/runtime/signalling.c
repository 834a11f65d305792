/* SPDX-License-Identifier: MIT
 *
 * Signals. One that a thread raises itself comes at once. One to another thread is a step of its sender; the other
 * thread handles it before the operation that it stands before: its next step is that the signal arrives, and in place
 * of its operation it runs the handlers. So handlers run at visible operations, and a signal comes to a thread sooner
 * than anything that the thread does later.
 *
 * Masks, handlers and what is pending are then something that threads share, and looking at them is a visible
 * operation; but only in programs of which some run sends a signal. That is learned like shared memory, as with
 * cancellation (model_cancel.c).
 */
#include "signalling.h"
#include "awaits.h"
#include "choose.h"
#include "ends.h"
#include "fiber.h"
#include "models.h"
#include "sharing.h"

#include <signal.h>

/* ---- what a signal does ---- */

static bool is_ignored_by_default(int signal) {
  switch (signal) {
  case SIGCHLD:
  case SIGURG:
  case SIGWINCH:
  case SIGCONT:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU: return true;
  default: return false;
  }
}

static bool is_ignored(int signal) {
  const struct signal_handler *handler = &rt->handlers[signal];
  return handler->function == (void *)SIG_IGN || (!handler->function && is_ignored_by_default(signal));
}

bool signal_would_end(int signal) {
  return !is_ignored_by_default(signal);
}

bool signal_is_fatal(int signal) {
  return !rt->handlers[signal].function && !is_ignored_by_default(signal);
}

void signal_set_origin(int code, uint64_t value) {
  self()->sends = (struct signal_origin){code, value};
}

siginfo_t signal_information(int signal) {
  siginfo_t information = {.si_signo = signal, .si_code = rt->signal_origins[signal].code};
  information.si_pid = (pid_t)system_call(SYS_getpid, 0);
  if (information.si_code == SI_TIMER) information.si_timerid = information.si_overrun = 0;
  if (information.si_code < 0 && information.si_code != SI_TKILL)
    information.si_value.sival_ptr = (void *)rt->signal_origins[signal].value;
  return information;
}

/* Runs its handler, if it has one. */
static void handle(int signal, site_id site) {
  struct thread *thread = self();
  const struct signal_handler handler = rt->handlers[signal];
  const uint64_t blocked = thread->signals_blocked;
  siginfo_t information = signal_information(signal);
  if (is_ignored(signal)) return;
  if (!handler.function) {
    rt->status = signal;
    finish_run(OUTCOME_SIGNAL, site, 0);
  }
  if (handler.flags & (int)SA_RESETHAND) rt->handlers[signal].function = NULL;
  thread->signals_blocked |= handler.mask | (handler.flags & SA_NODEFER ? 0 : signal_bit(signal));
  handler.function(signal, &information, NULL);
  if (controlled) rehearsal_check();
  thread->signals_blocked = blocked;
}

int signal_take(uint64_t wanted) {
  struct thread *thread = self();
  const uint64_t found = (thread->signals_pending | rt->signals_pending) & wanted;
  if (!found) return 0;
  const int signal = __builtin_ctzll(found) + 1;
  if (thread->signals_pending & signal_bit(signal))
    thread->signals_pending &= ~signal_bit(signal);
  else
    rt->signals_pending &= ~signal_bit(signal);
  return signal;
}

bool signal_handle_pending(site_id site) {
  const struct thread *thread = self();
  bool any = false;
  for (int signal; (signal = signal_take(~thread->signals_blocked)); any = true) handle(signal, site);
  return any;
}

void signal_raise(int signal, site_id site) {
  rt->signal_origins[signal] = (struct signal_origin){SI_TKILL, 0};
  self()->signals_pending |= signal_bit(signal);
  signal_handle_pending(site);
}

/* ---- sending ---- */

static bool is_sent_in_some_run(void) {
  const uint64_t word = *shadow_of((uint64_t)&rt->signals_known);
  return word & SHADOW_RECORD && rt->granules[word & ~SHADOW_RECORD].shared;
}

void signal_point(uint8_t kind, site_id site) {
  struct thread *thread = self();
  if (!sharing_is_possible() || !is_sent_in_some_run()) return;
  schedule_object(kind, &thread->cancellation, site, false);
  record_object(kind, &thread->cancellation, site, 0);
}

static bool is_alive(const struct thread *thread) {
  return thread->state != ABSENT && thread->state != ENDED && thread->state != EXITING;
}

static bool awaits(const struct thread *thread, int signal) {
  return thread->state == AT_OPERATION && thread->operation.kind == EVENT_SIGNAL_WAIT && thread->operation.can_block &&
         thread->awaited & signal_bit(signal);
}

/* What the thread stands before can wait meanwhile; at a barrier, and where it is held, it cannot. */
static void interrupt(struct thread *target, int signal) {
  races_hand_over(target);
  if (awaits(target, signal) || target->signals_blocked & signal_bit(signal) || is_ignored(signal)) return;
  if (target->state == AT_BARRIER || target->state == HELD)
    finish_at_limit("a signal to a thread that waits at a barrier, or to be handed over");
  target->is_signalled = true;
  if (target->state == JOINING) schedule_local(target);
}

void signal_expect(void) {
  sharing_make_shared((uint64_t)&rt->signals_known, sizeof rt->signals_known);
}

static void begin_to_send(void) {
  rt->signals_sent = true;
  signal_expect();
}

void signal_send_to_thread_now(uint8_t kind, struct thread *target, int signal, site_id site) {
  struct event *event = trace_record(kind, kind == EVENT_SIGNAL_SEND ? target->id : 0, 0, site);
  event->value = (uint64_t)signal;
  event->flags |= EVENT_VALUE_KNOWN;
  if (!is_alive(target)) return;
  rt->signal_origins[signal] = self()->sends;
  target->signals_pending |= signal_bit(signal);
  if (target == self())
    signal_handle_pending(site);
  else
    interrupt(target, signal);
}

void signal_send_to_thread(struct thread *target, int signal, site_id site) {
  begin_to_send();
  schedule_object(EVENT_SIGNAL_SEND, &target->cancellation, site, false);
  signal_send_to_thread_now(EVENT_SIGNAL_SEND, target, signal, site);
}

/* Threads that would handle it. */
static bool can_handle(const struct thread *thread, int signal) {
  return is_alive(thread) && !(thread->signals_blocked & signal_bit(signal));
}

static bool somebody_awaits(int signal) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (awaits(&rt->threads[i], signal)) return true;
  return false;
}

bool signal_is_wanted(int signal) {
  return !is_ignored(signal) || somebody_awaits(signal);
}

static uint16_t count_targets(int signal) {
  uint16_t count = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) count += can_handle(&rt->threads[i], signal);
  return count;
}

/* NULL: it is left to those that wait for it. */
static struct thread *find_target(int signal, uint16_t which) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (can_handle(&rt->threads[i], signal) && which-- == 0) return &rt->threads[i];
  return NULL;
}

/* It is pending for the process. Which of the threads that do not block it handles it, or whether it is left to one
 * that waits for it, is a choice. */
void signal_send_now(uint8_t kind, int signal, site_id site) {
  const bool is_dropped = is_ignored(signal) && !somebody_awaits(signal);
  const uint16_t targets = is_ignored(signal) ? 0 : count_targets(signal);
  const uint16_t ways = targets ? (uint16_t)(targets + somebody_awaits(signal)) : 1;
  const uint16_t chosen = choose_alternative(ways);
  struct thread *target = targets ? find_target(signal, chosen) : NULL;
  struct event *event = trace_record(kind, target ? target->id : 0, 0, site);
  event->alternative = chosen;
  event->alternatives = ways;
  event->value = (uint64_t)signal;
  event->flags |= EVENT_VALUE_KNOWN;
  if (!is_dropped) rt->signals_pending |= signal_bit(signal);
  rt->signal_origins[signal] = self()->sends;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (awaits(&rt->threads[i], signal)) races_hand_over(&rt->threads[i]);
  if (target == self())
    signal_handle_pending(site);
  else if (target)
    interrupt(target, signal);
}

void signal_send_to_process(int signal, site_id site) {
  if (!sharing_is_possible()) {
    rt->signal_origins[signal] = self()->sends;
    rt->signals_pending |= signal_bit(signal);
    signal_handle_pending(site);
    return;
  }
  begin_to_send();
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_SIGNAL_KILL, .site = site});
  signal_send_now(EVENT_SIGNAL_KILL, signal, site);
}

/* ---- arriving ---- */

/* Another thread may have taken a signal that was sent to the process. */
static void handle_all(struct thread *thread, site_id site) {
  bool restarts = true, any = false;
  thread->is_signalled = false;
  for (int signal; (signal = signal_take(~thread->signals_blocked)); any = true) {
    restarts &= (rt->handlers[signal].flags & SA_RESTART) != 0;
    handle(signal, site);
  }
  thread->restarts = restarts;
  thread->has_handled = any;
}

/* Whether something is interrupted depends on whether it has to wait. */
uint8_t signal_arrival_flags(const struct thread *thread) {
  return thread->operation.interruption == CONTINUES ? EVENT_PARKED : EVENT_PARKED | EVENT_OF_ALL;
}

static void record_arrival(struct thread *thread) {
  thread->operation.can_give_up = false;
  spin_end(thread);
  record_object(EVENT_SIGNAL_ARRIVE, &thread->cancellation, thread->operation.site, 0)->flags |=
      signal_arrival_flags(thread);
}

void signal_arrive(struct thread *thread) {
  const struct operation operation = thread->operation;
  const uint64_t awaited = thread->awaited;
  const void *polled = thread->polled;
  struct object *relock = thread->relock;
  const struct await await = thread->await;
  const bool wakes = operation.kind == EVENT_CONDITION_WAKE;
  const bool signalled = thread->signalled || wakes; /* a wait on a condition variable may end for no reason */
  thread->is_signalled = false;
  const bool waits = operation.can_block && operation.interruption != CONTINUES && !schedule_can_move(thread);
  record_arrival(thread);
  awaits_leave(thread);
  handle_all(thread, operation.site);
  if (await.is_on) awaits_come(thread, &await.visit, await.kind);
  thread->operation = operation;
  thread->awaited = awaited;
  thread->polled = polled;
  thread->relock = relock;
  thread->signalled = signalled;
  if (wakes) thread->operation.can_give_up = false;
  thread->was_interrupted =
      waits && thread->has_handled && (operation.interruption == IS_INTERRUPTED || !thread->restarts);
  if (!thread->was_interrupted) schedule_announced(thread);
}

/* It took no step. */
void signal_arrive_while_joining(struct thread *thread) {
  const struct operation operation = thread->operation;
  const thread_id joining = thread->joining;
  handle_all(thread, operation.site);
  trace_complete_value(thread);
  thread->operation = operation;
  thread->joining = joining;
}

bool signal_can_move(const struct thread *thread) {
  switch (thread->operation.kind) {
  case EVENT_SIGNAL_WAIT: return (thread->signals_pending | rt->signals_pending) & thread->awaited;
  case EVENT_TIMER_EXPIRE: return timer_can_expire(thread);
  default: return false; /* pause: it is interrupted, or waits */
  }
}

bool signal_is_awaited(void) {
  if (rt->signals_sent) return false;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state != AT_OPERATION) continue;
    if (thread->operation.kind == EVENT_SIGNAL_WAIT || thread->operation.kind == EVENT_SIGNAL_PAUSE) return true;
  }
  return false;
}
