/* SPDX-License-Identifier: MIT
 *
 * The end of the process, wanted or not.
 */
#include "models.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- exit ---- */

static _Noreturn void leave(int status) {
  schedule_exit(status);
}

void process_run_exit_handlers(void) {
  while (rt->n_exit_handlers > 0) {
    const struct exit_handler handler = rt->exit_handlers[--rt->n_exit_handlers];
    handler.function(handler.argument);
  }
}

#define WRAPPED_END(name, controlled_end)                                                                              \
  _Noreturn void __real_##name(int status);                                                                            \
  EXPORTED _Noreturn void __wrap_##name(int status);                                                                   \
  _Noreturn void __wrap_##name(int status) {                                                                           \
    if (!controlled) __real_##name(status);                                                                            \
    controlled_end;                                                                                                    \
    leave(status);                                                                                                     \
  }

WRAPPED_END(exit, process_run_exit_handlers())
WRAPPED_END(_exit, )
WRAPPED_END(_Exit, )
WRAPPED_END(quick_exit, )

static int add_exit_handler(void (*function)(void *), void *argument) {
  if (rt->n_exit_handlers == MAX_EXIT_HANDLERS) return -1;
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

/* ---- findings ---- */

static bool is_assumption(site_id site) {
  const struct site *place = (const struct site *)(uint64_t)site;
  return place && strings_equal(place->function, "assume_abort_if_not");
}

_Noreturn void __real_abort(void);
EXPORTED _Noreturn void __wrap_abort(void) {
  if (!controlled) __real_abort();
  const site_id site = take_site();
  finish_run(is_assumption(site) ? OUTCOME_ASSUMPTION_FAILED : OUTCOME_ABORT, site, 0);
}

_Noreturn void __real___assert_fail(const char *expression, const char *file, unsigned line, const char *function);
EXPORTED _Noreturn void __wrap___assert_fail(const char *expression, const char *file, unsigned line,
                                             const char *function) {
  if (!controlled) __real___assert_fail(expression, file, line, function);
  finish_run_with_message(OUTCOME_ASSERTION, take_site(), 0, expression);
}

static bool ends_process(int signal) {
  switch (signal) {
  case 0:
  case SIGCHLD:
  case SIGURG:
  case SIGWINCH:
  case SIGCONT:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU: return false;
  default: return true;
  }
}

static int deliver(int signal, site_id site) {
  if (!ends_process(signal)) return 0;
  rt->status = signal;
  finish_run(OUTCOME_SIGNAL, site, 0);
}

WRAPPED(int, raise, (int signal), (signal)) {
  return deliver(signal, take_site());
}

WRAPPED(int, kill, (pid_t process, int signal), (process, signal)) {
  const site_id site = take_site();
  return process == getpid() || process == 0 ? deliver(signal, site) : __real_kill(process, signal);
}
