// SPDX-License-Identifier: MIT
// A thread waits at a pair of sockets while another starts a process, which would get the pair: the threads go on
// talking to each other, and no deadlock is reported.
// expect: exit=3 verdict=incomplete bugs=0 warning~"the child does not have the sockets"
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
  char letter;
  assert(read(ends[0], &letter, 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&thread, NULL, reader, NULL);
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  assert(wait(NULL) == child);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(thread, NULL);
  return 0;
}
