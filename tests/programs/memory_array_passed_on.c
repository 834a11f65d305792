// SPDX-License-Identifier: MIT
// A local array that another function fills too far: seen there, though that function does not know its size.
// expect: exit=1 bug=memory line=BUG message~"past the end"
#include <pthread.h>

static void fill(char *to, int count) {
  for (int i = 0; i < count; i++) to[i] = 'x'; // BUG
}

static void *worker(void *count) {
  char name[10];
  fill(name, *(int *)count);
  return NULL;
}

int main(void) {
  int count = 11;
  pthread_t t;
  pthread_create(&t, NULL, worker, &count);
  pthread_join(t, NULL);
  return 0;
}
