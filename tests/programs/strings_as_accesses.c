// SPDX-License-Identifier: MIT
// memcpy and strcpy are accesses: what another thread wrote is seen or not seen.
// expect: exit=0 verdict=clean observations=2
// observe: length=0
// observe: length=5
#include "heddle.h"
#include <pthread.h>
#include <string.h>

char buffer[16];

static void *writer(void *unused) {
  strcpy(buffer, "words");
  return NULL;
}

static void *reader(void *unused) {
  char copy[16];
  memcpy(copy, buffer, sizeof copy);
  heddle_observe("length", (long long)strlen(copy));
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
