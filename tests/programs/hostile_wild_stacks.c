// Writes over the stack of main, which waits.
// expect: exit=1 verdict=bug bug=crash
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

/* As a whole: byte by byte, the first one would be found below main's frames. */
static void scribble(uintptr_t from, uintptr_t to) {
  memset((void *)from, 0x41, to - from);
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
