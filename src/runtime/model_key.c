/* SPDX-License-Identifier: MIT
 *
 * Thread-specific data. Not visible operations: a value belongs to its thread.
 *
 * Code that heddle did not compile may have made keys before main (constructors.c): they are the C library's then, and
 * every run begins with them.
 */
#include "models.h"
#include "process.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

struct early_key {
  bool is_used;
  void (*destructor)(void *);
  const void *value; /* main's */
};

static struct early_key early_keys[MAX_KEYS];
static unsigned n_early_keys;

static int create_early(pthread_key_t *key, void (*destructor)(void *)) {
  int __real_pthread_key_create(pthread_key_t *, void (*)(void *));
  const int error = __real_pthread_key_create(key, destructor);
  if (error || *key >= MAX_KEYS) return error;
  early_keys[*key] = (struct early_key){.is_used = true, .destructor = destructor};
  if (*key >= n_early_keys) n_early_keys = *key + 1;
  return 0;
}

static int create(pthread_key_t *key, void (*destructor)(void *)) {
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

EXPORTED int __wrap_pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int __wrap_pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  return controlled ? create(key, destructor) : create_early(key, destructor);
}

static bool is_key(pthread_key_t key) {
  return key < MAX_KEYS && rt->key_used[key];
}

WRAPPED(int, pthread_key_delete, (pthread_key_t key), (key)) {
  if (!is_key(key)) return EINVAL;
  rt->key_used[key] = false;
  return 0;
}

static int set_early(pthread_key_t key, const void *value) {
  int __real_pthread_setspecific(pthread_key_t, const void *);
  if (key < MAX_KEYS && early_keys[key].is_used) early_keys[key].value = value;
  return __real_pthread_setspecific(key, value);
}

static int set(pthread_key_t key, const void *value) {
  if (!is_key(key)) return EINVAL;
  self()->keys[key] = (void *)value;
  return 0;
}

EXPORTED int __wrap_pthread_setspecific(pthread_key_t key, const void *value);
int __wrap_pthread_setspecific(pthread_key_t key, const void *value) {
  return controlled ? set(key, value) : set_early(key, value);
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
  for (unsigned i = 0; i < n_early_keys && thread->id == 0; i++) thread->keys[i] = (void *)early_keys[i].value;
}

void keys_begin_run(void) {
  if (rt->n_keys) memset(rt->key_used, 0, rt->n_keys * sizeof rt->key_used[0]);
  rt->n_keys = n_early_keys;
  for (unsigned i = 0; i < n_early_keys; i++) {
    rt->key_used[i] = early_keys[i].is_used;
    rt->key_destructors[i] = early_keys[i].destructor;
  }
}
