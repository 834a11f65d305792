// SPDX-License-Identifier: MIT
// Two C11 mutexes taken in two orders.
// expect: exit=1 bug=deadlock message~"waits for mutex a (held by t1 since"
#include <threads.h>

static mtx_t a, b;

static int forwards(void *unused) {
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return 0;
}

static int backwards(void *unused) {
  mtx_lock(&b);
  mtx_lock(&a);
  mtx_unlock(&a);
  mtx_unlock(&b);
  return 0;
}

int main(void) {
  thrd_t t[2];
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  thrd_create(&t[0], forwards, NULL);
  thrd_create(&t[1], backwards, NULL);
  for (int i = 0; i < 2; i++) thrd_join(t[i], NULL);
  return 0;
}
