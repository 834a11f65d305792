// SPDX-License-Identifier: MIT
// A file opened and left open in every run does not use up the descriptors.
// expect: exit=0 verdict=clean runs=924 observations=1
#include "heddle.h"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

int x;

static void *worker(void *unused) {
  for (int i = 0; i < 6; i++) x = i;
  return NULL;
}

int main(void) {
  const int fd = open("/dev/null", O_RDONLY);
  assert(fd >= 0);
  heddle_observe("fd", fd > 0);
  FILE *file = fopen("/proc/self/status", "r");
  char line[100];
  assert(file && fgets(line, sizeof line, file));
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
