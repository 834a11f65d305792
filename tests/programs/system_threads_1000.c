// 1000 threads alive at the same time.
// heddle: --strategy random --max-runs 1 --max-threads 5000
// expect: bugs=0
// observe: count=1000
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

enum { COUNT = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_there = PTHREAD_COND_INITIALIZER;
static int count;

static void *body(void *unused) {
  pthread_mutex_lock(&mutex);
  if (++count == COUNT) pthread_cond_broadcast(&all_there);
  while (count < COUNT) pthread_cond_wait(&all_there, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  static pthread_t threads[COUNT];
  for (int i = 0; i < COUNT; i++) assert(pthread_create(&threads[i], NULL, body, NULL) == 0);
  for (int i = 0; i < COUNT; i++) assert(pthread_join(threads[i], NULL) == 0);
  heddle_observe("count", count);
}
