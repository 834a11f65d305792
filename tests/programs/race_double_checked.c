// SPDX-License-Identifier: MIT
// Double-checked initialisation with a plain pointer: the check outside the lock races.
// expect: exit=0 data_race_lines=RACE warning~instance
#include <pthread.h>

struct thing {
  int value;
};

struct thing storage, *instance;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct thing *get(void) {
  if (!instance) { // RACE
    pthread_mutex_lock(&m);
    if (!instance) {
      storage.value = 7;   // RACE
      instance = &storage; // RACE
    }
    pthread_mutex_unlock(&m);
  }
  return instance; // RACE
}

static void *worker(void *result) {
  *(int *)result = get()->value; // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, worker, &x);
  pthread_create(&b, NULL, worker, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y != 14;
}
