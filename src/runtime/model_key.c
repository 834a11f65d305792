/* SPDX-License-Identifier: MIT
 *
 * Thread-specific data. Not visible operations: a value belongs to its thread.
 */
#include "models.h"
#include "process.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

WRAPPED(int, pthread_key_create, (pthread_key_t * key, void (*destructor)(void *)), (key, destructor)) {
  for (unsigned i = 0; i < MAX_KEYS; i++) {
    if (rt->key_used[i]) continue;
    rt->key_used[i] = true;
    rt->key_destructors[i] = destructor;
    if (i >= rt->n_keys) rt->n_keys = i + 1;
    for (uint32_t t = 0; t <= rt->highest_thread; t++) rt->threads[t].keys[i] = NULL;
    model_store(key, &(pthread_key_t){i}, sizeof *key, call_site());
    return 0;
  }
  return EAGAIN;
}

static bool is_key(pthread_key_t key) {
  return key < MAX_KEYS && rt->key_used[key];
}

WRAPPED(int, pthread_key_delete, (pthread_key_t key), (key)) {
  if (!is_key(key)) return EINVAL;
  rt->key_used[key] = false;
  return 0;
}

WRAPPED(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value)) {
  if (!is_key(key)) return EINVAL;
  self()->keys[key] = (void *)value;
  return 0;
}

WRAPPED(void *, pthread_getspecific, (pthread_key_t key), (key)) {
  return is_key(key) ? self()->keys[key] : NULL;
}

static bool run_destructors_once(struct thread *thread) {
  bool any = false;
  for (unsigned i = 0; i < rt->n_keys; i++) {
    void *value = thread->keys[i];
    if (!value || !rt->key_used[i] || !rt->key_destructors[i]) continue;
    thread->keys[i] = NULL;
    rt->key_destructors[i](value);
    rehearsal_check();
    any = true;
  }
  return any;
}

void keys_run_destructors(struct thread *thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
    if (!run_destructors_once(thread)) return;
}

/* Filling no bytes of a page that was never written to costs a processor more than filling many. */
void keys_begin_thread(struct thread *thread) {
  if (rt->n_keys) memset(thread->keys, 0, rt->n_keys * sizeof thread->keys[0]);
}

void keys_begin_run(void) {
  if (!rt->n_keys) return;
  memset(rt->key_used, 0, rt->n_keys * sizeof rt->key_used[0]);
  rt->n_keys = 0;
}
