// SPDX-License-Identifier: MIT
// What epoll returns, in one thread: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))

static int set, counter, ends[2];
static struct epoll_event told[4];

static int change(int operation, int descriptor, uint32_t events) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  return epoll_ctl(set, operation, descriptor, &event);
}

static int ready(int most) {
  return epoll_wait(set, told, most, 0);
}

static void bump(void) {
  assert(eventfd_write(counter, 1) == 0);
}

static void level(void) {
  assert(change(EPOLL_CTL_ADD, counter, EPOLLIN) == 0 && ready(4) == 0);
  bump();
  assert(ready(4) == 1 && told[0].events == EPOLLIN && told[0].data.fd == counter && ready(4) == 1);
  assert(change(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLOUT) == 0 && ready(4) == 1);
  assert(told[0].events == (EPOLLIN | EPOLLOUT));
}

static void edge(void) {
  uint64_t value;
  assert(change(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLET) == 0 && ready(4) == 1 && ready(4) == 0);
  bump();
  assert(ready(4) == 1 && ready(4) == 0);
  bump();
  assert(read(counter, &value, sizeof value) == sizeof value && ready(4) == 0);
}

static void one_shot(void) {
  assert(change(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLONESHOT) == 0 && ready(4) == 0);
  bump();
  assert(ready(4) == 1 && ready(4) == 0);
  bump();
  assert(ready(4) == 0 && change(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLONESHOT) == 0 && ready(4) == 1);
}

static void pipes(void) {
  struct pollfd entry = {.events = POLLIN};
  assert(pipe(ends) == 0 && change(EPOLL_CTL_ADD, ends[0], EPOLLIN) == 0 &&
         change(EPOLL_CTL_ADD, ends[1], EPOLLOUT) == 0);
  assert(ready(4) == 1 && told[0].data.fd == ends[1] && told[0].events == EPOLLOUT);
  assert(change(EPOLL_CTL_DEL, ends[1], 0) == 0 && ready(4) == 0);
  entry.fd = set;
  assert(poll(&entry, 1, 0) == 0);
  assert(write(ends[1], "x", 1) == 1 && ready(4) == 1 && told[0].events == EPOLLIN);
  assert(poll(&entry, 1, 0) == 1 && entry.revents == POLLIN);
  close(ends[1]);
  assert(ready(4) == 1 && told[0].events == (EPOLLIN | EPOLLHUP));
  close(ends[0]);
  assert(ready(4) == 0);
}

int main(void) {
  set = epoll_create1(0);
  counter = eventfd(0, EFD_NONBLOCK);
  assert(FAILS(epoll_create(0), EINVAL) && FAILS(change(EPOLL_CTL_MOD, counter, EPOLLIN), ENOENT));
  level();
  assert(FAILS(change(EPOLL_CTL_ADD, counter, EPOLLIN), EEXIST) && FAILS(change(77, counter, EPOLLIN), EINVAL));
  assert(FAILS(change(EPOLL_CTL_ADD, 999, EPOLLIN), EBADF) && FAILS(change(EPOLL_CTL_ADD, set, EPOLLIN), EINVAL));
  assert(FAILS(epoll_wait(set, told, 0, 0), EINVAL) && FAILS(epoll_wait(counter, told, 1, 0), EINVAL));
  assert(epoll_pwait(set, told, 1, 0, NULL) == 1);
  edge();
  one_shot();
  assert(change(EPOLL_CTL_DEL, counter, 0) == 0 && FAILS(change(EPOLL_CTL_DEL, counter, 0), ENOENT));
  pipes();
  close(set);
  return 0;
}
