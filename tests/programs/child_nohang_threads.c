// SPDX-License-Identifier: MIT
// Two threads ask for the same child with WNOHANG: the orders of their calls and its end.
// expect: exit=0 verdict=clean runs=6 observations=5
// observe: a=0 b=0
// observe: a=0 b=1
// observe: a=1 b=0
// observe: a=1 b=-1
// observe: a=-1 b=1
#include "heddle.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static int results[2];

static void *ask(void *number) {
  const pid_t result = waitpid(child, NULL, WNOHANG);
  results[(long)number] = result > 0 ? 1 : result;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  child = fork();
  if (child == 0) _exit(0);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, ask, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("a", results[0]);
  heddle_observe("b", results[1]);
  return 0;
}
