// SPDX-License-Identifier: MIT
// Threads are created without end and do nothing wrong. That main stops at --max-threads is no deadlock, and no proof.
// heddle: --max-threads 3 --strategy unfolding
// expect: exit=3 verdict=incomplete bugs=0 output~"--max-threads stopped a thread"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *body(void *unused) {
  pthread_mutex_lock(&lock);
  const int y = counter;
  counter = y + 1;
  assert(counter == y + 1);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  for (;;) {
    pthread_create(&thread, NULL, body, NULL);
    pthread_detach(thread);
  }
}
