// SPDX-License-Identifier: MIT
// A block that main frees while the thread may still write to it: whether it does is a matter of order alone.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=memory verdict=bug
#include <pthread.h>
#include <stdlib.h>

static void *work(void *block) {
  *(int *)block = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  int *block = malloc(sizeof *block);
  pthread_create(&thread, NULL, work, block);
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
