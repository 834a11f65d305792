// SPDX-License-Identifier: MIT
// pthread_self and pthread_equal.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>

pthread_t main_thread;

static void *worker(void *unused) {
  assert(!pthread_equal(pthread_self(), main_thread));
  return (void *)pthread_self();
}

int main(void) {
  main_thread = pthread_self();
  assert(pthread_equal(pthread_self(), main_thread));
  pthread_t a, b;
  void *self;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  assert(!pthread_equal(a, b));
  pthread_join(a, &self);
  assert(pthread_equal((pthread_t)self, a));
  pthread_join(b, &self);
  assert(pthread_equal((pthread_t)self, b));
  return 0;
}
