// SPDX-License-Identifier: MIT
// Random bytes of the kernel are the same in every run, and others each time.
// expect: exit=0 verdict=clean runs=2 observations=1 divergences=0
#include "heddle.h"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int order; // so that there is more than one run

static void *worker(void *unused) {
  order++;
  return NULL;
}

static long long draw(const char *path) {
  long long number;
  const int file = open(path, O_RDONLY);
  assert(file >= 0 && read(file, &number, sizeof number) == sizeof number && close(file) == 0);
  return number;
}

int main(void) {
  pthread_t threads[2];
  const long long first = draw("/dev/urandom"), second = draw("/dev/random");
  assert(first != second);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("numbers", first ^ second);
  return 0;
}
