// SPDX-License-Identifier: MIT
//
// registry.c repaired: the lock is held from the look to the addition.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define ENTRIES 8

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *names[ENTRIES];
static int n_names;

// The caller holds the lock, here and in add.
static int find(const char *name) {
  int found = -1;
  for (int i = 0; i < n_names && found < 0; i++)
    if (strcmp(names[i], name) == 0) found = i;
  return found;
}

static int add(const char *name) {
  const int place = n_names++;
  names[place] = name;
  return place;
}

static int register_name(const char *name) {
  pthread_mutex_lock(&mutex);
  const int found = find(name);
  const int entry = found >= 0 ? found : add(name);
  pthread_mutex_unlock(&mutex);
  return entry;
}

static void *user(void *unused) {
  register_name("logger");
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (int i = 0; i < 2; i++) pthread_create(&users[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(users[i], NULL);
  assert(n_names == 1);
  return 0;
}
