// SPDX-License-Identifier: MIT
// The variable with the thread's own name is the creator's, which may have returned.
// heddle: --keep-going
// expect: exit=1 runs=2 bugs=1 bug=memory line=BUG
#include <assert.h>
#include <pthread.h>

static void *looks_at_itself(void *argument) {
  const pthread_t name = *(const pthread_t *)argument; /* BUG */
  assert(pthread_equal(name, pthread_self()));
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, looks_at_itself, &thread);
  return 0;
}
