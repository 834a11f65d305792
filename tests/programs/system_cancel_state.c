// A thread that has disabled cancellation continues; the request is kept until it enables it and reaches a cancellation
// point. Asynchronous cancellation is accepted, with a warning.
// expect: exit=0 verdict=clean complete=true warning~asynchronous
// observe: done=2 cancelled=1
// observe: done=3 cancelled=0
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>

static int done;

static void *body(void *unused) {
  int old;
  assert(pthread_setcancelstate(77, NULL) == EINVAL);
  assert(pthread_setcanceltype(77, NULL) == EINVAL);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  done = 1;
  pthread_testcancel();
  done = 2;
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_ASYNCHRONOUS);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  pthread_testcancel();
  done = 3;
  return NULL;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, body, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  heddle_observe("done", done);
  heddle_observe("cancelled", result == PTHREAD_CANCELED);
}
