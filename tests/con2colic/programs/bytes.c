/* SPDX-License-Identifier: MIT
 *
 * Accesses of different sizes to the same bytes.
 */
#include <pthread.h>
#include <string.h>
static union {
  int i;
  unsigned char b[4];
  short s[2];
} u;
static void mark(void) {
  __asm__ volatile("");
}
static void *p(void *a) {
  u.b[1] = 1;
  if (u.i == 0x102) mark();
  return a;
}
static void *q(void *a) {
  u.s[0] = 2;
  if (u.i == 0x102) mark();
  if (u.b[1] == 1) mark();
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (u.i == 2) mark();
  return 0;
}
