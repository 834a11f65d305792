// SPDX-License-Identifier: MIT
// Threads fork and wait at the same time. What their children see of the memory of other threads is not followed,
// unless they call exec; all orders of the steps are explored all the same.
// expect: exit=3 verdict=incomplete bugs=0 runs=20 not_followed_lines=FORK warning~"fork while other threads run"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int order;

static void *worker(void *number) {
  int status;
  const pid_t child = fork(); // FORK
  if (child == 0) _exit((int)(long)number);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == (long)number);
  order++;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
