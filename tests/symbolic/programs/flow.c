/* SPDX-License-Identifier: MIT
 *
 * Inputs, shared variables and a lock: what is read, written and decided.
 */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
int x, y, start;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t1(void *a) {
  pthread_mutex_lock(&m);
  x = x + 1;
  if (y > 3) y = x * 2;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *t2(void *a) {
  int in = heddle_input_int("in");
  if (start > in) x = 7;
  y = in + start;
  assert(y != 12);
  return 0;
}
int main(void) {
  start = heddle_input_int("start");
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  start = 1;
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x >= 0);
  return 0;
}
