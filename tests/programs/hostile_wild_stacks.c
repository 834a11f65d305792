// Writes over the stack of main, which waits.
// expect: exit=1 verdict=bug bug=crash
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void scribble(uintptr_t from, uintptr_t to) {
  for (uintptr_t at = from; at < to; at += 8) *(volatile uint64_t *)at = 0x4141414141414141;
}

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  if (++rounds == 2) scribble(0x010000000000 + (64 << 20) - 8192, 0x010000000000 + (64 << 20));
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
