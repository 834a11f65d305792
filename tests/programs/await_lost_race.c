// The loop ends with the second value, which is written atomically and brings the first write with it. But it may read
// while the first one, a plain write, is under way: a data race, although no run has a read between the two writes.
// heddle: --strategy optimal --races error
// expect: exit=1 verdict=bug bug=data-race
#include <pthread.h>

static int x;

static void *write_both(void *unused) {
  x = 1;
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_both, NULL);
  while (__atomic_load_n(&x, __ATOMIC_SEQ_CST) != 2) {
  }
  return pthread_join(thread, NULL);
}
