// SPDX-License-Identifier: MIT
//
// pool.c repaired: a connection is free before the semaphore says so.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define CONNECTIONS 1

static sem_t available;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int used[CONNECTIONS];

static int acquire(void) {
  sem_wait(&available);
  pthread_mutex_lock(&mutex);
  int found = -1;
  for (int i = 0; i < CONNECTIONS && found < 0; i++)
    if (!used[i]) found = i;
  assert(found >= 0);
  used[found] = 1;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void release(int connection) {
  pthread_mutex_lock(&mutex);
  used[connection] = 0;
  pthread_mutex_unlock(&mutex);
  sem_post(&available);
}

static void *client(void *unused) {
  release(acquire());
  return NULL;
}

int main(void) {
  sem_init(&available, 0, CONNECTIONS);
  pthread_t clients[2];
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  return 0;
}
