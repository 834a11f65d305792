// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG message~"4 bytes before heap block 1 of main"
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *worker(void *argument) {
  const int *numbers = argument;
  for (int i = 3; i >= -1; i--) sum += numbers[i]; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  int *numbers = calloc(4, sizeof *numbers);
  pthread_create(&t, NULL, worker, numbers);
  pthread_join(t, NULL);
  return 0;
}
