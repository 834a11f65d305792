// SPDX-License-Identifier: MIT
// One thread waits for a child, which waits for what another thread writes. That one's last step comes before or after
// the end of the wait, or after what follows it.
// expect: exit=0 verdict=clean runs=3 observations=2
// observe: done=0
// observe: done=1
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static pid_t child;
static atomic_int done;

static void *await(void *unused) {
  int status;
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 'x');
  heddle_observe("done", done);
  return unused;
}

static void *feed(void *unused) {
  assert(write(ends[1], "x", 1) == 1);
  done = 1;
  return unused;
}

int main(void) {
  char letter;
  pthread_t waiter, feeder;
  assert(pipe(ends) == 0);
  child = fork();
  if (child == 0) _exit(read(ends[0], &letter, 1) == 1 ? letter : 0);
  pthread_create(&waiter, NULL, await, NULL);
  pthread_create(&feeder, NULL, feed, NULL);
  pthread_join(waiter, NULL);
  pthread_join(feeder, NULL);
  return 0;
}
