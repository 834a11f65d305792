// SPDX-License-Identifier: MIT
// Results of <threads.h>: threads, mutexes, condition variables, thread-specific data, time.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static cnd_t condition;
static tss_t key;
static int destroyed, calls;
static once_flag once = ONCE_FLAG_INIT;
static const struct timespec past = {0, 0}, bad = {0, -1};

static void destroy(void *value) {
  destroyed += *(int *)value;
}

static void count(void) {
  calls++;
}

static int negative(void *argument) {
  assert(mtx_trylock(&plain) == thrd_busy && mtx_timedlock(&timed, &past) == thrd_timedout);
  assert(mtx_timedlock(&timed, &bad) == thrd_error);
  assert(tss_get(key) == NULL && tss_set(key, argument) == thrd_success && tss_get(key) == argument);
  call_once(&once, count);
  assert(mtx_unlock(&recursive) == thrd_error);
  return -7;
}

static int leaves(void *argument) {
  thrd_exit(*(int *)argument);
}

int main(void) {
  thrd_t t, u;
  int result = 0;
  static int number = 5; // a detached thread may read it after main has returned
  struct timespec time, later;
  assert(mtx_init(&plain, mtx_plain) == thrd_success && mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&condition) == thrd_success && tss_create(&key, destroy) == thrd_success);
  assert(mtx_lock(&plain) == thrd_success && mtx_timedlock(&timed, &past) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  call_once(&once, count);

  assert(thrd_create(&t, negative, &number) == thrd_success);
  assert(thrd_equal(thrd_current(), thrd_current()) && !thrd_equal(thrd_current(), t));
  assert(thrd_join(t, &result) == thrd_success && result == -7);
  assert(thrd_join(t, &result) == thrd_error && destroyed == 5 && calls == 1);
  assert(thrd_create(&u, leaves, &number) == thrd_success && thrd_join(u, &result) == thrd_success && result == 5);
  assert(thrd_create(&u, leaves, &number) == thrd_success && thrd_detach(u) == thrd_success);
  assert(thrd_detach(u) == thrd_error);
  thrd_yield();

  assert(cnd_timedwait(&condition, &plain, &past) == thrd_timedout);
  assert(cnd_timedwait(&condition, &plain, &bad) == thrd_error);
  assert(cnd_signal(&condition) == thrd_success && cnd_broadcast(&condition) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success && mtx_unlock(&timed) == thrd_success);
  mtx_destroy(&plain);
  cnd_destroy(&condition);

  assert(timespec_get(&time, 99) == 0 && timespec_get(&time, TIME_UTC) == TIME_UTC);
  assert(thrd_sleep(&(struct timespec){3, 0}, NULL) == 0 && thrd_sleep(&bad, NULL) == -2);
  assert(timespec_get(&later, TIME_UTC) == TIME_UTC && later.tv_sec >= time.tv_sec + 3);
  tss_delete(key);
  assert(tss_set(key, &number) == thrd_error);
  return 0;
}
