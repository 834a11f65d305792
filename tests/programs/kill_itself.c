// SPDX-License-Identifier: MIT
// heddle: --keep-going
// A program that kills itself past all handlers in some runs: reported, and exploration continues.
// expect: exit=1 bug=crash
// expect: runs=6
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  if (x == 1) syscall(SYS_kill, getpid(), SIGKILL);
  return 0;
}
