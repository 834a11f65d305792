// SPDX-License-Identifier: MIT
// C11 mutexes and condition variables make the same runs as those of pthread (condition_count.c).
// heddle: --keep-going
// model: lock m; wait c m; unlock m | lock m; wait c m; unlock m | lock m; signal c; signal c; unlock m
// expect: exit=1 runs=14 runs=model
#include <threads.h>

static mtx_t m;
static cnd_t c;

static int waiter(void *unused) {
  mtx_lock(&m);
  cnd_wait(&c, &m);
  mtx_unlock(&m);
  return 0;
}

static int signaller(void *unused) {
  mtx_lock(&m);
  cnd_signal(&c);
  cnd_signal(&c);
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t t[3];
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t[0], waiter, NULL);
  thrd_create(&t[1], waiter, NULL);
  thrd_create(&t[2], signaller, NULL);
  for (int i = 0; i < 3; i++) thrd_join(t[i], NULL);
  return 0;
}
