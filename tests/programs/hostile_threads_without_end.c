// SPDX-License-Identifier: MIT
// Creates threads without end, one after another: the run is stopped where heddle has no room for more, and that is
// said.
// heddle: --strategy exhaustive --max-runs 1
// expect: exit=3 verdict=incomplete bugs=0 output~"8191 threads"
#include <assert.h>
#include <pthread.h>

static void *body(void *unused) {
  return NULL;
}

int main(void) {
  for (;;) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, body, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
  }
}
