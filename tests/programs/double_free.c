// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG
#include <pthread.h>
#include <stdlib.h>

char *block;

static void *worker(void *unused) {
  char *mine = block;
  block = NULL;
  if (mine) free(mine); /* BUG */
  return NULL;
}

int main(void) {
  block = malloc(10);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
