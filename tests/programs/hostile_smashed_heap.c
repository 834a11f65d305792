// Clears the whole arena of another thread, and what follows its own blocks, through functions heddle does not follow.
// expect: exit=1 verdict=bug bugs=1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *shared;

static void *worker(void *unused) {
  shared = malloc(100);
  strcpy(shared, "text");
  return malloc(100);
}

int main(void) {
  pthread_t thread;
  void *block;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, &block);
  for (int i = -64; i < 100000; i++) shared[i] = 0x55;
  free(block);
  free(shared);
}
