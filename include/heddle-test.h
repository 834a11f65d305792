/* SPDX-License-Identifier: MIT
 *
 * Tests of concurrent code, for `heddle test`, in plain C:
 *
 *     #include <heddle-test.h>
 *
 *     HEDDLE_TEST(two_increments) {
 *       heddle_spawn(increment, &counter);
 *       heddle_spawn(increment, &counter);
 *       heddle_join_all();
 *       assert(counter == 2);
 *     }
 *
 * A file needs no main: there is one here, unless the program has its own. The program lists its tests with --list, and
 * runs the one whose name it is given, or all of them, one after the other. With another compiler than heddle's, the
 * tests run as they are, with the schedules that happen.
 */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include "heddle.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
#error "heddle-test.h is for C"
#endif

/* ---- tests ---- */

struct heddle_test {
  const char *name, *file;
  int line;
  void (*function)(void);
};

extern const struct heddle_test __start_heddle_tests[] __attribute__((weak));
extern const struct heddle_test __stop_heddle_tests[] __attribute__((weak));

#define HEDDLE_TEST(name_)                                                                                             \
  static void name_(void);                                                                                             \
  static const struct heddle_test heddle_test_##name_                                                                  \
      __attribute__((used, section("heddle_tests"), aligned(8))) = {#name_, __FILE__, __LINE__, name_};                \
  static void name_(void)

/* ---- what tests need ---- */

#define HEDDLE_MOST_SPAWNED 64

struct heddle_spawned {
  pthread_t threads[HEDDLE_MOST_SPAWNED];
  int count;
};

/* One for the whole program, whatever file it is used in. */
__attribute__((weak)) struct heddle_spawned heddle_spawned;

/* A thread that calls f(argument). Returns its number, from 0, which heddle_join takes. */
static inline int heddle_spawn(void *(*f)(void *), void *argument) {
  if (heddle_spawned.count == HEDDLE_MOST_SPAWNED ||
      pthread_create(&heddle_spawned.threads[heddle_spawned.count], NULL, f, argument) != 0) {
    fprintf(stderr, "heddle_spawn: no more than %d threads\n", HEDDLE_MOST_SPAWNED);
    abort();
  }
  return heddle_spawned.count++;
}

/* Waits for all threads of heddle_spawn, in their order. Only the thread that made them calls it. */
static inline void heddle_join_all(void) {
  for (int i = 0; i < heddle_spawned.count; i++) pthread_join(heddle_spawned.threads[i], NULL);
  heddle_spawned.count = 0;
}

/* Waits until the condition holds. If it never does, however long the others go on, that is a livelock. */
#define heddle_assert_eventually(condition)                                                                            \
  do {                                                                                                                 \
    while (!(condition)) sched_yield();                                                                                \
  } while (0)

/* heddle_repeat(1000) { ... }: as often where schedules are left to chance; under heddle once, which tries them all. */
#ifdef __HEDDLE__
#define heddle_repeat(times) for (long heddle_times = (times) > 0; heddle_times > 0; heddle_times--)
#else
#define heddle_repeat(times) for (long heddle_times = (times); heddle_times > 0; heddle_times--)
#endif

/* ---- linearizability ----
 *
 * A concurrent object is linearizable if the results of its calls are those of some order of the calls, one at a time,
 * in which a call that ended before another one began comes before it. The test records the calls:
 *
 *     static struct heddle_history history = HEDDLE_HISTORY(2);                       two threads make calls
 *     ...
 *     HEDDLE_CALL(&history, 0, PUSH, 7, (stack_push(&stack, 7), 0));                  thread 0: an operation, its
 * argument, long value = HEDDLE_CALL(&history, 1, POP, 0, stack_pop(&stack));               and the call that gives its
 * result
 *     ...
 *     heddle_linearizable(&history, &stack_spec);                                     when the threads were joined
 *
 * The specification says what the object does if calls come one at a time; its state is a plain value that is copied:
 *
 *     struct model { long items[8]; int count; };
 *     static long model_apply(void *state, int operation, long argument) { ... }      gives the result
 *     HEDDLE_SPEC(stack_spec, struct model, model_apply, "push", "pop")               names of operations 0, 1, ...
 *
 * The state begins with all bytes zero. That one call ends before another begins is part of what heddle explores. */
#define HEDDLE_MOST_CALLERS 8
#define HEDDLE_MOST_CALLS 16 /* of one thread */

struct heddle_call {
  int operation;
  long argument, result;
  unsigned after[HEDDLE_MOST_CALLERS]; /* how many calls of each thread had ended when it began */
};

struct heddle_history {
  int callers;
  unsigned count[HEDDLE_MOST_CALLERS]; /* calls of each thread, which alone touches them before the end */
  struct heddle_call calls[HEDDLE_MOST_CALLERS][HEDDLE_MOST_CALLS];
  _Atomic unsigned ended[HEDDLE_MOST_CALLERS];
};

#define HEDDLE_HISTORY(threads)                                                                                        \
  { .callers = (threads) }

struct heddle_spec {
  const char *apply_name;
  size_t state_size;
  long (*apply)(void *state, int operation, long argument);
  const char *const *names;
  int n_names;
};

extern const struct heddle_spec *const __start_heddle_specs[] __attribute__((weak));
extern const struct heddle_spec *const __stop_heddle_specs[] __attribute__((weak));

#define HEDDLE_SPEC(name_, state, apply_, ...)                                                                         \
  static const char *const name_##_names[] = {__VA_ARGS__};                                                            \
  static const struct heddle_spec name_ = {#apply_, sizeof(state), apply_, name_##_names,                              \
                                           sizeof name_##_names / sizeof *name_##_names};                              \
  static const struct heddle_spec *const name_##_listed __attribute__((used, section("heddle_specs"))) = &name_;

static inline struct heddle_call *heddle_call_begin(struct heddle_history *history, int caller, int operation,
                                                    long argument) {
  if (caller < 0 || caller >= history->callers || history->callers > HEDDLE_MOST_CALLERS ||
      history->count[caller] == HEDDLE_MOST_CALLS) {
    fprintf(stderr, "heddle_call: thread %d of %d, at most %d calls each\n", caller, history->callers,
            HEDDLE_MOST_CALLS);
    abort();
  }
  struct heddle_call *call = &history->calls[caller][history->count[caller]];
  call->operation = operation;
  call->argument = argument;
  for (int i = 0; i < history->callers; i++) call->after[i] = i == caller ? history->count[caller] : history->ended[i];
  return call;
}

static inline long heddle_call_end(struct heddle_history *history, int caller, struct heddle_call *call, long result) {
  call->result = result;
  history->ended[caller] = ++history->count[caller];
  return result;
}

#define HEDDLE_CALL(history, caller, operation, argument, expression)                                                  \
  __extension__({                                                                                                      \
    struct heddle_call *heddle_this = heddle_call_begin(history, caller, operation, argument);                         \
    heddle_call_end(history, caller, heddle_this, (expression));                                                       \
  })

/* --- the search for an order: a call can be next if all that ended before it began were --- */

struct heddle_search {
  const struct heddle_history *history;
  const struct heddle_spec *spec;
  unsigned taken[HEDDLE_MOST_CALLERS];
  unsigned char *seen; /* where it led nowhere: `taken` and the state, one after the other */
  size_t n_seen, most_seen, entry_size;
};

static inline int heddle_was_seen(const struct heddle_search *search, const void *state) {
  for (size_t i = 0; i < search->n_seen; i++) {
    const unsigned char *entry = search->seen + i * search->entry_size;
    if (memcmp(entry, search->taken, sizeof search->taken) == 0 &&
        memcmp(entry + sizeof search->taken, state, search->spec->state_size) == 0)
      return 1;
  }
  return 0;
}

static inline void heddle_note_seen(struct heddle_search *search, const void *state) {
  if (search->n_seen == search->most_seen) {
    search->most_seen = search->most_seen ? 2 * search->most_seen : 64;
    search->seen = (unsigned char *)realloc(search->seen, search->most_seen * search->entry_size);
    if (!search->seen) abort();
  }
  unsigned char *entry = search->seen + search->n_seen++ * search->entry_size;
  memcpy(entry, search->taken, sizeof search->taken);
  memcpy(entry + sizeof search->taken, state, search->spec->state_size);
}

static inline int heddle_can_be_next(const struct heddle_search *search, int caller) {
  const struct heddle_call *call = &search->history->calls[caller][search->taken[caller]];
  if (search->taken[caller] == search->history->count[caller]) return 0;
  for (int i = 0; i < search->history->callers; i++)
    if (call->after[i] > search->taken[i]) return 0;
  return 1;
}

static inline int heddle_order_exists(struct heddle_search *search, const void *state) {
  int left = 0, found = 0;
  for (int i = 0; i < search->history->callers; i++) left |= search->taken[i] < search->history->count[i];
  if (!left) return 1;
  if (heddle_was_seen(search, state)) return 0;
  void *next = malloc(search->spec->state_size);
  if (!next) abort();
  for (int i = 0; i < search->history->callers && !found; i++) {
    if (!heddle_can_be_next(search, i)) continue;
    const struct heddle_call *call = &search->history->calls[i][search->taken[i]];
    memcpy(next, state, search->spec->state_size);
    if (search->spec->apply(next, call->operation, call->argument) != call->result) continue;
    search->taken[i]++;
    found = heddle_order_exists(search, next);
    search->taken[i]--;
  }
  free(next);
  if (!found) heddle_note_seen(search, state);
  return found;
}

static inline int heddle_is_linearizable(const struct heddle_history *history, const struct heddle_spec *spec) {
  struct heddle_search search = {.history = history, .spec = spec};
  search.entry_size = sizeof search.taken + spec->state_size;
  void *state = calloc(1, spec->state_size);
  if (!state) abort();
  const int found = heddle_order_exists(&search, state);
  free(state);
  free(search.seen);
  return found;
}

/* --- the calls on a time line: columns are moments at which calls begin or end --- */

#define HEDDLE_MOMENTS (2 * HEDDLE_MOST_CALLERS * HEDDLE_MOST_CALLS + 2)

struct heddle_times {
  int begin[HEDDLE_MOST_CALLERS][HEDDLE_MOST_CALLS], end[HEDDLE_MOST_CALLERS][HEDDLE_MOST_CALLS];
  unsigned begun[HEDDLE_MOST_CALLERS], ended[HEDDLE_MOST_CALLERS];
  int now;
};

/* Lets every call begin that can; false if none did. */
static inline int heddle_let_begin(const struct heddle_history *history, struct heddle_times *times) {
  int some = 0;
  for (int i = 0; i < history->callers; i++) {
    if (times->begun[i] > times->ended[i] || times->begun[i] == history->count[i]) continue;
    int can = 1;
    for (int j = 0; j < history->callers; j++) can &= history->calls[i][times->begun[i]].after[j] <= times->ended[j];
    if (can) times->begin[i][times->begun[i]++] = times->now;
    some |= can;
  }
  return some;
}

/* Is its end what another call waits for that has not begun? */
static inline int heddle_end_is_wanted(const struct heddle_history *history, const struct heddle_times *times,
                                       int caller) {
  for (int j = 0; j < history->callers; j++)
    if (times->begun[j] < history->count[j] && history->calls[j][times->begun[j]].after[caller] > times->ended[caller])
      return 1;
  return 0;
}

static inline void heddle_place_calls(const struct heddle_history *history, struct heddle_times *times) {
  for (;;) {
    if (heddle_let_begin(history, times)) times->now++;
    int open = 0, wanted = 0;
    for (int i = 0; i < history->callers; i++) {
      if (times->begun[i] == times->ended[i]) continue;
      open = 1;
      if (!heddle_end_is_wanted(history, times, i)) continue;
      times->end[i][times->ended[i]++] = times->now;
      wanted = 1;
    }
    for (int i = 0; open && !wanted && i < history->callers; i++)
      if (times->begun[i] > times->ended[i]) times->end[i][times->ended[i]++] = times->now;
    if (!open) return;
    times->now++;
  }
}

static inline void heddle_print_call(FILE *stream, const struct heddle_spec *spec, const struct heddle_call *call,
                                     int width) {
  char words[64];
  const char *name = call->operation >= 0 && call->operation < spec->n_names ? spec->names[call->operation] : "?";
  const int length = snprintf(words, sizeof words, "%s(%ld)=%ld", name, call->argument, call->result);
  fprintf(stream, "[%s%*s]", words, width > length + 2 ? width - length - 2 : 0, "");
}

static inline int heddle_call_width(const struct heddle_spec *spec, const struct heddle_call *call) {
  const char *name = call->operation >= 0 && call->operation < spec->n_names ? spec->names[call->operation] : "?";
  return snprintf(NULL, 0, "[%s(%ld)=%ld]", name, call->argument, call->result) + 1;
}

/* Columns are as wide as the calls in them need. */
static inline void heddle_print_history(FILE *stream, const struct heddle_history *history,
                                        const struct heddle_spec *spec) {
  struct heddle_times times = {.now = 0};
  int at[HEDDLE_MOMENTS] = {0};
  heddle_place_calls(history, &times);
  for (int moment = 1; moment <= times.now; moment++) {
    at[moment] = at[moment - 1] + 2;
    for (int i = 0; i < history->callers; i++)
      for (unsigned k = 0; k < history->count[i]; k++)
        if (times.end[i][k] == moment) {
          const int needed = at[times.begin[i][k]] + heddle_call_width(spec, &history->calls[i][k]);
          if (at[moment] < needed) at[moment] = needed;
        }
  }
  for (int i = 0; i < history->callers; i++) {
    int column = 0;
    fprintf(stream, "  thread %d  ", i);
    for (unsigned k = 0; k < history->count[i]; k++) {
      const int from = at[times.begin[i][k]], to = at[times.end[i][k]];
      fprintf(stream, "%*s", from > column ? from - column : 0, "");
      heddle_print_call(stream, spec, &history->calls[i][k], to - from - 1);
      column = to - 1;
    }
    fputs("\n", stream);
  }
}

static inline int heddle_check_linearizable(const struct heddle_history *history, const struct heddle_spec *spec) {
  if (heddle_is_linearizable(history, spec)) return 1;
  fputs("not linearizable: no order of these calls, one at a time, gives their results (time goes to the right)\n",
        stderr);
  heddle_print_history(stderr, history, spec);
  return 0;
}

#define heddle_linearizable(history, spec)                                                                             \
  (heddle_check_linearizable(history, spec)                                                                            \
       ? (void)0                                                                                                       \
       : __assert_fail("the calls are linearizable", __FILE__, __LINE__, __func__))

/* ---- main ---- */

static inline size_t heddle_count_tests(void) {
  return (size_t)(__stop_heddle_tests - __start_heddle_tests);
}

static inline void heddle_run_test(const struct heddle_test *test) {
  test->function();
  heddle_join_all();
}

static inline int heddle_run_named(const char *name) {
  for (size_t i = 0; i < heddle_count_tests(); i++)
    if (strcmp(__start_heddle_tests[i].name, name) == 0) {
      heddle_run_test(&__start_heddle_tests[i]);
      return 0;
    }
  fprintf(stderr, "there is no test %s\n", name);
  return 2;
}

static inline int heddle_list(void) {
  for (size_t i = 0; i < heddle_count_tests(); i++)
    printf("test %s %d %s\n", __start_heddle_tests[i].name, __start_heddle_tests[i].line, __start_heddle_tests[i].file);
  for (size_t i = 0; i < (size_t)(__stop_heddle_specs - __start_heddle_specs); i++)
    printf("specification %s\n", __start_heddle_specs[i]->apply_name);
  return 0;
}

/* Each in a process of its own, so that it finds the program as it was; in a program of heddle's, which is explored
 * test by test, in turn. */
static inline int heddle_run_all(void) {
  int failed = 0;
#ifdef __HEDDLE__
  for (size_t i = 0; i < heddle_count_tests(); i++) heddle_run_test(&__start_heddle_tests[i]);
#else
  for (size_t i = 0; i < heddle_count_tests(); i++) {
    const struct heddle_test *test = &__start_heddle_tests[i];
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
      heddle_run_test(test);
      exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) failed = 1;
    printf("%s: %s\n", test->name, status == 0 ? "passed" : "FAILED");
  }
#endif
  return failed;
}

/* The program's own main is taken instead of this one. */
__attribute__((weak)) int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return heddle_list();
  if (argc == 2) return heddle_run_named(argv[1]);
  return heddle_run_all();
}

#endif
