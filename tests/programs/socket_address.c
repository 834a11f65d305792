// SPDX-License-Identifier: MIT
// getaddrinfo of numbers and localhost, as servers and clients call it.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int open_at(const char *name, int flags, int (*use)(int, const struct sockaddr *, socklen_t)) {
  const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
  struct addrinfo *found;
  assert(getaddrinfo(name, "4711", &hints, &found) == 0);
  const int made = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  assert(use(made, found->ai_addr, found->ai_addrlen) == 0);
  freeaddrinfo(found);
  return made;
}

static int listener;

static void *serve(void *unused) {
  assert(accept(listener, NULL, NULL) >= 0);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t server;
  struct addrinfo *found;
  assert(getaddrinfo("::1", "http+", &(struct addrinfo){.ai_flags = AI_NUMERICHOST}, &found) != 0);
  listener = open_at("127.0.0.1", AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV, bind);
  assert(listen(listener, 1) == 0);
  pthread_create(&server, NULL, serve, NULL);
  close(open_at("localhost", AI_NUMERICSERV, connect));
  pthread_join(server, NULL);
  return argc > 1 && getaddrinfo(argv[1], NULL, NULL, &found) == 0;
}
