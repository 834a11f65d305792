// A thread that waits on a condition variable is cancelled: it has the mutex again when its handlers run, they run
// innermost first, and joining it gives PTHREAD_CANCELED.
// expect: exit=0 verdict=clean complete=true
// observe: order=21 cancelled=1
// observe: order=0 cancelled=0
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, order;

static void outer(void *unused) {
  order = order * 10 + 1;
  assert(pthread_mutex_unlock(&mutex) == 0);
}

static void inner(void *unused) {
  order = order * 10 + 2;
}

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(outer, NULL);
  pthread_cleanup_push(inner, NULL);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *signaller(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  void *result;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, signaller, NULL);
  assert(pthread_cancel(a) == 0);
  assert(pthread_join(a, &result) == 0);
  pthread_join(b, NULL);
  assert(pthread_mutex_trylock(&mutex) == 0);
  heddle_observe("order", order);
  heddle_observe("cancelled", result == PTHREAD_CANCELED);
}
