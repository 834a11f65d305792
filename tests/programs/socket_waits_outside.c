// SPDX-License-Identifier: MIT
// A server that no thread of the program connects to waits for another program: that is no deadlock.
// expect: exit=3 verdict=incomplete bugs=0 warning~"only another program can send"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

int main(void) {
  const struct sockaddr_in name = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(8080)};
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct pollfd entry = {listener, POLLIN, 0};
  if (bind(listener, (const struct sockaddr *)&name, sizeof name) || listen(listener, 1)) return 1;
  return poll(&entry, 1, -1) != 1;
}
