/* SPDX-License-Identifier: MIT
 *
 * A mutex that is taken again by who has it.
 */
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void mark(void) {
  __asm__ volatile("");
}
static void inc(void) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
}
static void *p(void *a) {
  pthread_mutex_lock(&m);
  inc();
  int t = x;
  inc();
  if (x != t + 1) mark();
  pthread_mutex_unlock(&m);
  if (x == 4) mark();
  return a;
}
int main(void) {
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &at);
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, p, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x == 4) mark();
  return 0;
}
