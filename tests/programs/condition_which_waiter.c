// SPDX-License-Identifier: MIT
// A signal wakes one of two waiters, either one.
// expect: exit=0 verdict=clean
// observe: first=1
// observe: first=2
#include "heddle.h"
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, tokens, first;

static void *waiter(void *argument) {
  pthread_mutex_lock(&m);
  waiting++;
  while (tokens == 0) pthread_cond_wait(&c, &m);
  tokens--;
  if (!first) first = (int)(long)argument;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *signaller(void *unused) {
  pthread_mutex_lock(&m);
  tokens = 2;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, waiter, (void *)1);
  pthread_create(&t[1], NULL, waiter, (void *)2);
  pthread_create(&t[2], NULL, signaller, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  heddle_observe("first", first);
  return 0;
}
