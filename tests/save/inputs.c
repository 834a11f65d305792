/* SPDX-License-Identifier: MIT
 *
 * Two threads that decide by their inputs.
 */
#include <heddle.h>
#include <pthread.h>
static int x, y;
static void *thread(void *argument) {
  const int mine = heddle_input_int("a"), other = x;
  if (mine > 10) x = other + 1;
  if (mine == 3 * N) y += mine > other;
  for (int i = 0; i < N; i++) y = y * 2 + (argument != NULL);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, &x);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("x", x);
  heddle_observe("y", y);
  return 0;
}
