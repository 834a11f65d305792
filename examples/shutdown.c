// SPDX-License-Identifier: MIT
//
// A worker with a queue of jobs; at the end it is told to stop.
//
// What is wrong: the worker looks at `stopping` before it looks at the queue. A job that was queued before the shutdown
// is dropped when the worker comes late. shutdown_fixed.c stops only when the queue is empty.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define JOBS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued, finished;
static bool stopping;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  while (true) {
    while (queued == 0 && !stopping) pthread_cond_wait(&changed, &mutex);
    if (stopping) break;
    queued--;
    finished++;
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void submit(void) {
  pthread_mutex_lock(&mutex);
  queued++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void stop(void) {
  pthread_mutex_lock(&mutex);
  stopping = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  for (int i = 0; i < JOBS; i++) submit();
  stop();
  pthread_join(thread, NULL);
  assert(finished == JOBS); // BUG
  return 0;
}
