// Creates threads until there are no more: EAGAIN, and the summary does not call it complete.
// heddle: --strategy exhaustive
// expect: exit=3 verdict=incomplete bugs=0 output~full warning~EAGAIN
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *unused) {
  return NULL;
}

int main(void) {
  int problem;
  for (pthread_t thread; (problem = pthread_create(&thread, NULL, body, NULL)) == 0;) pthread_detach(thread);
  assert(problem == EAGAIN);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
