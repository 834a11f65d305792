// SPDX-License-Identifier: MIT
// call_once runs its function once, whoever comes first; a broadcast wakes all.
// expect: exit=0 verdict=clean complete=true
// observe: calls=1
#include "heddle.h"
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t m;
static cnd_t c;
static int calls, ready;

static void initialise(void) {
  calls++;
}

static int waiter(void *unused) {
  call_once(&once, initialise);
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t t[2];
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  for (int i = 0; i < 2; i++) thrd_create(&t[i], waiter, NULL);
  mtx_lock(&m);
  ready = 1;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  for (int i = 0; i < 2; i++) thrd_join(t[i], NULL);
  heddle_observe("calls", calls);
  return 0;
}
