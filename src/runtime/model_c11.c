/* SPDX-License-Identifier: MIT
 *
 * <threads.h> of C11, by the models of the pthread functions: in glibc a thrd_t is a pthread_t, a mtx_t a
 * pthread_mutex_t, and so on. What differs are the results.
 */
#include "children.h"
#include "models.h"
#include "snapshot.h"
#include "terms.h"
#include "twins.h"
#include "unfollowed.h"

#include <errno.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t holds a pthread_mutex_t");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t holds a pthread_cond_t");

int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_join(pthread_t, void **);
int __wrap_pthread_detach(pthread_t);
pthread_t __wrap_pthread_self(void);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *);
int __wrap_pthread_mutex_lock(pthread_mutex_t *);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *);
int __wrap_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __wrap_pthread_cond_destroy(pthread_cond_t *);
int __wrap_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __wrap_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int __wrap_pthread_cond_signal(pthread_cond_t *);
int __wrap_pthread_cond_broadcast(pthread_cond_t *);
int __wrap_pthread_key_create(pthread_key_t *, void (*)(void *));
int __wrap_pthread_key_delete(pthread_key_t);
int __wrap_pthread_setspecific(pthread_key_t, const void *);
void *__wrap_pthread_getspecific(pthread_key_t);
int __wrap_pthread_once(pthread_once_t *, void (*)(void));
int __wrap_nanosleep(const struct timespec *, struct timespec *);
int __wrap_clock_gettime(clockid_t, struct timespec *);

static int as_c11(int error) {
  switch (error) {
  case 0: return thrd_success;
  case ENOMEM: return thrd_nomem;
  case ETIMEDOUT: return thrd_timedout;
  case EBUSY: return thrd_busy;
  default: return thrd_error;
  }
}

/* ---- threads ---- */

EXPORTED int __wrap_thrd_create(thrd_t *thread, thrd_start_t function, void *argument);

/* The function's int comes back in the low half of the register a pointer would come back in. */
static int create(thrd_t *thread, thrd_start_t function, void *argument) {
  void *(*start)(void *) = (void *(*)(void *))(void *)function;
  uint32_t terms[3] = {0};
  call_take_terms((const void *)__wrap_thrd_create, terms, 3);
  decide_pin(terms[1], PIN_JUMP, (site_id)(uint64_t)__heddle_site);
  const int error = __wrap_pthread_create(thread, NULL, start, argument);
  if (!error) thread_of(*thread)->argument_term = terms[2];
  return as_c11(error);
}

int __real_thrd_create(thrd_t *thread, thrd_start_t function, void *argument);
int __wrap_thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  if (controlled) return create(thread, function, argument);
  child_report(CHILD_CREATES_THREAD, call_site());
  return __real_thrd_create(thread, function, argument);
}

WRAPPED(int, thrd_join, (thrd_t thread, int *result), (thread, result)) {
  struct thread *target = thread_of(thread);
  const int error = __wrap_pthread_join(thread, NULL);
  if (error || !result) return as_c11(error);
  twins_tell_apart(target, "somebody looks at the result of one of them");
  *result = (int)(intptr_t)target->result;
  term_memory_store((uint64_t)result, sizeof *result, target->result_term);
  return thrd_success;
}

WRAPPED(int, thrd_detach, (thrd_t thread), (thread)) {
  return as_c11(__wrap_pthread_detach(thread));
}

_Noreturn void __real_thrd_exit(int result);
EXPORTED _Noreturn void __wrap_thrd_exit(int result) {
  if (!controlled) __real_thrd_exit(result);
  self()->result = (void *)(intptr_t)result;
  self()->result_term = call_take_term((const void *)__wrap_thrd_exit, 0);
  thread_unwind();
}

WRAPPED(thrd_t, thrd_current, (void), ()) {
  return __wrap_pthread_self();
}

WRAPPED(int, thrd_equal, (thrd_t a, thrd_t b), (a, b)) {
  return a == b;
}

