// The loop ends with any value but 0: four runs, one for each of the four that end it.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=4 blocked_runs=0
// observe: seen=1
// observe: seen=2
// observe: seen=3
// observe: seen=4
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void *count(void *unused) {
  for (int i = 1; i <= 4; i++) atomic_store(&x, i);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int seen;
  pthread_create(&thread, NULL, count, NULL);
  while ((seen = atomic_load(&x)) == 0) usleep(10);
  heddle_observe("seen", seen);
  return pthread_join(thread, NULL);
}
