/* SPDX-License-Identifier: MIT
 * C-Thread-Pool: two workers, two jobs, wait for them, destroy the pool. */
#include "thpool.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void job(void *unused) {
  atomic_fetch_add(&done, 1);
}

int main(void) {
  threadpool pool = thpool_init(2);
  thpool_add_work(pool, job, NULL);
  thpool_add_work(pool, job, NULL);
  thpool_wait(pool);
  assert(done == 2);
  thpool_destroy(pool);
  return 0;
}
