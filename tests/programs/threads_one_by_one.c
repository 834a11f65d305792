// SPDX-License-Identifier: MIT
// Five thousand threads, each of which is joined before the next is created.
// expect: exit=0 verdict=clean runs=1 threads=5001
#include <assert.h>
#include <pthread.h>

static int done;

static void *work(void *unused) {
  done++;
  return NULL;
}

int main(void) {
  for (int i = 0; i < 5000; i++) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
  }
  assert(done == 5000);
  return 0;
}
