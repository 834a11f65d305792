// SPDX-License-Identifier: MIT
// Main leaves with pthread_exit, the others continue.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x++;
  x++;
  assert(x != 3); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_exit(NULL);
}
