// SPDX-License-Identifier: MIT
//
// main hands a result to a thread that waits for it.
//
// What is wrong: the waiting side is right, but main sets `ready` and signals without the lock. It can do both between
// the other's look at `ready` and its wait: the signal comes before there is anyone to hear it. handoff_fixed.c sets
// the flag under the lock.
//
// expect: exit=1 bug=deadlock runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
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
  result = 42;
  ready = 1;
  pthread_cond_signal(&arrived);
  pthread_join(receiver, NULL);
  return 0;
}
