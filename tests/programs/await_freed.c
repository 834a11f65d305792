// The memory that a loop waits for may be freed while its value would not end the loop.
// heddle: --strategy optimal
// expect: exit=1 verdict=bug bug=memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *x;

static void *end(void *unused) {
  atomic_store(x, 1);
  atomic_store(x, 0);
  free(x);
  return NULL;
}

int main(void) {
  pthread_t thread;
  x = calloc(1, sizeof *x);
  pthread_create(&thread, NULL, end, NULL);
  while (atomic_load(x) == 0) {
  }
  return pthread_join(thread, NULL);
}
