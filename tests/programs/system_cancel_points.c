// Every kind of cancellation point: the thread stands in it, or reaches it, when it is cancelled.
// heddle: --strategy random --max-runs 300
// expect: exit=3 bugs=0
// observe: ended=8
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore;
static pthread_t forever;

static void *waits_for_semaphore(void *unused) {
  sem_wait(&semaphore);
  return NULL;
}

static void *tests(void *unused) {
  for (;;) pthread_testcancel();
}

static void *sleeps(void *unused) {
  for (;;) sleep(1);
}

static void *sleeps_shortly(void *unused) {
  for (;;) usleep(1);
}

static void *sleeps_nanoseconds(void *unused) {
  const struct timespec time = {0, 1};
  for (;;) nanosleep(&time, NULL);
}

static void *sleeps_by_clock(void *unused) {
  const struct timespec time = {0, 1};
  for (;;) clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static void *joins(void *unused) {
  pthread_join(forever, NULL);
  return NULL;
}

int main(void) {
  void *(*const bodies[])(void *) = {waits_for_semaphore, tests,           sleeps, sleeps_shortly,
                                     sleeps_nanoseconds,  sleeps_by_clock, joins};
  enum { COUNT = sizeof bodies / sizeof *bodies };
  pthread_t threads[COUNT];
  int ended = 0;
  sem_init(&semaphore, 0, 0);
  pthread_create(&forever, NULL, waits_for_semaphore, NULL);
  for (int i = 0; i < COUNT; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < COUNT; i++) assert(pthread_cancel(threads[i]) == 0);
  for (int i = 0; i < COUNT; i++) {
    void *result;
    assert(pthread_join(threads[i], &result) == 0);
    ended += result == PTHREAD_CANCELED;
    assert(pthread_cancel(threads[i]) == ESRCH);
  }
  assert(pthread_cancel(forever) == 0);
  assert(pthread_join(forever, NULL) == 0);
  heddle_observe("ended", ended + 1);
}
