// SPDX-License-Identifier: MIT
// A program that closes all descriptors, also those it does not know.
// expect: runs=20 exit=0
#include <pthread.h>
#include <unistd.h>

int x;

static void *worker(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

int main(void) {
  for (int fd = 0; fd < 1024; fd++) close(fd);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
