/* SPDX-License-Identifier: MIT
 *
 * pthread_once.
 */
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT;
static int x;
static void mark(void) {
  __asm__ volatile("");
}
static void init(void) {
  x = 1;
}
static void *p(void *a) {
  pthread_once(&o, init);
  if (x == 1)
    x = 2;
  else if (x == 2)
    mark();
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, p, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x == 2) mark();
  return 0;
}
