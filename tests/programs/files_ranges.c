// SPDX-License-Identifier: MIT
// Threads that read and write different bytes of a file need no order, nor does one that makes the file longer; who
// reads what another one writes does: two orders.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=2 threads=5
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *write_first(void *unused) {
  assert(pwrite(file, "ab", 2, 0) == 2);
  return NULL;
}

static void *write_second(void *unused) {
  assert(pwrite(file, "cd", 2, 2) == 2);
  return NULL;
}

static void *read_second(void *unused) {
  char c;
  assert(pread(file, &c, 1, 3) == 1 && (c == 'd' || c == '.'));
  return NULL;
}

static void *append(void *unused) {
  assert(pwrite(file, "!", 1, 4) == 1);
  return NULL;
}

int main(void) {
  void *(*const functions[])(void *) = {write_first, write_second, read_second, append};
  pthread_t threads[4];
  file = open("file", O_CREAT | O_RDWR, 0600);
  assert(write(file, "....", 4) == 4);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  char all[8];
  assert(pread(file, all, 8, 0) == 5 && all[0] == 'a' && all[4] == '!');
  return 0;
}
