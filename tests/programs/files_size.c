// SPDX-License-Identifier: MIT
// The end of a file: a thread that appends, one that asks for the size, one that reads at the end. The last two do not
// change anything, so there are two orders with each: four.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=4 threads=4
// observe: read=0 size=4
// observe: read=0 size=5
// observe: read=1 size=4
// observe: read=1 size=5
#include "heddle.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int file, appending;
static long seen, got;

static void *append(void *unused) {
  write(appending, "!", 1);
  return NULL;
}

static void *ask(void *unused) {
  struct stat status;
  fstat(file, &status);
  seen = status.st_size;
  return NULL;
}

static void *read_at_end(void *unused) {
  char c;
  got = pread(file, &c, 1, 4);
  return NULL;
}

int main(void) {
  void *(*const functions[])(void *) = {append, ask, read_at_end};
  pthread_t threads[3];
  file = open("file", O_CREAT | O_RDWR, 0600);
  appending = open("file", O_WRONLY | O_APPEND);
  write(file, "....", 4);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  heddle_observe("read", got);
  heddle_observe("size", seen);
  return 0;
}
