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
#include <stdlib.h>
#include <unistd.h>

/* ---- exit ---- */

/* Whether the status is 0 is a finding or not: where it was computed from inputs, a decision. */
static void decide_status(uint32_t term, site_id site) {
  if (!term || rt->channel->options & RUN_ANY_EXIT_STATUS) return;
  decide_branch(term_is(COMPARE_NOT_EQUAL, term_extract(term, 0, 8), term_constant(0, 8)), site);
}

static void run_exit_handlers(void) {
  cxx_run_thread_destructors(self());
  while (rt->n_exit_handlers > 0) {
    const struct exit_handler handler = rt->exit_handlers[--rt->n_exit_handlers];
    handler.function(handler.argument);
    if (controlled) rehearsal_check();
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
