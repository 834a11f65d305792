// SPDX-License-Identifier: MIT
// Also in a program that has no other thread.
// expect: exit=1 bug=deadlock line=BUG
#include <pthread.h>

int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m); /* BUG */
  return 0;
}
