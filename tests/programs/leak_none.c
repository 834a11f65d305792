// SPDX-License-Identifier: MIT
// heddle: --leaks
// expect: exit=0 verdict=clean warnings=0
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *maker(void *unused) {
  return malloc(10);
}

int main(void) {
  pthread_t t;
  void *made;
  pthread_create(&t, NULL, maker, NULL);
  pthread_join(t, &made);
  free(realloc(made, 20));
  printf("done\n");
  return 0;
}
