// The value that ends the loop, and its thread with it, is there for a moment only. That the thread would end then, if
// it moved, must not end it: it may miss the moment, and wait forever.
// heddle: --strategy optimal --keep-going
// expect: exit=1 verdict=bug bug=livelock runs=2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *wait_for_it(void *unused) {
  while (atomic_load(&x) != 2) {
  }
  return NULL;
}

static void *pass(void *unused) {
  atomic_store(&x, 2);
  atomic_store(&x, 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, wait_for_it, NULL);
  pthread_create(&threads[1], NULL, pass, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
