// SPDX-License-Identifier: MIT
// A client that connects before the server listens is refused: a bug that only some schedules have.
// expect: exit=1 bug=assertion line=BUG
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in name = {.sin_family = AF_INET};

static void *serve(void *unused) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&name, sizeof name) || listen(listener, 1)) _exit(2);
  close(accept(listener, NULL, NULL));
  return unused;
}

int main(void) {
  pthread_t server;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(8080);
  pthread_create(&server, NULL, serve, NULL);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  const int result = connect(client, (struct sockaddr *)&name, sizeof name);
  assert(result == 0); /* BUG */
  pthread_join(server, NULL);
  return 0;
}
