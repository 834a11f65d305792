// SPDX-License-Identifier: MIT
// Destroyed when nobody uses them any more, and initialised again; a lock on the stack of every call.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t m;
static pthread_cond_t c;
static sem_t s;
static pthread_rwlock_t lock;

static void *user(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_post(&s);
  return NULL;
}

static void on_the_stack(void) {
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER, made;
  pthread_mutex_init(&made, NULL);
  assert(pthread_mutex_lock(&local) == 0 && pthread_mutex_unlock(&local) == 0);
  assert(pthread_mutex_lock(&made) == 0 && pthread_mutex_unlock(&made) == 0);
  assert(pthread_mutex_destroy(&local) == 0); /* `made` just goes away */
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    pthread_t t;
    pthread_mutex_init(&m, NULL);
    pthread_cond_init(&c, NULL);
    sem_init(&s, 0, 0);
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&t, NULL, user, NULL);
    sem_wait(&s);
    pthread_join(t, NULL);
    assert(pthread_mutex_destroy(&m) == 0 && pthread_cond_destroy(&c) == 0);
    assert(sem_destroy(&s) == 0 && pthread_rwlock_destroy(&lock) == 0);
    on_the_stack();
  }
  pthread_mutex_t *zeroed = calloc(1, sizeof *zeroed), *assigned = malloc(sizeof *assigned);
  *assigned = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  assert(pthread_mutex_lock(zeroed) == 0 && pthread_mutex_unlock(zeroed) == 0);
  assert(pthread_mutex_lock(assigned) == 0 && pthread_mutex_unlock(assigned) == 0);
  free(zeroed);
  free(assigned);
  return 0;
}
