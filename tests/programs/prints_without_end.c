// SPDX-License-Identifier: MIT
// heddle: --hang-time 1
// A program that prints forever is stopped, and heddle neither fills the memory nor prints it all. That it will never
// end is not proved: the result is incomplete.
// expect: exit=3 verdict=incomplete
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused) {
  while (1) printf("and so on and so on and so on and so on and so on and so on and so on\n");
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
