// SPDX-License-Identifier: MIT
// A thread waits at a pipe while another one starts a process: the pipe becomes the kernel's under it. That is not
// followed, and no deadlock.
// expect: exit=3 verdict=incomplete
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *take(void *unused) {
  char byte;
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0);
  pthread_create(&thread, NULL, take, NULL);
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", (char *)0);
    _exit(1);
  }
  waitpid(child, NULL, 0);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(thread, NULL);
  return 0;
}
