// SPDX-License-Identifier: MIT
//
// Settings that are loaded when they are first needed: double-checked, but with a flag.
//
// What is wrong: load sets the flag before it has set the pointer. Another thread sees the flag, skips the lock and
// uses a null pointer. lazy_fixed.c uses pthread_once.
//
// expect: exit=1 bug=crash runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct settings {
  int width;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool loaded;
static struct settings standard = {80};
static _Atomic(struct settings *) settings;

static void load(void) {
  pthread_mutex_lock(&mutex);
  if (!loaded) {
    loaded = true;
    settings = &standard;
  }
  pthread_mutex_unlock(&mutex);
}

static int width(void) {
  if (!loaded) load();
  return settings->width;
}

static void *draw(void *unused) {
  assert(width() == 80);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, draw, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
