/* SPDX-License-Identifier: MIT
 *
 * Signals: handlers, masks, sending, waiting (signalling.c has what happens then). No signal comes from outside. The
 * kernel's signal mask and handlers stay as they are, for the runtime needs its signals.
 */
#include "children.h"
#include "ends.h"
#include "models.h"
#include "signalling.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- handlers ---- */

typedef void (*plain_handler)(int);
typedef void (*any_handler)(int, void *, void *);

static bool can_be_handled(int number) {
  return signal_exists(number) && number != SIGKILL && number != SIGSTOP;
}

static void set_handler(int number, struct signal_handler handler) {
  rt->handlers[number] = handler;
  rt->has_handlers = true;
}

WRAPPED(plain_handler, signal, (int number, plain_handler handler), (number, handler)) {
  if (!can_be_handled(number)) {
    model_fail(EINVAL);
    return SIG_ERR;
  }
  const site_id site = take_site();
  signal_point(EVENT_SIGNAL_ACTION, site);
  const plain_handler old = (plain_handler)(void *)rt->handlers[number].function;
  set_handler(number, (struct signal_handler){(any_handler)(void *)handler, SA_RESTART, 0});
  if (number == SIGCHLD) children_watch_ends(site);
  return old;
}

static uint64_t bits_of(const sigset_t *set) {
  return *(const uint64_t *)set;
}

WRAPPED(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old)) {
  const site_id site = call_site();
  if (!can_be_handled(number)) return model_fail(EINVAL);
  if (action) model_reads(action, sizeof *action, site);
  const struct sigaction wanted = action ? *action : (struct sigaction){0};
  signal_point(EVENT_SIGNAL_ACTION, site);
  const struct signal_handler before = rt->handlers[number];
  if (action)
    set_handler(number, (struct signal_handler){(any_handler)(void *)wanted.sa_sigaction, wanted.sa_flags,
                                                bits_of(&wanted.sa_mask)});
  const struct sigaction told = {
      .sa_handler = (plain_handler)(void *)before.function, .sa_mask = {{before.mask}}, .sa_flags = before.flags};
  if (action && number == SIGCHLD) children_watch_ends(site);
  model_store(old, &told, sizeof told, site);
  return 0;
}

/* ---- masks, per thread ---- */

static void store_bits(sigset_t *set, uint64_t bits, site_id site) {
  if (set) model_store(set, &(sigset_t){{bits}}, sizeof *set, site);
}

static uint64_t can_be_blocked(uint64_t bits) {
  return bits & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
}

static int change_mask(int how, const sigset_t *set, sigset_t *old) {
  struct thread *thread = self();
  const site_id site = take_site();
  if (set) model_reads(set, sizeof *set, site);
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  const uint64_t bits = set ? bits_of(set) : 0;
  signal_point(EVENT_SIGNAL_MASK, site);
  const uint64_t before = thread->signals_blocked;
  if (set && how == SIG_BLOCK) thread->signals_blocked |= can_be_blocked(bits);
  if (set && how == SIG_UNBLOCK) thread->signals_blocked &= ~bits;
  if (set && how == SIG_SETMASK) thread->signals_blocked = can_be_blocked(bits);
  store_bits(old, before, site);
  signal_handle_pending(site);
  return 0;
}

WRAPPED(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old)) {
  return change_mask(how, set, old);
}

WRAPPED(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old)) {
  const int problem = change_mask(how, set, old);
  return problem ? model_fail(problem) : 0;
}

WRAPPED(int, sigpending, (sigset_t * set), (set)) {
  const site_id site = take_site();
  signal_point(EVENT_SIGNAL_MASK, site);
  store_bits(set, (self()->signals_pending | rt->signals_pending) & self()->signals_blocked, site);
  return 0;
}

/* ---- sending ---- */

int process_deliver(int signal, site_id site) {
  if (signal == 0) return 0;
  if (!signal_exists(signal)) return model_fail(EINVAL);
  signal_raise(signal, site);
  return 0;
}

WRAPPED(int, raise, (int signal), (signal)) {
  const site_id site = take_site();
  signal_point(EVENT_SIGNAL_MASK, site);
  return process_deliver(signal, site);
}

WRAPPED(int, pthread_kill, (pthread_t handle, int signal), (handle, signal)) {
  const site_id site = take_site();
  struct thread *target = thread_asked_for(handle);
  if (!target || target->joined) return ESRCH;
  if (signal < 0 || signal >= MAX_SIGNALS) return EINVAL;
  if (signal == 0) return 0;
  signal_set_origin(SI_TKILL, 0);
  if (target == self()) {
    signal_point(EVENT_SIGNAL_MASK, site);
    signal_raise(signal, site);
  } else {
    signal_send_to_thread(target, signal, site);
  }
  return 0;
}

static int send_to_process(int signal, site_id site) {
  if (signal == 0) return 0;
  if (!signal_exists(signal)) return model_fail(EINVAL);
  signal_set_origin(SI_USER, 0);
  signal_send_to_process(signal, site);
  return 0;
}

/* A group that it belongs to stands for itself: nobody else is killed. */
static bool is_itself(pid_t process) {
  return process == getpid() || process == 0 || process == -1 || process == -(pid_t)system_call(SYS_getpgid, 0);
}

