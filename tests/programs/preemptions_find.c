// SPDX-License-Identifier: MIT
// heddle: --strategy exhaustive --max-preemptions 1
// One preemption is enough for a lost update.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 2); /* BUG */
  return 0;
}
