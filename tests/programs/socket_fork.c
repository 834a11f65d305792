// SPDX-License-Identifier: MIT
// A program that has sockets of datagrams forks: the child does not have them. Incomplete, with a word about it.
// expect: exit=3 verdict=incomplete bugs=0 warning~"the child does not have the sockets"
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends)) return 1;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, NULL, 0) != child;
}
