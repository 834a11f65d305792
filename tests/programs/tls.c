// SPDX-License-Identifier: MIT
// Thread-local variables: one per thread, initialised, zeroed, also when used through addresses.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <pthread.h>

static __thread int counter = 10;
__thread long zeroed;
_Thread_local char text[] = "abc";

static int *place(void) {
  return &counter;
}

static void *worker(void *argument) {
  assert(counter == 10 && zeroed == 0 && text[0] == 'a');
  for (int i = 0; i < 5; i++) ++*place();
  zeroed = (long)argument;
  text[0] = 'x';
  assert(counter == 15 && zeroed == (long)argument);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  counter = 20;
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(counter == 20 && text[0] == 'a');
  return 0;
}
