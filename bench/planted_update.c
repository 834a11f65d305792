/* SPDX-License-Identifier: MIT
 *
 * For minimisation: a lost update in 2 * 5000: one thread is interrupted between its read and its write, later main
 * reads. Needs 2 context switches.
 */
#include <assert.h>
#include <pthread.h>
#define ROUNDS 5000
static long counter;
static void *work(void *unused) {
  for (int i = 0; i < ROUNDS; i++) counter++;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2 * ROUNDS);
}
