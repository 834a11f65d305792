// SPDX-License-Identifier: MIT
// stdio starts anew in every run: buffering modes, end-of-file marks, positions.
// expect: exit=0 verdict=clean runs=20
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int x;

static void *worker(void *unused) {
  x = 1;
  printf("one ");
  x = 2;
  printf("two ");
  x = 3;
  return NULL;
}

int main(void) {
  assert(!feof(stdin));
  assert(getchar() == EOF);
  assert(feof(stdin));
  char text[32];
  FILE *memory = fmemopen(text, sizeof text, "w");
  fprintf(memory, "%d %s", 42, "words");
  fclose(memory);
  assert(strcmp(text, "42 words") == 0);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
