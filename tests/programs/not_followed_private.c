// SPDX-License-Identifier: MIT
// Functions of the C library that are in no table cost nothing where they get no memory that threads share, and neither
// do those that print: there is no note.
// expect: exit=0 verdict=clean warnings=0
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void *worker(void *argument) {
  int numbers[] = {1, 2, 3}, *found;
  size_t count = 3;
  found = lfind(&numbers[1], numbers, &count, sizeof *numbers, compare);
  pthread_mutex_lock(&lock);
  shared += *found;
  pthread_mutex_unlock(&lock);
  printf("%d of process %d\n", *found, (int)getppid());
  fputs("done\n", stdout);
  fflush(stdout);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  puts("begin");
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return shared == 4 ? 0 : 1;
}
