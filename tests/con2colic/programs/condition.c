/* SPDX-License-Identifier: MIT
 *
 * A consumer that waits for one of two producers.
 */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, data, got;
static void mark(void) {
  __asm__ volatile("");
}
static void *producer(void *a) {
  pthread_mutex_lock(&m);
  data = 5;
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return a;
}
static void *consumer(void *a) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  if (data == 5)
    got++;
  else
    mark();
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_create(&d, 0, producer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(d, 0);
  if (got == 1) mark();
  return 0;
}
