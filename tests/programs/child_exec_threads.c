// SPDX-License-Identifier: MIT
// fork and exec while another thread runs: the child uses nothing of its memory. Its one step is before, between or
// after three.
// expect: exit=0 verdict=clean runs=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int value;

static void *worker(void *unused) {
  value = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  int status;
  pthread_create(&thread, NULL, worker, NULL);
  const pid_t child = fork();
  if (child == 0) {
    execlp("sh", "sh", "-c", "exit 6", NULL);
    _exit(1);
  }
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 6);
  const int seen = value;
  assert(seen == 0 || seen == 1);
  pthread_join(thread, NULL);
  return 0;
}
