/* SPDX-License-Identifier: MIT
 *
 * The end of the process, wanted or not.
 */
#include "constructors.h"
#include "ends.h"
#include "models.h"
#include "process.h"
#include "terms.h"
#include "warnings.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- exit ---- */

/* Whether the status is 0 is a finding or not: where it was computed from inputs, a decision. */
static void decide_status(uint32_t term, site_id site) {
  if (!term || rt->channel->options & RUN_ANY_EXIT_STATUS) return;
  decide_branch(term_is(COMPARE_NOT_EQUAL, term_extract(term, 0, 8), term_constant(0, 8)), site);
}

static void run_exit_handlers(void) {
  while (rt->n_exit_handlers > 0) {
    const struct exit_handler handler = rt->exit_handlers[--rt->n_exit_handlers];
    handler.function(handler.argument);
  }
  destructors_call();
}

int __real_main(int argc, char **argv, char **environment);

void process_main_returned(int status, const char *frame) {
  const struct process_exit end = {status, (site_id)(uint64_t)__heddle_return_site, "returned by main"};
  const bool has_term = __heddle_return.from == (const void *)__real_main;
  decide_status(has_term ? __heddle_return.terms[0] : 0, end.site);
  run_exit_handlers();
  self()->left_below = (uint64_t)frame;
  finish_process(end);
}

#define WRAPPED_END(name, controlled_end)                                                                              \
  _Noreturn void __real_##name(int status);                                                                            \
  EXPORTED _Noreturn void __wrap_##name(int status);                                                                   \
  _Noreturn void __wrap_##name(int status) {                                                                           \
    if (!controlled) __real_##name(status);                                                                            \
    const struct process_exit end = {status, take_site(), #name " called"};                                            \
    decide_status(call_take_term((const void *)__wrap_##name, 0), end.site);                                           \
    controlled_end;                                                                                                    \
    finish_process(end);                                                                                               \
  }

WRAPPED_END(exit, run_exit_handlers())
WRAPPED_END(_exit, )
WRAPPED_END(_Exit, )
WRAPPED_END(quick_exit, )

static int add_exit_handler(void (*function)(void *), void *argument) {
  if (rt->n_exit_handlers == MAX_EXIT_HANDLERS) finish_at_limit("more than 256 exit handlers");
  rt->exit_handlers[rt->n_exit_handlers++] = (struct exit_handler){function, argument};
  return 0;
}

static void call_without_argument(void *function) {
  ((void (*)(void))function)();
}

WRAPPED(int, atexit, (void (*function)(void)), (function)) {
  return add_exit_handler(call_without_argument, (void *)function);
}

WRAPPED(int, __cxa_atexit, (void (*function)(void *), void *argument, void *module), (function, argument, module)) {
  return add_exit_handler(function, argument);
}

/* ---- findings, warnings ---- */

void process_not_supported(site_id site, const char *message) {
  struct warning warning = {
      .kind = WARNING_NOT_SUPPORTED, .site = site, .thread = self()->id, .other_thread = NO_THREAD};
  const size_t length = string_length(message);
  memcpy(warning.message, message, length < sizeof warning.message ? length : sizeof warning.message - 1);
  warnings_add(&warning);
}

static bool is_in(site_id site, const char *function) {
  const struct site *place = (const struct site *)(uint64_t)site;
  return place && strings_equal(place->function, function);
}

_Noreturn void __real_abort(void);
EXPORTED _Noreturn void __wrap_abort(void) {
  if (!controlled) __real_abort();
  const site_id site = take_site();
  if (is_in(site, "assume_abort_if_not")) finish_run(OUTCOME_ASSUMPTION_FAILED, site, 0);
  const bool quiet = rt->channel->options & RUN_SVCOMP && !is_in(site, "reach_error");
  finish_run(quiet ? OUTCOME_FINISHED : OUTCOME_ABORT, site, 0);
}

_Noreturn void __real___assert_fail(const char *expression, const char *file, unsigned line, const char *function);
EXPORTED _Noreturn void __wrap___assert_fail(const char *expression, const char *file, unsigned line,
                                             const char *function) {
  if (!controlled) __real___assert_fail(expression, file, line, function);
  finish_run_with_message(OUTCOME_ASSERTION, take_site(), 0, expression);
}

/* ---- signals: none comes from outside, the program may raise its own ---- */

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

static bool is_signal(int signal) {
  return signal > 0 && signal < MAX_SIGNALS;
}

static int invalid_signal(void) {
  errno = EINVAL;
  return -1;
}

/* The handler runs at once, on the thread that raises the signal. */
int process_deliver(int signal, site_id site) {
  if (signal == 0) return 0;
  if (!is_signal(signal)) return invalid_signal();
  if (signal_is_held_back(signal)) return 0;
  const struct signal_handler *handler = &rt->handlers[signal];
  if (handler->function == (void *)SIG_IGN) return 0;
  if (handler->function) {
    siginfo_t information = {.si_signo = signal};
    handler->function(signal, &information, NULL);
    return 0;
  }
  if (is_ignored_by_default(signal)) return 0;
  rt->status = signal;
  finish_run(OUTCOME_SIGNAL, site, 0);
}

WRAPPED(int, raise, (int signal), (signal)) {
  return process_deliver(signal, take_site());
}

/* A group that it belongs to stands for itself: nobody else is killed. */
static bool is_itself(pid_t process) {
  return process == getpid() || process == 0 || process == -1 || process == -(pid_t)system_call(SYS_getpgid, 0);
}

WRAPPED(int, kill, (pid_t process, int signal), (process, signal)) {
  const site_id site = take_site();
  return is_itself(process) ? process_deliver(signal, site) : __real_kill(process, signal);
}

WRAPPED(int, killpg, (pid_t group, int signal), (group, signal)) {
  const site_id site = take_site();
  return is_itself(-group) ? process_deliver(signal, site) : __real_killpg(group, signal);
}

typedef void (*plain_handler)(int);

static bool can_be_handled(int number) {
  return is_signal(number) && number != SIGKILL && number != SIGSTOP;
}

WRAPPED(plain_handler, signal, (int number, plain_handler handler), (number, handler)) {
  if (!can_be_handled(number)) {
    invalid_signal();
    return SIG_ERR;
  }
  const plain_handler old = (plain_handler)(void *)rt->handlers[number].function;
  rt->handlers[number] = (struct signal_handler){(void (*)(int, void *, void *))(void *)handler, 0};
  return old;
}

WRAPPED(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old)) {
  if (!can_be_handled(number)) return invalid_signal();
  const struct signal_handler before = rt->handlers[number];
  const site_id site = call_site();
  if (action) model_reads(action, sizeof *action, site);
  if (action)
    rt->handlers[number] =
        (struct signal_handler){(void (*)(int, void *, void *))(void *)action->sa_sigaction, action->sa_flags};
  const struct sigaction told = {.sa_handler = (plain_handler)(void *)before.function, .sa_flags = before.flags};
  model_store(old, &told, sizeof told, site);
  return 0;
}
