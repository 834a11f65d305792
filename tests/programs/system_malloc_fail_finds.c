// The second thread does not look at what malloc returns. Allocations are not places where threads can switch: the runs
// are the two orders of the locks with no allocation failing, the same with the first, and one where the second fails.
// heddle: --malloc-fail --keep-going
// expect: exit=1 bugs=1 bug=crash line=BUG runs=5
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *unused) {
  int *block = malloc(sizeof *block);
  if (block) *block = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return block;
}

static void *careless(void *unused) {
  int *block = malloc(sizeof *block);
  *block = 1; // BUG
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return block;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, careful, NULL);
  pthread_create(&b, NULL, careless, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
