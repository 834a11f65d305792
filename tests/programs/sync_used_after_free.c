// SPDX-License-Identifier: MIT
// A condition variable in a block that is freed while a thread still signals it.
// expect: exit=1 bug=memory line=BUG
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct event {
  pthread_cond_t changed;
  atomic_int happened;
};

static void *happen(void *argument) {
  struct event *event = argument;
  event->happened = 1;
  pthread_cond_signal(&event->changed); // BUG
  return NULL;
}

int main(void) {
  pthread_t t;
  struct event *event = calloc(1, sizeof *event);
  pthread_create(&t, NULL, happen, event);
  if (event->happened)
    free(event);
  else
    pthread_detach(t);
  return 0;
}
