/* SPDX-License-Identifier: MIT
 *
 * Variables that threads touch only for inputs nobody draws: that they are shared is seen by runs of one thread each.
 * What creation orders is not shared, what joining orders is.
 */
#include <heddle.h>
#include <pthread.h>

int meeting, before, after;

static void *writer(void *argument) {
  after = 1;
  if (heddle_input_int("a") == 123456) meeting = before;
  return NULL;
}

static void *reader(void *argument) {
  if (heddle_input_int("b") == 654321 && meeting == 4) return argument;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  before = 4;
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return after;
}
