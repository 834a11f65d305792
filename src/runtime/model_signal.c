/* SPDX-License-Identifier: MIT
 *
 * Signals between threads. A program gets only the signals it raises itself (model_process.c): they come at once, on
 * the thread that raises them, or when that thread unblocks them. What would interrupt another thread, or come from a
 * timer, is refused: the function fails, and a warning says so. The kernel's signal mask stays as it is, for the
 * runtime needs its signals.
 */
#include "models.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int fail(int number) {
  errno = number;
  return -1;
}

/* ---- masks, per thread ---- */

static uint64_t bits_of(const sigset_t *set) {
  return *(const uint64_t *)set;
}

static void store_bits(sigset_t *set, uint64_t bits, site_id site) {
  if (!set) return;
  model_store(set, &(sigset_t){{bits}}, sizeof *set, site);
}

static uint64_t bit_of(int signal) {
  return signal > 0 && signal < MAX_SIGNALS ? 1ull << (signal - 1) : 0;
}

bool signal_is_held_back(int signal) {
  struct thread *thread = self();
  if (!(thread->signals_blocked & bit_of(signal))) return false;
  thread->signals_pending |= bit_of(signal);
  return true;
}

static void deliver_unblocked(site_id site) {
  struct thread *thread = self();
  for (uint64_t due; (due = thread->signals_pending & ~thread->signals_blocked);) {
    const int signal = __builtin_ctzll(due) + 1;
    thread->signals_pending &= ~bit_of(signal);
    process_deliver(signal, site);
  }
}

static int change_mask(int how, const sigset_t *set, sigset_t *old) {
  struct thread *thread = self();
  const site_id site = take_site();
  if (set) model_reads(set, sizeof *set, site);
  const uint64_t before = thread->signals_blocked;
  const uint64_t never = bit_of(SIGKILL) | bit_of(SIGSTOP);
  if (set && how == SIG_BLOCK)
    thread->signals_blocked |= bits_of(set) & ~never;
  else if (set && how == SIG_UNBLOCK)
    thread->signals_blocked &= ~bits_of(set);
  else if (set && how == SIG_SETMASK)
    thread->signals_blocked = bits_of(set) & ~never;
  else if (set)
    return EINVAL;
  store_bits(old, before, site);
  deliver_unblocked(site);
  return 0;
}

WRAPPED(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old)) {
  return change_mask(how, set, old);
}

WRAPPED(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old)) {
  const int problem = change_mask(how, set, old);
  return problem ? fail(problem) : 0;
}

WRAPPED(int, sigpending, (sigset_t * set), (set)) {
  store_bits(set, self()->signals_pending, call_site());
  return 0;
}

/* ---- refused ---- */

WRAPPED(int, pthread_kill, (pthread_t handle, int signal), (handle, signal)) {
  const site_id site = take_site();
  const struct thread *target = thread_asked_for(handle);
  if (!target || target->joined) return ESRCH;
  if (signal < 0 || signal >= MAX_SIGNALS) return EINVAL;
  if (signal == 0) return 0;
  if (target == self()) return process_deliver(signal, site);
  process_not_supported(site, "pthread_kill of another thread: fails with ENOSYS");
  return ENOSYS;
}

/* A signal that is pending is taken; there will be no other. 0: there is none. */
static int take_pending(const sigset_t *set) {
  struct thread *thread = self();
  const uint64_t wanted = thread->signals_pending & bits_of(set);
  if (!wanted) return 0;
  const int signal = __builtin_ctzll(wanted) + 1;
  thread->signals_pending &= ~bit_of(signal);
  return signal;
}

WRAPPED(int, sigwait, (const sigset_t *restrict set, int *restrict signal), (set, signal)) {
  const site_id site = take_site();
  const int pending = take_pending(set);
  if (!pending) process_not_supported(site, "sigwait for a signal that is not pending: fails with ENOSYS");
  if (pending) model_store(signal, &pending, sizeof pending, site);
  return pending ? 0 : ENOSYS;
}

static int wait_for_signal(const sigset_t *set, siginfo_t *information, const char *refusal) {
  const site_id site = take_site();
  const int pending = take_pending(set);
  if (!pending) {
    process_not_supported(site, refusal);
    return fail(ENOSYS);
  }
  model_store(information, &(siginfo_t){.si_signo = pending}, sizeof *information, site);
  return pending;
}

WRAPPED(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict information), (set, information)) {
  return wait_for_signal(set, information, "sigwaitinfo for a signal that is not pending: ENOSYS");
}

WRAPPED(int, sigtimedwait,
        (const sigset_t *restrict set, siginfo_t *restrict information, const struct timespec *restrict time),
        (set, information, time)) {
  return wait_for_signal(set, information, "sigtimedwait for a signal that is not pending: ENOSYS");
}

#define REFUSED(name, parameters, arguments, message)                                                                  \
  WRAPPED(int, name, parameters, arguments) {                                                                          \
    process_not_supported(take_site(), message);                                                                       \
    return fail(ENOSYS);                                                                                               \
  }

REFUSED(sigsuspend, (const sigset_t *set), (set), "sigsuspend: fails with ENOSYS")
REFUSED(pause, (void), (), "pause: fails with ENOSYS")
REFUSED(setitimer, (__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict old),
        (which, value, old), "setitimer: fails with ENOSYS")
REFUSED(timer_create, (clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer),
        (clock, event, timer), "timer_create: fails with ENOSYS")

WRAPPED(unsigned, alarm, (unsigned seconds), (seconds)) {
  if (seconds) process_not_supported(take_site(), "alarm: the signal never comes");
  return 0;
}

/* The child of a fork is outside heddle, while the handlers would still run in it. */
WRAPPED(int, pthread_atfork, (void (*prepare)(void), void (*parent)(void), void (*child)(void)),
        (prepare, parent, child)) {
  process_not_supported(take_site(), "pthread_atfork: the handlers are never called");
  return 0;
}
