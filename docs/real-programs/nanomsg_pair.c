// SPDX-License-Identifier: MIT
// nanomsg: a message there and back through a pair of sockets inside the process (inproc), each end in a thread of its own.
#include "nn.h"
#include "pair.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#define ADDRESS "inproc://pair"

static void *answer(void *unused) {
  char text[8];
  const int end = nn_socket(AF_SP, NN_PAIR);
  assert(end >= 0 && nn_connect(end, ADDRESS) >= 0);
  assert(nn_recv(end, text, sizeof text, 0) == 5 && memcmp(text, "ping", 5) == 0);
  assert(nn_send(end, "pong", 5, 0) == 5);
  assert(nn_recv(end, text, sizeof text, 0) == 4); /* so that what was sent is not lost when the end is closed */
  nn_close(end);
  return NULL;
}

int main(void) {
  pthread_t other;
  char text[8];
  const int end = nn_socket(AF_SP, NN_PAIR);
  assert(end >= 0 && nn_bind(end, ADDRESS) >= 0);
  pthread_create(&other, NULL, answer, NULL);
  assert(nn_send(end, "ping", 5, 0) == 5);
  assert(nn_recv(end, text, sizeof text, 0) == 5 && memcmp(text, "pong", 5) == 0);
  assert(nn_send(end, "bye", 4, 0) == 4);
  pthread_join(other, NULL);
  nn_close(end);
  return 0;
}
