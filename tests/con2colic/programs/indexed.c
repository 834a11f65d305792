/* SPDX-License-Identifier: MIT
 *
 * An index that another thread takes from an input.
 */
#include "heddle.h"
#include <pthread.h>
static int a[4], i;
static void mark(void) {
  __asm__ volatile("");
}
static void *p(void *x) {
  i = heddle_input_int("k") & 3;
  return x;
}
static void *q(void *x) {
  a[i] = 1;
  if (a[2]) mark();
  if (a[0]) mark();
  return x;
}
int main(void) {
  pthread_t s, b;
  pthread_create(&s, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(s, 0);
  pthread_join(b, 0);
  if (a[3]) mark();
  return 0;
}
