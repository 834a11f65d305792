/* SPDX-License-Identifier: MIT
 *
 * Readers, writers, and attempts that fail.
 */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void mark(void) {
  __asm__ volatile("");
}
static void *r(void *a) {
  pthread_rwlock_rdlock(&l);
  int p = x, q = y;
  pthread_rwlock_unlock(&l);
  if (p != q) mark();
  if (p == 1) mark();
  return a;
}
static void *w(void *a) {
  pthread_rwlock_wrlock(&l);
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&l);
  if (pthread_rwlock_tryrdlock(&l) == 0) {
    if (x == 2) mark();
    pthread_rwlock_unlock(&l);
  } else
    mark();
  return a;
}
static void *w2(void *a) {
  if (pthread_rwlock_trywrlock(&l) == 0) {
    x = 2;
    y = 2;
    pthread_rwlock_unlock(&l);
  } else
    mark();
  return a;
}
int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, 0, r, 0);
  pthread_create(&b, 0, w, 0);
  pthread_create(&d, 0, w2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(d, 0);
  return 0;
}
