// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"wait at a barrier that is not initialised"
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
  pthread_barrier_wait(&barrier); // BUG
  return 0;
}
