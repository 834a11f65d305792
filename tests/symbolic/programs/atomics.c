/* SPDX-License-Identifier: MIT
 *
 * Atomic operations.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
atomic_uint bits;
static void *t1(void *a) {
  int old = atomic_fetch_add(&n, 3);
  if (old == 0) atomic_fetch_or(&bits, 4);
  int expected = 3;
  if (atomic_compare_exchange_strong(&n, &expected, 10))
    atomic_store(&bits, 1);
  else if (expected > 5)
    atomic_exchange(&bits, expected);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t1, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(bits != 77);
  return 0;
}