/* -1 would mean that a signal came. */
WRAPPED_QUIETLY(int, thrd_sleep, (const struct timespec *duration, struct timespec *rest), (duration, rest)) {
  return __wrap_nanosleep(duration, rest) == 0 ? 0 : -2;
}

WRAPPED_VOID(thrd_yield, (void), ()) {}

/* ---- mutexes ---- */

static pthread_mutex_t *mutex_in(mtx_t *mutex) {
  return (pthread_mutex_t *)mutex;
}

WRAPPED(int, mtx_init, (mtx_t * mutex, int type), (mutex, type)) {
  object_before_initialise(mutex, MUTEX_OBJECT, take_site());
  snapshot_make_writable(mutex, sizeof *mutex);
  const int result = __real_mtx_init(mutex, type);
  if (result == thrd_success) object_reset(mutex, MUTEX_OBJECT);
  return result;
}

WRAPPED_VOID(mtx_destroy, (mtx_t * mutex), (mutex)) {
  __wrap_pthread_mutex_destroy(mutex_in(mutex));
}

WRAPPED(int, mtx_lock, (mtx_t * mutex), (mutex)) {
  return as_c11(__wrap_pthread_mutex_lock(mutex_in(mutex)));
}

WRAPPED(int, mtx_timedlock, (mtx_t *restrict mutex, const struct timespec *restrict time), (mutex, time)) {
  return as_c11(__wrap_pthread_mutex_timedlock(mutex_in(mutex), time));
}

WRAPPED(int, mtx_trylock, (mtx_t * mutex), (mutex)) {
  return as_c11(__wrap_pthread_mutex_trylock(mutex_in(mutex)));
}

WRAPPED(int, mtx_unlock, (mtx_t * mutex), (mutex)) {
  return as_c11(__wrap_pthread_mutex_unlock(mutex_in(mutex)));
}

/* ---- condition variables ---- */

static pthread_cond_t *condition_in(cnd_t *condition) {
  return (pthread_cond_t *)condition;
}

WRAPPED(int, cnd_init, (cnd_t * condition), (condition)) {
  return as_c11(__wrap_pthread_cond_init(condition_in(condition), NULL));
}

WRAPPED_VOID(cnd_destroy, (cnd_t * condition), (condition)) {
  __wrap_pthread_cond_destroy(condition_in(condition));
}

WRAPPED(int, cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex)) {
  return as_c11(__wrap_pthread_cond_wait(condition_in(condition), mutex_in(mutex)));
}

WRAPPED(int, cnd_timedwait, (cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time),
        (condition, mutex, time)) {
  return as_c11(__wrap_pthread_cond_timedwait(condition_in(condition), mutex_in(mutex), time));
}

WRAPPED(int, cnd_signal, (cnd_t * condition), (condition)) {
  return as_c11(__wrap_pthread_cond_signal(condition_in(condition)));
}

WRAPPED(int, cnd_broadcast, (cnd_t * condition), (condition)) {
  return as_c11(__wrap_pthread_cond_broadcast(condition_in(condition)));
}

/* ---- thread-specific data, once, time ---- */

WRAPPED(int, tss_create, (tss_t * key, tss_dtor_t destructor), (key, destructor)) {
  return as_c11(__wrap_pthread_key_create(key, destructor));
}

WRAPPED_VOID(tss_delete, (tss_t key), (key)) {
  __wrap_pthread_key_delete(key);
}

WRAPPED(void *, tss_get, (tss_t key), (key)) {
  return __wrap_pthread_getspecific(key);
}

WRAPPED(int, tss_set, (tss_t key, void *value), (key, value)) {
  return as_c11(__wrap_pthread_setspecific(key, value));
}

WRAPPED_VOID(call_once, (once_flag * flag, void (*function)(void)), (flag, function)) {
  __wrap_pthread_once(&flag->__data, function);
}

WRAPPED(int, timespec_get, (struct timespec * time, int base), (time, base)) {
  if (base != TIME_UTC) return 0;
  __wrap_clock_gettime(CLOCK_REALTIME, time);
  return base;
}
