/* SPDX-License-Identifier: MIT
 *
 * Two rounds of a barrier.
 */
#include <pthread.h>
static pthread_barrier_t bar;
static int x, y, z;
static void mark(void) {
  __asm__ volatile("");
}
static void *p(void *a) {
  x = 1;
  if (y) mark();
  pthread_barrier_wait(&bar);
  if (y)
    mark();
  else
    z = 1;
  y = 2;
  pthread_barrier_wait(&bar);
  if (x == 2) mark();
  return a;
}
static void *q(void *a) {
  y = 1;
  if (x) mark();
  pthread_barrier_wait(&bar);
  if (x)
    mark();
  else
    z = 2;
  if (y == 2) x = 2;
  pthread_barrier_wait(&bar);
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&bar, 0, 2);
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (z) mark();
  return 0;
}
