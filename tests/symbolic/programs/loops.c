/* SPDX-License-Identifier: MIT
 *
 * Loops that read the same again and are not spin loops: every read has its symbol.
 */
#include <pthread.h>
int x, y, done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t1(void *a) {
  int s = 0;
  for (int i = 0; i < 4; i++)
    if (x) s++;
  y = s;
  return 0;
}
static void *t2(void *a) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x = 1;
  return 0;
}
static void *t3(void *a) {
  int tries = 0;
  while (!done && tries < 20) tries += 2;
  x = tries;
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  pthread_create(&c, 0, t3, 0);
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return y == 9;
}
