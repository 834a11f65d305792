// SPDX-License-Identifier: MIT
// An ioctl of a pipe or socket that heddle does not know stops the run: incomplete, and no finding.
// expect: exit=3 verdict=incomplete bugs=0 warning~"an ioctl of a pipe, socket or counter" warning~control_unknown_socket.c
#include <assert.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int main(void) {
  int ends[2], mark;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(ioctl(ends[0], SIOCATMARK, &mark) == 0);
  return 0;
}
