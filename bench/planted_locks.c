/* SPDX-License-Identifier: MIT
 *
 * For minimisation: locks in the wrong order, every 150th time. Needs 1 context switches.
 */
#include <pthread.h>
#define ROUNDS 600
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static long x, y;
static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  x++, y++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *forth(void *unused) {
  for (int i = 0; i < ROUNDS; i++) both(&a, &b);
  return unused;
}
static void *back(void *unused) {
  for (int i = 0; i < ROUNDS; i++) i % 150 == 149 ? both(&b, &a) : both(&a, &b);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  void *(*const starts[])(void *) = {forth, back, forth};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, starts[i], 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
