/* SPDX-License-Identifier: MIT
 *
 * A queue in a ring, a mutex, and a condition variable for each thing somebody can wait for. `unfinished` counts the
 * jobs that are queued or being done; it is atomic, so that a worker that has done a job need not take the mutex again.
 */
#include "pool.h"
#include "failure.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define PLACES 2

struct job {
  void (*perform)(void *);
  void *argument;
};

struct pool {
  pthread_mutex_t mutex;
  pthread_cond_t job_came, room_came, drained;
  struct job jobs[PLACES];
  unsigned first, n_jobs;
  atomic_int unfinished;
  bool stopping;
  int n_workers;
  pthread_t workers[];
};

static bool take_job(struct pool *pool, struct job *job) {
  pthread_mutex_lock(&pool->mutex);
  while (pool->n_jobs == 0 && !pool->stopping) pthread_cond_wait(&pool->job_came, &pool->mutex);
  const bool found = pool->n_jobs > 0;
  if (found) {
    *job = pool->jobs[pool->first];
    pool->first = (pool->first + 1) % PLACES;
    pool->n_jobs--;
    pthread_cond_signal(&pool->room_came);
  }
  pthread_mutex_unlock(&pool->mutex);
  return found;
}

/* The planted bug: the last worker can count down and signal between pool_drain's look at the count and its wait. */
static void finish_job(struct pool *pool) {
  if (atomic_fetch_sub(&pool->unfinished, 1) == 1) pthread_cond_broadcast(&pool->drained);
}

static void *work(void *argument) {
  struct pool *pool = argument;
  struct job job;
  while (take_job(pool, &job)) {
    failure_set_activity("doing a job");
    job.perform(job.argument);
    finish_job(pool);
    failure_set_activity("waiting for a job");
  }
  return NULL;
}

struct pool *pool_create(int n_workers) {
  struct pool *pool = calloc(1, sizeof *pool + (size_t)n_workers * sizeof *pool->workers);
  if (!pool) fail("no memory", ENOMEM);
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->job_came, NULL);
  pthread_cond_init(&pool->room_came, NULL);
  pthread_cond_init(&pool->drained, NULL);
  pool->n_workers = n_workers;
  for (int i = 0; i < n_workers; i++) {
    const int error = pthread_create(&pool->workers[i], NULL, work, pool);
    if (error) fail("no thread", error);
  }
  return pool;
}

void pool_submit(struct pool *pool, void (*perform)(void *), void *argument) {
  pthread_mutex_lock(&pool->mutex);
  while (pool->n_jobs == PLACES) pthread_cond_wait(&pool->room_came, &pool->mutex);
  pool->jobs[(pool->first + pool->n_jobs) % PLACES] = (struct job){perform, argument};
  pool->n_jobs++;
  atomic_fetch_add(&pool->unfinished, 1);
  pthread_cond_signal(&pool->job_came);
  pthread_mutex_unlock(&pool->mutex);
}

void pool_drain(struct pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  while (atomic_load(&pool->unfinished) > 0) pthread_cond_wait(&pool->drained, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}

void pool_destroy(struct pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->stopping = true;
  pthread_cond_broadcast(&pool->job_came);
  pthread_mutex_unlock(&pool->mutex);
  for (int i = 0; i < pool->n_workers; i++) pthread_join(pool->workers[i], NULL);
  pthread_cond_destroy(&pool->drained);
  pthread_cond_destroy(&pool->room_came);
  pthread_cond_destroy(&pool->job_came);
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}
