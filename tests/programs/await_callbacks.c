// Loops that wait in functions that the runtime calls: an initialisation that is done once, a signal handler and a
// destructor of thread-local data. What comes after these functions is not part of the loop.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true truncated_runs=0
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int x, n_once, n_handled, n_destroyed;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void wait_until(int value) {
  while (atomic_load(&x) < value) {
  }
}

static void initialise(void) {
  wait_until(1);
  atomic_fetch_add(&n_once, 1);
}

static void handle(int signal) {
  wait_until(2);
  atomic_fetch_add(&n_handled, 1);
}

static void destroy(void *value) {
  wait_until(3);
  atomic_fetch_add(&n_destroyed, 1);
}

static void *wait_thrice(void *unused) {
  pthread_setspecific(key, &key);
  pthread_once(&once, initialise);
  raise(SIGUSR1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, wait_thrice, NULL);
  for (int i = 1; i <= 3; i++) atomic_store(&x, i);
  pthread_join(thread, NULL);
  assert(n_once == 1 && n_handled == 1 && n_destroyed == 1);
  return 0;
}
