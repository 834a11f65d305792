// SPDX-License-Identifier: MIT
// A child process of the program runs as outside heddle; its status arrives.
// expect: exit=0 verdict=clean runs=6
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  const pid_t child = fork();
  if (child == 0) _exit(3);
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
