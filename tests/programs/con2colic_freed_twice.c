// SPDX-License-Identifier: MIT
// A block that two threads free, if the one reads the pointer before the other has cleared it.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=memory verdict=bug
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *give_back(void *unused) {
  int *mine = block;
  block = NULL;
  free(mine);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  block = malloc(sizeof *block);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, give_back, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
