// SPDX-License-Identifier: MIT
// Two mappings of a file are the same memory, and what is stored there is what the file contains.
// heddle: --strategy optimal --races off
// expect: exit=0 verdict=clean complete=true runs=2 threads=3
// observe: later=90 seen=46
// observe: later=90 seen=90
#include "heddle.h"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;
static char seen;

static char *map(void) {
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert(memory != MAP_FAILED);
  return memory;
}

static void *store(void *unused) {
  char *memory = map();
  atomic_store((_Atomic char *)&memory[2], 'Z');
  return NULL;
}

static void *load(void *unused) {
  assert(pread(file, &seen, 1, 2) == 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  file = open("file", O_CREAT | O_RDWR, 0600);
  assert(write(file, "....", 4) == 4);
  char *first = map(), *second = map();
  first[1] = 'x';
  assert(second[1] == 'x' && munmap(first, 4096) == 0 && second[1] == 'x');
  pthread_create(&threads[0], NULL, store, NULL);
  pthread_create(&threads[1], NULL, load, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("later", second[2]);
  heddle_observe("seen", seen);
  return 0;
}
