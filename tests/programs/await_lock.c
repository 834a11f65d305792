// A lock by test-and-set, for three threads: the update that finds it taken leaves it taken and leads back to the loop.
// As with a mutex, there is one run for each order of the threads: six.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=6 blocked_runs=0
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *count(void *unused) {
  while (atomic_exchange(&lock, 1)) sched_yield();
  counter++;
  atomic_store(&lock, 0);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return counter != 3;
}
