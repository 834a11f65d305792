// SPDX-License-Identifier: MIT
// A receive with SO_RCVTIMEO gets the datagram, or times out: both happen, and the clock has moved then. The datagram
// comes before or after the time-out.
// expect: exit=0 verdict=clean complete=true runs=2
// observe: got=1
// observe: got=0
#include "heddle.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in name = {.sin_family = AF_INET};

static void *tell(void *unused) {
  const int sender = socket(AF_INET, SOCK_DGRAM, 0);
  if (sendto(sender, "x", 1, 0, (struct sockaddr *)&name, sizeof name) != 1) _exit(1);
  return unused;
}

int main(void) {
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  const struct timeval seconds = {5, 0};
  socklen_t size = sizeof name;
  pthread_t thread;
  char byte;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(receiver, (struct sockaddr *)&name, size) || getsockname(receiver, (struct sockaddr *)&name, &size))
    return 1;
  if (setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &seconds, sizeof seconds)) return 1;
  const time_t before = time(NULL);
  pthread_create(&thread, NULL, tell, NULL);
  const ssize_t got = recv(receiver, &byte, 1, 0);
  if (got < 0 && (errno != EAGAIN || time(NULL) < before + 5)) return 1;
  heddle_observe("got", got == 1);
  pthread_join(thread, NULL);
  return 0;
}
