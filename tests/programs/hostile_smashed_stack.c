// Writes far beyond an array on its stack, over the frames of its callers.
// expect: exit=1 verdict=bug bugs=1
#include <pthread.h>
#include <stddef.h>

static void fill(volatile char *from, size_t count) {
  for (size_t i = 0; i < count; i++) from[i] = 0x41;
}

static void *worker(void *unused) {
  volatile char small[16];
  fill(small, 2000);
  return (void *)(size_t)small[0];
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
}
