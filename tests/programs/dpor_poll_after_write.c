// What lets a poll move commutes with the load, which the poll depends on like on everything: the write, the poll and
// the store can all come before the load, also where the write came after it in the first run. Three classes: the load
// before the poll, between poll and store, after the store. A strategy that takes it that the poll could not have come
// before the load, because it had to wait there, explores one.
// heddle: --strategy optimal --order first
// expect: exit=0 verdict=clean complete=true runs=3 blocked_runs=0
// observe: x=0
// observe: x=1
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

static int counter;
static atomic_int x;

static void *load(void *unused) {
  heddle_observe("x", atomic_load(&x));
  return NULL;
}

static void *wait_and_store(void *unused) {
  struct pollfd entry = {counter, POLLIN, 0};
  poll(&entry, 1, -1);
  atomic_store(&x, 1);
  return NULL;
}

static void *write_counter(void *unused) {
  eventfd_write(counter, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  counter = eventfd(0, 0);
  pthread_create(&threads[0], NULL, load, NULL);
  pthread_create(&threads[1], NULL, wait_and_store, NULL);
  pthread_create(&threads[2], NULL, write_counter, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