int __real_kill(pid_t process, int signal);

/* A child's number could be another process's once it was waited for; of others, only asking is harmless. */
static int send_to_other(pid_t process, int signal, site_id site) {
  if (child_of(process < 0 ? -process : process)) return child_signal(process, signal, site);
  if (signal && __real_kill(process, 0) == 0) children_stop("a signal to a process that is not a child", site);
  return __real_kill(process, signal);
}

WRAPPED(int, kill, (pid_t process, int signal), (process, signal)) {
  const site_id site = take_site();
  return is_itself(process) ? send_to_process(signal, site) : send_to_other(process, signal, site);
}

WRAPPED(int, killpg, (pid_t group, int signal), (group, signal)) {
  const site_id site = take_site();
  if (group < 0) return model_fail(EINVAL);
  return is_itself(-group) ? send_to_process(signal, site) : send_to_other(-group, signal, site);
}

WRAPPED(int, sigqueue, (pid_t process, int signal, const union sigval value), (process, signal, value)) {
  const site_id site = take_site();
  if (process != getpid()) return __real_sigqueue(process, signal, value);
  if (signal == 0) return 0;
  if (!signal_exists(signal)) return model_fail(EINVAL);
  signal_set_origin(SI_QUEUE, (uint64_t)value.sival_ptr);
  signal_send_to_process(signal, site);
  return 0;
}

/* ---- waiting for one ---- */

static void take_turn(uint8_t kind, uint64_t wanted, bool waits, bool can_give_up, site_id site) {
  struct thread *thread = self();
  spin_end(thread);
  thread->awaited = wanted;
  thread->was_interrupted = false;
  schedule_operation((struct operation){.kind = kind,
                                        .address = kind == EVENT_SIGNAL_PAUSE ? thread->id : 0,
                                        .object = &thread->cancellation,
                                        .site = site,
                                        .can_block = waits,
                                        .cancels = waits,
                                        .interruption = IS_INTERRUPTED,
                                        .can_give_up = can_give_up});
  if (cancel_is_due(thread)) cancel_act(site);
}

/* The signal, or -1 with errno. */
static int wait_for_signal(const sigset_t *set, const struct timespec *time, siginfo_t *information, site_id site) {
  struct deadline deadline = {0};
  model_reads(set, sizeof *set, site);
  if (time) model_reads(time, sizeof *time, site);
  if (time && (time->tv_nsec < 0 || time->tv_nsec >= 1000000000 || time->tv_sec < 0)) return model_fail(EINVAL);
  const bool waits = !time || time->tv_sec || time->tv_nsec;
  if (time) deadline = deadline_after((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
  const uint64_t wanted = bits_of(set);
  if (wanted & signal_bit(SIGCHLD)) children_watch_ends(site);
  take_turn(EVENT_SIGNAL_WAIT, wanted, waits, waits && time, site);
  if (self()->was_interrupted) return model_fail(EINTR);
  const int signal = signal_take(wanted);
  trace_record(signal ? EVENT_SIGNAL_WAIT : EVENT_SIGNAL_NONE, 0, 0, site);
  if (!signal && waits) deadline_passed(&deadline);
  if (!signal) return model_fail(EAGAIN);
  deadline_kept(time ? &deadline : NULL, 0);
  const siginfo_t told = signal_information(signal);
  model_store(information, &told, sizeof told, site);
  return signal;
}

/* It is not interrupted: glibc waits again. */
WRAPPED(int, sigwait, (const sigset_t *restrict set, int *restrict signal), (set, signal)) {
  const site_id site = take_site();
  int got;
  do got = wait_for_signal(set, NULL, NULL, site);
  while (got < 0);
  model_store(signal, &got, sizeof got, site);
  return 0;
}

WRAPPED(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict information), (set, information)) {
  return wait_for_signal(set, NULL, information, take_site());
}

WRAPPED(int, sigtimedwait,
        (const sigset_t *restrict set, siginfo_t *restrict information, const struct timespec *restrict time),
        (set, information, time)) {
  return wait_for_signal(set, time, information, take_site());
}

/* Until a handler has run. */
static int wait_for_handler(site_id site) {
  if (!signal_handle_pending(site)) take_turn(EVENT_SIGNAL_PAUSE, 0, true, false, site);
  return model_fail(EINTR);
}

WRAPPED(int, pause, (void), ()) {
  return wait_for_handler(take_site());
}

WRAPPED(int, sigsuspend, (const sigset_t *set), (set)) {
  struct thread *thread = self();
  const site_id site = take_site();
  model_reads(set, sizeof *set, site);
  signal_point(EVENT_SIGNAL_MASK, site);
  const uint64_t before = thread->signals_blocked;
  thread->signals_blocked = can_be_blocked(bits_of(set));
  const int result = wait_for_handler(site);
  thread->signals_blocked = before;
  signal_handle_pending(site);
  return result;
}

/* The child of a fork is outside heddle, while the handlers would still run in it. */
WRAPPED(int, pthread_atfork, (void (*prepare)(void), void (*parent)(void), void (*child)(void)),
        (prepare, parent, child)) {
  process_not_supported(take_site(), "pthread_atfork: the handlers are never called");
  return 0;
}
