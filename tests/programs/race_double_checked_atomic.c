// SPDX-License-Identifier: MIT
// Double-checked initialisation with an atomic pointer.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>
#include <stdatomic.h>

struct thing {
  int value;
};

struct thing storage;
struct thing *_Atomic instance;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct thing *get(void) {
  if (!instance) {
    pthread_mutex_lock(&m);
    if (!instance) {
      storage.value = 7;
      instance = &storage;
    }
    pthread_mutex_unlock(&m);
  }
  return instance;
}

static void *worker(void *result) {
  *(int *)result = get()->value;
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
