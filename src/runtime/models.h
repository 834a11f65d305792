/* SPDX-License-Identifier: MIT
 *
 * What every model of a replaced function begins with. WRAPPED declares the real function, and starts the definition of
 * the one the link puts in its place; outside an executor it calls the real one.
 *
 *     WRAPPED(int, sem_post, (sem_t *semaphore), (semaphore)) {
 *       ... the model ...
 *     }
 */
#ifndef HEDDLE_RUNTIME_MODELS_H
#define HEDDLE_RUNTIME_MODELS_H

#include "awaits.h"
#include "cancel.h"
#include "races.h"
#include "rounds.h"
#include "schedule.h"
#include "spin.h"
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define WRAPPED(result, name, parameters, arguments)                                                                   \
  result __real_##name parameters;                                                                                     \
  EXPORTED result __wrap_##name parameters;                                                                            \
  static result model_##name parameters;                                                                               \
  result __wrap_##name parameters {                                                                                    \
    if (!controlled) return __real_##name arguments;                                                                   \
    rehearsal_check();                                                                                                 \
    return model_##name arguments;                                                                                     \
  }                                                                                                                    \
  static result model_##name parameters

/* For functions that do not return a value. */
#define WRAPPED_VOID(name, parameters, arguments)                                                                      \
  void __real_##name parameters;                                                                                       \
  EXPORTED void __wrap_##name parameters;                                                                              \
  static void model_##name parameters;                                                                                 \
  void __wrap_##name parameters {                                                                                      \
    if (!controlled) {                                                                                                 \
      __real_##name arguments;                                                                                         \
      return;                                                                                                          \
    }                                                                                                                  \
    rehearsal_check();                                                                                                 \
    model_##name arguments;                                                                                            \
  }                                                                                                                    \
  static void model_##name parameters

/* For functions that change nothing but the thread's clock: a loop may call them while it waits (awaits.c). */
#define WRAPPED_QUIETLY(result, name, parameters, arguments)                                                           \
  result __real_##name parameters;                                                                                     \
  EXPORTED result __wrap_##name parameters;                                                                            \
  static result model_##name parameters;                                                                               \
  result __wrap_##name parameters {                                                                                    \
    return controlled ? model_##name arguments : __real_##name arguments;                                              \
  }                                                                                                                    \
  static result model_##name parameters

/* The result of a function that fails with this errno. */
static inline int model_fail(int number) {
  errno = number;
  return -1;
}

/* ---- memory that the program hands to a model: accesses like any others (effects.c) ---- */

/* The place of the call, which stays to be taken. */
static inline site_id call_site(void) {
  return (site_id)(uint64_t)__heddle_site;
}
void model_reads(const void *address, uint64_t size_bytes, site_id site);
void model_reads_string(const char *string, site_id site);           /* NULL: nothing */
void model_writes(void *address, uint64_t size_bytes, site_id site); /* what is written next */
/* Announces that it is written, and writes it. NULL: nothing. */
void model_store(void *to, const void *from, uint64_t size_bytes, site_id site);

struct effect_row;
uint64_t effects_call_real(const struct effect_row *row, const void *target, const uint64_t *arguments);
/* The real function, called by its model: with what it does to memory, as its row of abi/effects.def says. Up to six
 * arguments, integers and pointers. */
#define FOLLOWED_REAL(name, ...)                                                                                       \
  ({                                                                                                                   \
    extern const struct effect_row __heddle_effects_##name;                                                            \
    effects_call_real(&__heddle_effects_##name, (const void *)__real_##name,                                           \
                      (const uint64_t[6]){FOLLOWED_WORDS(__VA_ARGS__)});                                               \
  })
#define FOLLOWED_WORDS(...)                                                                                            \
  FOLLOWED_PICK(__VA_ARGS__, WORDS_6, WORDS_5, WORDS_4, WORDS_3, WORDS_2, WORDS_1)(__VA_ARGS__)
#define FOLLOWED_PICK(a, b, c, d, e, f, words, ...) words
#define WORDS_1(a) (uint64_t)(a)
#define WORDS_2(a, ...) (uint64_t)(a), WORDS_1(__VA_ARGS__)
#define WORDS_3(a, ...) (uint64_t)(a), WORDS_2(__VA_ARGS__)
#define WORDS_4(a, ...) (uint64_t)(a), WORDS_3(__VA_ARGS__)
#define WORDS_5(a, ...) (uint64_t)(a), WORDS_4(__VA_ARGS__)
#define WORDS_6(a, ...) (uint64_t)(a), WORDS_5(__VA_ARGS__)

/* An operation on a synchronisation object. */
static inline void schedule_object(uint8_t kind, struct object *object, site_id site, bool can_block) {
  spin_changes(self());
  schedule_operation((struct operation){
      .kind = kind, .address = object->address, .object = object, .site = site, .can_block = can_block});
  object_check(object, site);
}

