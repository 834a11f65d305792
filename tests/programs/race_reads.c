// SPDX-License-Identifier: MIT
// Reads do not race with each other, and not with the writes before the threads were created.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

int data;

static void *reader(void *result) {
  *(int *)result = data;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  data = 7;
  pthread_create(&a, NULL, reader, &x);
  pthread_create(&b, NULL, reader, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  data = 8;
  return x + y != 14;
}
