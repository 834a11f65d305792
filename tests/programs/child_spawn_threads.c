// SPDX-License-Identifier: MIT
// Two threads start a process each, wait for it and note in which order they came: three steps each, 6! / (3! 3!) runs.
// expect: exit=0 verdict=clean runs=20 observations=2
// observe: first=1
// observe: first=2
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static atomic_int order;
static int came[2];

static void *worker(void *number) {
  char *const words[] = {"sh", "-c", "exit 4", NULL};
  pid_t child;
  int status;
  assert(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4);
  came[(long)number] = atomic_fetch_add(&order, 1) + 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("first", came[0]);
  return 0;
}
