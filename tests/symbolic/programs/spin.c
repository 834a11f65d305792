/* SPDX-License-Identifier: MIT
 *
 * Spin loops: a thread that continues alone stops in front of their second round.
 */
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
volatile int flag;
int data;
atomic_flag lock = ATOMIC_FLAG_INIT;
static void *t1(void *a) {
  while (!atomic_load(&ready))
    ;
  data = data + 1;
  return 0;
}
static void *t2(void *a) {
  while (!flag)
    ;
  data = 2;
  return 0;
}
static void *t3(void *a) {
  while (atomic_flag_test_and_set(&lock))
    ;
  data = 3;
  atomic_flag_clear(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  pthread_create(&c, 0, t3, 0);
  pthread_create(&d, 0, t3, 0);
  data = 5;
  flag = 1;
  atomic_store(&ready, 1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
  return 0;
}
