/* SPDX-License-Identifier: MIT
 *
 * What threads return depends on what they see.
 */
#include <pthread.h>
static int x;
static void mark(void) {
  __asm__ volatile("");
}
static void *p(void *a) {
  if (x == 1) return (void *)1;
  return (void *)2;
}
static void *q(void *a) {
  x = 1;
  return (void *)(long)x;
}
int main(void) {
  pthread_t a, b;
  void *r, *s;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, &r);
  pthread_join(b, &s);
  if (r == (void *)1) mark();
  if (r == (void *)2) mark();
  if (s == (void *)1) mark();
  return 0;
}