static inline struct visit visit_of_object(const struct object *object, site_id site, char *frame) {
  return (struct visit){{(uint64_t)object, object->version, 0, false}, site, frame};
}

/* One that fails without changing anything when the object is not available, so that a loop of it is a spin loop. When
 * it does not fail, the caller calls spin_end. */
static inline void schedule_attempt(uint8_t kind, struct object *object, site_id site, char *frame) {
  rounds_before_read(self(), visit_of_object(object, site, frame));
  schedule_operation((struct operation){.kind = kind, .address = object->address, .object = object, .site = site});
  spin_after_read(self(), visit_of_object(object, site, frame));
  object_check(object, site);
}

static inline struct event *record_object(uint8_t kind, const struct object *object, site_id site, uint64_t value) {
  struct event *event = trace_record(kind, object->address, 0, site);
  event->value = value;
  event->flags |= EVENT_VALUE_KNOWN;
  if (object->class == RWLOCK_OBJECT && object->type) event->flags |= EVENT_PREFERS_WRITERS;
  if (object->class == MUTEX_OBJECT && object->robustness != NOT_ROBUST) event->size = MUTEX_ROBUST;
  return event;
}

/* Cancellation points. A function that may wait for an object announces it with schedule_cancellable, one that never
 * waits begins with cancel_point; both return only if the thread continues. A signal may have interrupted the former:
 * the thread's was_interrupted says so, and it fails with EINTR. */
_Noreturn void cancel_act(site_id site);
void cancel_point(site_id site, char *frame);

static inline void schedule_cancellable(uint8_t kind, struct object *object, site_id site) {
  spin_changes(self());
  self()->was_interrupted = false;
  schedule_operation((struct operation){.kind = kind,
                                        .address = object->address,
                                        .object = object,
                                        .site = site,
                                        .can_block = true,
                                        .interruption = IS_RESTARTED,
                                        .cancels = true});
  if (cancel_is_due(self())) cancel_act(site);
}

/* Threads, as cancellation uses them. */
struct thread *thread_of(pthread_t handle); /* NULL: not a thread of this run */
/* The same, by somebody to whom it matters which thread it is. */
struct thread *thread_asked_for(pthread_t handle);
/* Of its thread-local variables; before those of keys. */
void cxx_run_thread_destructors(struct thread *thread);
_Noreturn void thread_unwind(void); /* runs cleanup handlers and ends with thread->result */

/* A function that heddle does not do, or not as POSIX says; the message tells what it does instead. */
int process_deliver(int signal, site_id site); /* to the running thread; returns if it continues */
void process_not_supported(site_id site, const char *message);

/* Where a jump leads to, on the stack. */
struct __jmp_buf_tag;
uint64_t jump_stack_pointer(const struct __jmp_buf_tag *buffer);

/* Mutexes, as condition variables use them. */
int mutex_take(struct object *mutex, site_id site); /* when it is available; EOWNERDEAD, ENOTRECOVERABLE */
void mutex_release(struct object *mutex);

/* Semaphores, as both kinds of them use them: takes a token that is there; puts one. Recorded. */
void semaphore_take(uint8_t kind, struct object *semaphore, site_id site);
void semaphore_give(struct object *semaphore, site_id site);

/* Deadlines of timed operations, in the virtual time of the thread that waits. */
struct deadline {
  clockid_t clock;
  struct timespec time;
};
struct deadline deadline_after(uint64_t nanoseconds); /* from now on */
bool deadline_has_clock(clockid_t clock);             /* one that timed operations may use */
bool deadline_is_valid(const struct deadline *deadline);
/* The thread gives up: its clock moves to the deadline. Returns ETIMEDOUT; EINVAL for one that is not valid. */
int deadline_passed(const struct deadline *deadline);
/* A timed operation (or, with NULL, another) ended with this result in time: passes it on. */
int deadline_kept(const struct deadline *deadline, int result);

/* An operation that waits for an object, until the deadline unless that is NULL: then it may also be chosen when it
 * has to give up. */
static inline void schedule_until(uint8_t kind, struct object *object, site_id site, const struct deadline *deadline) {
  spin_changes(self());
  schedule_operation((struct operation){.kind = kind,
                                        .address = object->address,
                                        .object = object,
                                        .site = site,
                                        .can_block = true,
                                        .can_give_up = deadline != NULL});
  object_check(object, site);
}

/* The same for a cancellation point. */
static inline void schedule_cancellable_until(uint8_t kind, struct object *object, site_id site,
                                              const struct deadline *deadline) {
  spin_changes(self());
  self()->was_interrupted = false;
  schedule_operation((struct operation){.kind = kind,
                                        .address = object->address,
                                        .object = object,
                                        .site = site,
                                        .can_block = true,
                                        .interruption = IS_RESTARTED,
                                        .cancels = true,
                                        .can_give_up = deadline != NULL});
  if (cancel_is_due(self())) cancel_act(site);
  object_check(object, site);
}

#endif
