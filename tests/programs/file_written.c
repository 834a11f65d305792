// SPDX-License-Identifier: MIT
// A file written in one thread and read after it.
// expect: exit=0 verdict=clean runs=6
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  FILE *file = fopen("written.txt", "w");
  assert(file);
  fputs("contents\n", file);
  fclose(file);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  char line[100];
  file = fopen("written.txt", "r");
  assert(file && fgets(line, sizeof line, file) && strcmp(line, "contents\n") == 0);
  fclose(file);
  return 0;
}
