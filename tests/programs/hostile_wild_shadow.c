// Writes over the shadow of its variables, by which heddle learns what is shared.
// expect: exit=3 verdict=incomplete bugs=0 warning~"could not be repeated"
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void scribble(uintptr_t from, uintptr_t to) {
  for (uintptr_t at = from; at < to; at += 8) *(volatile uint64_t *)at = 0x4141414141414141;
}

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  if (++rounds == 2) scribble(0x100000000000 + (uintptr_t)&rounds, 0x100000000000 + (uintptr_t)&rounds + 4096);
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
