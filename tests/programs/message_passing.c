// SPDX-License-Identifier: MIT
// Sequential consistency: a thread that sees the flag sees the data.
// expect: exit=0 verdict=clean
// observe: data=0 flag=0
// observe: data=1 flag=0
// observe: data=1 flag=1
#include "heddle.h"
#include <pthread.h>

int data, flag;

static void *writer(void *unused) {
  data = 1;
  flag = 1;
  return NULL;
}

static void *reader(void *unused) {
  heddle_observe("flag", flag);
  heddle_observe("data", data);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, writer, NULL);
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
