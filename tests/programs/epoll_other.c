// SPDX-License-Identifier: MIT
// An epoll set with a descriptor that heddle does not model: incomplete, with a word about it.
// expect: exit=3 verdict=incomplete bugs=0 warning~"an epoll set with a descriptor"
#include <sys/epoll.h>
#include <sys/inotify.h>

int main(void) {
  struct epoll_event event = {.events = EPOLLIN};
  const int set = epoll_create1(0), other = inotify_init();
  return epoll_ctl(set, EPOLL_CTL_ADD, other, &event) != 0 || epoll_wait(set, &event, 1, -1) != 1;
}
