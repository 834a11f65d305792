// SPDX-License-Identifier: MIT
// Both ends of a connection wait for the other one to send.
// expect: exit=1 bug=deadlock
// replay: waits for descriptor
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused) {
  char byte;
  if (read(ends[1], &byte, 1) == 1 && write(ends[1], &byte, 1) != 1) _exit(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  pthread_create(&thread, NULL, answer, NULL);
  if (read(ends[0], &byte, 1) != 1) return 1;
  pthread_join(thread, NULL);
  return 0;
}
