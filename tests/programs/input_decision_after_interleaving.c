// SPDX-License-Identifier: MIT
// A lock that depends on an input: a deadlock for one side only.
// expect: exit=1 bug=deadlock
#include "heddle.h"
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *ordered(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void *chosen(void *unused) {
  if (heddle_input_int("order") * 11 != 143) return ordered(NULL);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, ordered, NULL);
  pthread_create(&t, NULL, chosen, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
