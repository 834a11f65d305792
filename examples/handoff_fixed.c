// SPDX-License-Identifier: MIT
//
// handoff.c repaired: the flag changes under the lock, so nobody is between looking and waiting.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int ready;
static int result;

static void *receive(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&arrived, &mutex);
  pthread_mutex_unlock(&mutex);
  assert(result == 42);
  return NULL;
}

int main(void) {
  pthread_t receiver;
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_mutex_lock(&mutex);
  result = 42;
  ready = 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
  pthread_join(receiver, NULL);
  return 0;
}
