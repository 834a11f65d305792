// SPDX-License-Identifier: MIT
// Main returns while another thread runs: what that thread could still have done is seen.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x++;
  assert(x == 0); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  return 0;
}
