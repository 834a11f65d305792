// SPDX-License-Identifier: MIT
//
// broadcast.c repaired: every change wakes everybody, and each looks for itself.
//
// expect: exit=0 verdict=clean warnings=0 runs=40
#include <pthread.h>
#include <stdbool.h>

#define READERS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;

static void put(void) {
  pthread_mutex_lock(&mutex);
  while (full) pthread_cond_wait(&changed, &mutex);
  full = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void take(void) {
  pthread_mutex_lock(&mutex);
  while (!full) pthread_cond_wait(&changed, &mutex);
  full = false;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void *reader(void *unused) {
  take();
  return NULL;
}

int main(void) {
  pthread_t readers[READERS];
  for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, reader, NULL);
  for (int letter = 0; letter < READERS; letter++) put();
  for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
  return 0;
}
