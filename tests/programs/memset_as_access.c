// SPDX-License-Identifier: MIT
// memset writes its range.
// expect: exit=0 verdict=clean
// observe: first=0
// observe: first=1
#include "heddle.h"
#include <pthread.h>
#include <string.h>

char data[64];

static void *writer(void *unused) {
  memset(data, 1, sizeof data);
  return NULL;
}

static void *reader(void *unused) {
  heddle_observe("first", data[63]);
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
