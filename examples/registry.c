// SPDX-License-Identifier: MIT
//
// A table of names; registering a name twice gives the same entry.
//
// What is wrong: each step takes the lock, but between looking for the name and adding it the lock is free. Two threads
// that register the same name both find it missing, and both add it. registry_fixed.c looks and adds under one lock.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define ENTRIES 8

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *names[ENTRIES];
static int n_names;

static int find(const char *name) {
  int found = -1;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < n_names && found < 0; i++)
    if (strcmp(names[i], name) == 0) found = i;
  pthread_mutex_unlock(&mutex);
  return found;
}

static int add(const char *name) {
  pthread_mutex_lock(&mutex);
  const int place = n_names++;
  names[place] = name;
  pthread_mutex_unlock(&mutex);
  return place;
}

static int register_name(const char *name) {
  const int found = find(name);
  return found >= 0 ? found : add(name);
}

static void *user(void *unused) {
  register_name("logger");
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (int i = 0; i < 2; i++) pthread_create(&users[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(users[i], NULL);
  assert(n_names == 1); // BUG
  return 0;
}
