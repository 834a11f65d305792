/* SPDX-License-Identifier: MIT
 *
 * A loop that waits for a flag.
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data, other;
static void mark(void) {
  __asm__ volatile("");
}
static void *p(void *a) {
  data = 7;
  atomic_store(&flag, 1);
  other = 1;
  return a;
}
static void *q(void *a) {
  while (!atomic_load(&flag)) {
  }
  if (data == 7)
    mark();
  else
    mark();
  if (other) mark();
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
