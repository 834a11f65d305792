// 3000 threads alive at the same time.
// heddle: --strategy random --max-runs 1 --max-threads 5000
// expect: bugs=0 threads=3001
// observe: count=3000
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

enum { COUNT = 3000 };

static pthread_barrier_t all_there;
static char there[COUNT];

static void *body(void *mine) {
  *(char *)mine = 1;
  pthread_barrier_wait(&all_there);
  return NULL;
}

int main(void) {
  static pthread_t threads[COUNT];
  int count = 0;
  pthread_barrier_init(&all_there, NULL, COUNT);
  for (int i = 0; i < COUNT; i++) assert(pthread_create(&threads[i], NULL, body, &there[i]) == 0);
  for (int i = 0; i < COUNT; i++) assert(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < COUNT; i++) count += there[i];
  heddle_observe("count", count);
}
