/* SPDX-License-Identifier: MIT
 *
 * In the shape of art, of the paper on con2colic testing: every step from N - 1 to N adds a thread, an input and a deep
 * assertion. Thread k passes something on only if what thread k - 1 passed on fits its own input, so the last thread's
 * assertion needs N - 1 values to go from thread to thread, and the right inputs. Every thread has two branches; the
 * first thread's depend on its input alone.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int passed[N + 1], highest;

static int take(int from) {
  pthread_mutex_lock(&lock);
  const int value = passed[from];
  pthread_mutex_unlock(&lock);
  return value;
}

static void give(int to, int value) {
  pthread_mutex_lock(&lock);
  passed[to] = value;
  pthread_mutex_unlock(&lock);
}

static void note(int value) {
  pthread_mutex_lock(&lock);
  highest = value;
  pthread_mutex_unlock(&lock);
}

/* Whether a thread with this input passes on what it gets. 0 is nothing; what is passed on is odd. */
static int fits(int before, int input, int k) {
  return (before & 1) & (input == before + 2 * k);
}

static void *worker_1(void *unused) {
  const int input = heddle_input_int("input 1");
  if (input > 100) note(input);
  if (input == 41) give(1, input);
  return unused;
}

#define BEGIN_WORKER(k)                                                                                                \
  static void *worker_##k(void *unused) {                                                                              \
    const int input = heddle_input_int("input " #k), before = take(k - 1);                                             \
    if (input > 100) note(input);

#define PASS_ON(k)                                                                                                     \
  BEGIN_WORKER(k)                                                                                                      \
  if (fits(before, input, k)) give(k, input);                                                                          \
  return unused;                                                                                                       \
  }

#define LAST(k)                                                                                                        \
  BEGIN_WORKER(k)                                                                                                      \
  assert(!fits(before, input, k));                                                                                     \
  return unused;                                                                                                       \
  }

#if N == 2
LAST(2)
#else
PASS_ON(2)
#if N == 3
LAST(3)
#else
PASS_ON(3)
#if N == 4
LAST(4)
#else
PASS_ON(4)
#if N == 5
LAST(5)
#else
PASS_ON(5)
LAST(6)
#endif
#endif
#endif
#endif

/* Without loops: every branch is a thread's. */
#define START(k) pthread_create(&threads[k - 1], NULL, worker_##k, NULL)
#define END(k) pthread_join(threads[k - 1], NULL)

int main(void) {
  pthread_t threads[N];
  START(1);
  START(2);
#if N > 2
  START(3);
#endif
#if N > 3
  START(4);
#endif
#if N > 4
  START(5);
#endif
#if N > 5
  START(6);
#endif
  END(1);
  END(2);
#if N > 2
  END(3);
#endif
#if N > 3
  END(4);
#endif
#if N > 4
  END(5);
#endif
#if N > 5
  END(6);
#endif
  return 0;
}
