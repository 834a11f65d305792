// SPDX-License-Identifier: MIT
// The example of the unfolding paper's figure 9: an input that one thread writes decides a branch of the other.
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *unused) {
  const int a = x;
  if (a > 0) assert(0); /* BUG */
  return NULL;
}

static void *writer(void *unused) {
  const int b = x;
  if (b == 0) x = heddle_input_int("written");
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, reader, NULL);
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
