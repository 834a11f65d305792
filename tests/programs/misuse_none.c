// SPDX-License-Identifier: MIT
// Close to the misuses: initialised again after destruction, local objects at the same place, copies and zeros as
// static initialisers, a condition variable destroyed after its broadcast.
// expect: exit=0 verdict=clean complete=true warnings=0
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct account {
  int balance;
  pthread_mutex_t mutex;
};

static pthread_mutex_t mutex, other;
static pthread_cond_t changed;
static int ready;

static void local_by_call(void) {
  pthread_mutex_t local;
  pthread_mutex_init(&local, NULL);
  pthread_mutex_lock(&local);
  pthread_mutex_unlock(&local);
}

static void local_by_value(int destroys) {
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&local);
  pthread_mutex_unlock(&local);
  if (destroys) pthread_mutex_destroy(&local);
}

static void use(struct account *account) {
  pthread_mutex_lock(&account->mutex);
  account->balance++;
  pthread_mutex_unlock(&account->mutex);
}

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void wait_and_destroy(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  pthread_cond_destroy(&changed);
}

int main(void) {
  static const struct account model = {0, PTHREAD_MUTEX_INITIALIZER};
  struct account *copy = malloc(sizeof *copy), *zeros = calloc(1, sizeof *zeros);
  *copy = model;
  use(copy);
  use(zeros);
  free(copy);
  free(zeros);
  for (int i = 0; i < 3; i++) {
    local_by_call();
    local_by_value(i);
    pthread_mutex_init(&other, NULL);
    pthread_mutex_destroy(&other);
  }
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&changed, NULL);
  wait_and_destroy();
  return 0;
}
