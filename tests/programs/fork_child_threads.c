// SPDX-License-Identifier: MIT
// Nobody explores the schedules of threads that a forked child creates: the result is incomplete.
// expect: exit=3 verdict=incomplete complete=false bugs=0 not_followed_warnings=1 not_followed_lines=CREATED
// expect: warning~"threads of a process that the program forked"
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;

static void *worker(void *argument) {
  count++;
  return argument;
}

static int child(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL); // CREATED
  pthread_join(t, NULL);
  return count - 1;
}

int main(void) {
  const pid_t process = fork();
  if (process == 0) _exit(child());
  int status;
  assert(waitpid(process, &status, 0) == process);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return 0;
}
