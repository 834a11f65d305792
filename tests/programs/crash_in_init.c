// SPDX-License-Identifier: MIT
// A model that hands what it was given to libc, which crashes: the place is the program's call.
// expect: exit=1 bugs=1 bug=crash line=BUG function=main
#include <pthread.h>

static pthread_mutex_t *volatile none;

int main(void) {
  pthread_mutex_t *mutex = none;
  pthread_mutex_init(mutex, NULL); /* BUG */
  return 0;
}
