// SPDX-License-Identifier: MIT
// An ioctl that heddle does not know: incomplete, with a word about it and its place; so is waiting for a descriptor of
// another kind. A file in an epoll set fails as in the kernel.
// expect: exit=3 verdict=incomplete bugs=0 warning~ioctl warning~"read would wait"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void) {
  const int file = open("control_unknown.tmp", O_RDWR | O_CREAT, 0600), set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  char byte;
  assert(epoll_ctl(set, EPOLL_CTL_ADD, file, &event) == -1 && errno == EPERM);
  ioctl(file, 0x12345, &event);
  return (int)read(inotify_init(), &byte, 1);
}
