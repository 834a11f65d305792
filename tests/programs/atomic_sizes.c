// SPDX-License-Identifier: MIT
// Atomic additions of 1, 2, 4, 8 and 16 bytes lose nothing: each is one operation, C(10, 5) runs.
// expect: exit=0 verdict=clean runs=252
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint8_t a;
_Atomic uint16_t b;
_Atomic uint32_t c;
_Atomic uint64_t d;
_Atomic unsigned __int128 e;

static void *worker(void *unused) {
  atomic_fetch_add(&a, 1);
  atomic_fetch_add(&b, 1);
  atomic_fetch_add(&c, 1);
  atomic_fetch_add(&d, 1);
  atomic_fetch_add(&e, (unsigned __int128)1 << 100);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(a == 2 && b == 2 && c == 2 && d == 2);
  assert(e == (unsigned __int128)1 << 101);
  return 0;
}
