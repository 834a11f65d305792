/* SPDX-License-Identifier: MIT
 *
 * Two threads that do one thing N times: long_runs WHAT N, for long_runs.sh.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static atomic_int number, turn;
static char block[256];

static void *lock(void *unused) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void *read_lock(void *unused) {
  for (int i = 0; i < rounds; i++) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  }
  return NULL;
}

static void *write_lock(void *unused) {
  for (int i = 0; i < rounds; i++) {
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  }
  return NULL;
}

static void *post(void *unused) {
  for (int i = 0; i < rounds; i++) sem_post(&semaphore);
  return NULL;
}

static void *take(void *unused) {
  for (int i = 0; i < rounds; i++) sem_wait(&semaphore);
  return NULL;
}

static void *load(void *unused) {
  int sum = 0;
  for (int i = 0; i < 2 * rounds; i++) sum += atomic_load(&number);
  return sum ? block : NULL;
}

static void *store(void *unused) {
  atomic_store(&number, 1);
  return NULL;
}

static void *exchange(void *unused) {
  for (int i = 0; i < rounds; i++) {
    int value = atomic_load(&number);
    atomic_compare_exchange_strong(&number, &value, value + 1);
  }
  return NULL;
}

static void *fill(void *unused) {
  for (int i = 0; i < rounds / 2; i++) {
    pthread_mutex_lock(&mutex);
    memset(block, i, sizeof block);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void take_turns(int own) {
  for (int i = 0; i < rounds; i++) {
    while (atomic_load(&turn) != own) {
    }
    atomic_store(&turn, 1 - own);
  }
}

static void *first(void *unused) {
  take_turns(0);
  return NULL;
}

static void *second(void *unused) {
  take_turns(1);
  return NULL;
}

static const struct work {
  const char *name;
  void *(*one)(void *), *(*other)(void *);
} works[] = {
    {"mutex", lock, lock},    {"rwlock", read_lock, write_lock}, {"semaphore", post, take},
    {"reads", load, store},   {"exchange", exchange, exchange},  {"blocks", fill, fill},
    {"turns", first, second},
};

int main(int argc, char **argv) {
  pthread_t one, other;
  rounds = argc > 2 ? atoi(argv[2]) : 0;
  sem_init(&semaphore, 0, 0);
  for (size_t i = 0; i < sizeof works / sizeof works[0] && rounds > 0; i++) {
    if (strcmp(works[i].name, argv[1]) != 0) continue;
    pthread_create(&one, NULL, works[i].one, NULL);
    pthread_create(&other, NULL, works[i].other, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
  }
  return 1;
}
