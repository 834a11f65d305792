/* SPDX-License-Identifier: MIT
 * libuv's read-write lock and barrier between two threads. */
#include <assert.h>
#include <uv.h>

static uv_barrier_t barrier;
static uv_rwlock_t lock;
static int value;

static void work(void *unused) {
  uv_rwlock_wrlock(&lock);
  value++;
  uv_rwlock_wrunlock(&lock);
  uv_barrier_wait(&barrier);
  uv_rwlock_rdlock(&lock);
  assert(value == 2);
  uv_rwlock_rdunlock(&lock);
}

int main(void) {
  uv_thread_t threads[2];
  uv_barrier_init(&barrier, 2);
  uv_rwlock_init(&lock);
  for (int i = 0; i < 2; i++) uv_thread_create(&threads[i], work, NULL);
  for (int i = 0; i < 2; i++) uv_thread_join(&threads[i]);
  uv_barrier_destroy(&barrier);
  uv_rwlock_destroy(&lock);
  return 0;
}
