// SPDX-License-Identifier: MIT
// The __sync builtins.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>

int x, lock;
char small;
long large;

static void *worker(void *unused) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  x++;
  __sync_lock_release(&lock);
  __sync_fetch_and_add(&small, 1);
  __sync_add_and_fetch(&large, 2);
  __sync_synchronize();
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2 && small == 2 && large == 4);
  assert(__sync_bool_compare_and_swap(&x, 2, 3));
  assert(__sync_val_compare_and_swap(&x, 9, 4) == 3);
  return 0;
}
