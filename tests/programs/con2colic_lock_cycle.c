// SPDX-License-Identifier: MIT
// Two threads that take two locks in opposite orders, if an input says so: every branch is covered by runs that end
// well.
// heddle: --strategy con2colic
// expect: exit=1 bug=deadlock verdict=bug
#include "heddle.h"

#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void move(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  moved++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *to_the_right(void *unused) {
  move(&left, &right);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, to_the_right, NULL);
  if (heddle_input_int("direction") > 3)
    move(&right, &left);
  else
    move(&left, &right);
  pthread_join(thread, NULL);
  return 0;
}
