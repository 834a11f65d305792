/* SPDX-License-Identifier: MIT
 * zstd's thread pool: jobs added from two threads while the pool is resized, then joined and freed. */
#include "pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef JOBS
#define JOBS 1
#endif

static atomic_int done;
static POOL_ctx *pool;

static void job(void *unused) {
  atomic_fetch_add(&done, 1);
}

static void *add(void *unused) {
  for (int i = 0; i < JOBS; i++) POOL_add(pool, job, NULL);
  return NULL;
}

int main(void) {
  pool = POOL_create(1, 1);
  assert(pool);
  pthread_t other;
  pthread_create(&other, NULL, add, NULL);
  add(NULL);
#ifdef RESIZE
  POOL_resize(pool, 2);
#endif
  pthread_join(other, NULL);
#ifdef JOIN
  POOL_joinJobs(pool);
  assert(done == 2 * JOBS);
#endif
  POOL_free(pool);
  assert(done == 2 * JOBS);
  return 0;
}
