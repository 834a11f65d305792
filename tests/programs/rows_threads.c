// SPDX-License-Identifier: MIT
// Threads: results, EDEADLK, ESRCH and EINVAL of joining and detaching, cleanup handlers, attributes.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t finish;
static int cleaned;

static void clean(void *argument) {
  cleaned += *(int *)argument;
}

static void *worker(void *argument) {
  assert(!pthread_equal(pthread_self(), *(pthread_t *)argument));
  assert(pthread_equal(pthread_self(), pthread_self()));
  int one = 1, two = 2;
  pthread_cleanup_push(clean, &one);
  pthread_cleanup_push(clean, &two);
  pthread_cleanup_pop(0); // not called
  pthread_exit(&cleaned);
  pthread_cleanup_pop(0);
  return NULL;
}

static void *wait_for_end(void *unused) {
  sem_wait(&finish);
  return NULL;
}

static void check_attributes(pthread_attr_t *attributes) {
  int state = -1;
  size_t size = 0;
  assert(pthread_attr_init(attributes) == 0);
  assert(pthread_attr_getdetachstate(attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(attributes, 12345) == EINVAL);
  assert(pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_setstacksize(attributes, 1) == EINVAL);
  assert(pthread_attr_setstacksize(attributes, 16 << 20) == 0);
  assert(pthread_attr_getstacksize(attributes, &size) == 0 && size == 16 << 20);
}

int main(void) {
  pthread_t self = pthread_self(), thread, detached;
  void *result = NULL;
  assert(pthread_create(&thread, NULL, worker, &self) == 0);
  assert(pthread_join(thread, &result) == 0 && result == &cleaned && cleaned == 1);
  assert(pthread_join(thread, NULL) == ESRCH);
  assert(pthread_join(self, NULL) == EDEADLK);

  pthread_attr_t attributes;
  check_attributes(&attributes);
  sem_init(&finish, 0, 0);
  assert(pthread_create(&detached, &attributes, wait_for_end, NULL) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  assert(pthread_join(detached, NULL) == EINVAL);
  assert(pthread_detach(detached) == EINVAL);
  assert(pthread_create(&thread, NULL, wait_for_end, NULL) == 0);
  assert(pthread_detach(thread) == 0);
  assert(pthread_detach(thread) == EINVAL);
  sem_post(&finish);
  sem_post(&finish);
  return 0;
}
