/* SPDX-License-Identifier: MIT
 *
 * Tokens at first, and tokens of posts.
 */
#include <pthread.h>
#include <semaphore.h>
static sem_t s, full;
static int x, y;
static void mark(void) {
  __asm__ volatile("");
}
static void *p(void *a) {
  sem_wait(&s);
  x = x + 1;
  if (x == 2) mark();
  sem_post(&full);
  return a;
}
static void *q(void *a) {
  sem_wait(&full);
  if (x == 1) y = 1;
  if (x == 2) y = 2;
  sem_wait(&full);
  if (x != 2) mark();
  return a;
}
int main(void) {
  pthread_t a, b, d;
  sem_init(&s, 0, 2);
  sem_init(&full, 0, 0);
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, p, 0);
  pthread_create(&d, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(d, 0);
  if (y == 1) mark();
  if (y == 2) mark();
  return 0;
}
