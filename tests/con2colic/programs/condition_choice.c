/* SPDX-License-Identifier: MIT
 *
 * Which of two waiters a signal wakes.
 */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, first;
static void mark(void) {
  __asm__ volatile("");
}
static void *signaller(void *a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  ready = 2;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return a;
}
static void *waiter(void *a) {
  int me = (int)(long)a;
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  if (!first) first = me;
  if (ready == 2) mark();
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, 0, waiter, (void *)1);
  pthread_create(&b, 0, waiter, (void *)2);
  pthread_create(&d, 0, signaller, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(d, 0);
  if (first == 1) mark();
  if (first == 2) mark();
  return 0;
}
