// SPDX-License-Identifier: MIT
// dup2 onto a descriptor that another thread polls is a visible operation: the poll comes before it, and sees a pipe
// that is empty, or after it.
// expect: exit=0 verdict=clean complete=true runs=2
// observe: ready=0
// observe: ready=1
#include "heddle.h"
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int empty[2], filled[2];

static void *look(void *unused) {
  struct pollfd entry = {empty[0], POLLIN, 0};
  heddle_observe("ready", poll(&entry, 1, 0));
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(empty) || pipe(filled) || write(filled[1], "x", 1) != 1) return 1;
  const int kept = dup(empty[0]);
  pthread_create(&thread, NULL, look, NULL);
  if (dup2(filled[0], empty[0]) != empty[0]) return 1;
  pthread_join(thread, NULL);
  return kept < 0;
}
