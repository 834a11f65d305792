// SPDX-License-Identifier: MIT
// The free comes after what the running thread does by itself: without it being an operation of its own, no run would
// have it before the read.
// expect: exit=1 bug=memory line=BUG
#include <pthread.h>
#include <stdlib.h>

static int *block, seen;

static void *freer(void *unused) {
  free(block);
  return NULL;
}

static void *reader(void *unused) {
  seen = *block; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t s, t;
  block = malloc(sizeof *block);
  *block = 1;
  pthread_create(&s, NULL, reader, NULL);
  pthread_create(&t, NULL, freer, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
