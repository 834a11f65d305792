// SPDX-License-Identifier: MIT
//
// A mailbox of one letter, used by a sender and two readers through one condition variable.
//
// What is wrong: `changed` means two things, "there is a letter" and "there is room", and each change wakes only one of
// those that wait. A reader that takes a letter can wake the other reader instead of the sender; the wake-up is lost,
// and all sleep forever. broadcast_fixed.c wakes all of them.
//
// expect: exit=1 bug=deadlock runs<=200
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
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void take(void) {
  pthread_mutex_lock(&mutex);
  while (!full) pthread_cond_wait(&changed, &mutex);
  full = false;
  pthread_cond_signal(&changed);
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
