// SPDX-License-Identifier: MIT
// Nobody in the program is at this port: somebody outside may be, and what that one does is not known. The assertion is
// no finding.
// expect: exit=3 verdict=incomplete bugs=0 warning~"no thread of the program has bound" warning~"in main"
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  const struct sockaddr_in name = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(8080)};
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(client, (const struct sockaddr *)&name, sizeof name) == 0);
  return 0;
}
