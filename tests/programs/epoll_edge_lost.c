// SPDX-License-Identifier: MIT
// Who reads one byte per edge waits forever when two came as one.
// expect: exit=1 bug=deadlock
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused) {
  if (write(ends[1], "a", 1) != 1 || write(ends[1], "b", 1) != 1) _exit(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  if (pipe(ends)) return 1;
  const int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
  pthread_create(&thread, NULL, writes, NULL);
  for (int i = 0; i < 2; i++)
    if (epoll_wait(set, &event, 1, -1) != 1 || read(ends[0], &byte, 1) != 1) return 1;
  pthread_join(thread, NULL);
  return 0;
}
