// SPDX-License-Identifier: MIT
//
// Both threads fail before their first operation. Which of them is first is not a choice, so the second is not seen,
// and the result says that it is not complete.
//
// heddle: --strategy reachability --keep-going
// expect: exit=1 bugs=1 complete=false
#include <assert.h>
#include <pthread.h>

static void *first(void *argument) {
  assert(argument);
  return NULL;
}

static void *second(void *argument) {
  assert(argument);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
