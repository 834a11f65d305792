// SPDX-License-Identifier: MIT
// Two clients connect to a server over loopback and send a byte each. The server accepts the connection that was made
// first, and reads what that client sends. Accepting comes after the first connection, reading after what was sent: 40
// of all orders of connect, send, connect, send, accept and read.
// expect: exit=0 verdict=clean complete=true runs=40
// observe: first=1
// observe: first=2
#include "heddle.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in name = {.sin_family = AF_INET};

static void *ask(void *argument) {
  const char byte = (char)(long)argument;
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(client, (struct sockaddr *)&name, sizeof name) || write(client, &byte, 1) != 1) _exit(1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  socklen_t size = sizeof name;
  char byte;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, (struct sockaddr *)&name, size) || listen(listener, 2)) return 1;
  if (getsockname(listener, (struct sockaddr *)&name, &size)) return 1;
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, ask, (void *)(i + 1));
  const int connection = accept(listener, NULL, NULL);
  if (connection < 0 || read(connection, &byte, 1) != 1) return 1;
  heddle_observe("first", byte);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
