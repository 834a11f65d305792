// A loop that sleeps while it waits, in a program that looks at the clock: how long it took can be told, so its rounds
// are made.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true
// observe: late=0
// observe: late=1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void *set(void *unused) {
  atomic_store(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  const time_t start = time(NULL);
  pthread_create(&thread, NULL, set, NULL);
  while (!atomic_load(&x)) sleep(1);
  heddle_observe("late", time(NULL) > start);
  return pthread_join(thread, NULL);
}
