// SPDX-License-Identifier: MIT
// A file that one thread maps and another one uses through a stream: which bytes the stream touches is not known.
// heddle: --strategy optimal
// expect: exit=3 verdict=incomplete bugs=0 output~"mapped, and used through a stream"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void *map(void *unused) {
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert(memory != MAP_FAILED);
  memory[0] = 'x';
  return NULL;
}

static void *stream(void *unused) {
  FILE *other = fopen("file", "r");
  assert(other && fgetc(other) != EOF);
  fclose(other);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  file = open("file", O_CREAT | O_RDWR, 0600);
  assert(write(file, "....", 4) == 4);
  pthread_create(&threads[0], NULL, map, NULL);
  pthread_create(&threads[1], NULL, stream, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
