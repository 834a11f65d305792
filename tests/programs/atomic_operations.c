// SPDX-License-Identifier: MIT
// All operations of stdatomic.h give the right values.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

atomic_int x;
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic(int *) pointer;
_Atomic double number;
int array[4];

static void *worker(void *unused) {
  assert(atomic_exchange(&x, 5) == 0);
  assert(atomic_fetch_sub(&x, 2) == 5);
  assert(atomic_fetch_or(&x, 8) == 3);
  assert(atomic_fetch_and(&x, 9) == 11);
  assert(atomic_fetch_xor(&x, 1) == 9);
  int expected = 7;
  assert(!atomic_compare_exchange_strong(&x, &expected, 1));
  assert(expected == 8);
  assert(atomic_compare_exchange_strong(&x, &expected, 1));
  while (!atomic_compare_exchange_weak(&x, &(int){1}, 2)) {
  }
  assert(atomic_load(&x) == 2);
  assert(!atomic_flag_test_and_set(&flag));
  assert(atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  atomic_store(&pointer, array);
  assert(atomic_fetch_add(&pointer, 2) == array);
  assert(pointer == array + 2);
  number = 1.5;
  number += 1;
  assert(number == 2.5);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(x == 2);
  return 0;
}
