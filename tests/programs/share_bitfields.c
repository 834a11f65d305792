// SPDX-License-Identifier: MIT
// Bit-fields of one word are one location: a lost update of a neighbour is found.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

struct {
  unsigned left : 4, right : 4;
} bits;

static void *left(void *unused) {
  bits.left = 1;
  return NULL;
}

static void *right(void *unused) {
  bits.right = 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(bits.left + bits.right == 2); /* BUG */
  return 0;
}
