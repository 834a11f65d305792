// SPDX-License-Identifier: MIT
// Two pairs of places race, each in both orders: two bugs, not four.
// heddle: --races=error --keep-going
// expect: exit=1 bugs=2 bug=data-race message~"on x"
// expect: bug=data-race message~"on y"
#include <pthread.h>

int x, y;

static void *left(void *unused) {
  x = 1;
  y = 1;
  return NULL;
}

static void *right(void *unused) {
  y = 2;
  x = 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
