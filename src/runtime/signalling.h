/* SPDX-License-Identifier: MIT
 *
 * Signals that threads of the program and its timers send (signalling.c).
 */
#ifndef HEDDLE_RUNTIME_SIGNALLING_H
#define HEDDLE_RUNTIME_SIGNALLING_H

#include "runtime.h"
#include "timers.h"

#include <signal.h>

static inline bool signal_exists(int signal) {
  return signal > 0 && signal < MAX_SIGNALS;
}
static inline uint64_t signal_bit(int signal) {
  return signal_exists(signal) ? 1ull << (signal - 1) : 0;
}
/* By default it ends a process. */
bool signal_would_end(int signal);
/* Without a handler, it ends the process. */
bool signal_is_fatal(int signal);
/* One may come to any thread: looking at masks and handlers is a step from now on. */
void signal_expect(void);
/* Somebody handles it, or waits for it. */
bool signal_is_wanted(int signal);
/* To the running thread, which handles it at once unless it blocks it; returns if it continues. */
void signal_raise(int signal, site_id site);
/* To another thread: a step. */
void signal_send_to_thread(struct thread *target, int signal, site_id site);
/* To whichever thread does not block it: a step, unless there is one thread. */
void signal_send_to_process(int signal, site_id site);
/* The same as part of the step that the running thread takes, of this kind. */
void signal_send_now(uint8_t kind, int signal, site_id site);
void signal_send_to_thread_now(uint8_t kind, struct thread *target, int signal, site_id site);
/* What siginfo says of the signal that the running thread sends next; `code` is one of SI_*. */
void signal_set_origin(int code, uint64_t value);
siginfo_t signal_information(int signal);
/* Handles what the running thread has and does not block. Did it handle any? */
bool signal_handle_pending(site_id site);
/* One of these that the running thread has, or the process has: takes it. 0: there is none. */
int signal_take(uint64_t wanted);
/* Looking at masks, pending signals and handlers is a step if some run sends signals to other threads. */
void signal_point(uint8_t kind, site_id site);
/* For the scheduler: the thread was chosen, or woken from joining, and has signals to handle. */
void signal_arrive(struct thread *thread);
void signal_arrive_while_joining(struct thread *thread);
uint8_t signal_arrival_flags(const struct thread *thread); /* of the step by which they arrive */
bool signal_can_move(const struct thread *thread);
/* Nobody can move: somebody may wait for a signal from outside. */
bool signal_is_awaited(void);

#endif
