// SPDX-License-Identifier: MIT
//
// A client waits for an answer, but not forever.
//
// What is wrong: it does not ask why the wait ended. After a timeout there is no answer yet, and it reads what is
// there. timeout_fixed.c checks the condition, not how it was woken.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool answered;
static int answer;

static void *server(void *unused) {
  pthread_mutex_lock(&mutex);
  answer = 42;
  answered = true;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

// The answer, or 0 if none came in time.
static int await_answer(int seconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += seconds;
  pthread_mutex_lock(&mutex);
  int error = 0;
  while (!answered && error == 0) error = pthread_cond_timedwait(&arrived, &mutex, &deadline);
  const int received = answer;
  assert(received == 42); // BUG
  pthread_mutex_unlock(&mutex);
  return received;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, server, NULL);
  await_answer(10);
  pthread_join(thread, NULL);
  return 0;
}
