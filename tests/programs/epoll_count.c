// SPDX-License-Identifier: MIT
// A thread waits for one of two event counters, with a time-out. It times out before both writes, sees one of them, or
// both: each of the two orders of the writes has three places for the wait.
// expect: exit=0 verdict=clean complete=true runs=6
// observe: ready=0
// observe: ready=1
// observe: ready=2
// observe: ready=3
#include "heddle.h"
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int counters[2];

static void *writes(void *argument) {
  eventfd_write(counters[(long)argument], 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  struct epoll_event events[2];
  unsigned ready = 0;
  const int set = epoll_create1(0);
  for (unsigned i = 0; i < 2; i++) {
    counters[i] = eventfd(0, 0);
    events[0] = (struct epoll_event){.events = EPOLLIN, .data.u32 = i + 1};
    epoll_ctl(set, EPOLL_CTL_ADD, counters[i], &events[0]);
  }
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, writes, (void *)i);
  const int count = epoll_wait(set, events, 2, 100);
  for (int i = 0; i < count; i++) ready |= events[i].data.u32;
  heddle_observe("ready", ready);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
