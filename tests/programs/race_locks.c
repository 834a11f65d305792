// SPDX-License-Identifier: MIT
// Each thread holds a lock, but not the same one: both are named.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
// expect: warning~"'locks': ['left']" warning~"'locks': ['right']" warning~total
#include <pthread.h>

int total, guarded;
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  pthread_mutex_lock(&left);
  total = 1; // RACE
  pthread_mutex_unlock(&left);
  pthread_mutex_lock(&right);
  guarded++;
  pthread_mutex_unlock(&right);
  return NULL;
}

static void *subtract(void *unused) {
  pthread_mutex_lock(&right);
  total = 2; // RACE
  guarded--;
  pthread_mutex_unlock(&right);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, subtract, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return guarded;
}
