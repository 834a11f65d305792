// SPDX-License-Identifier: MIT
//
// A pool of connections, guarded by a semaphore that counts the free ones.
//
// What is wrong: release posts the semaphore before it marks the connection free. Another thread passes the semaphore,
// searches for a free connection and finds none. pool_fixed.c marks it first, then posts.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
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
  assert(found >= 0); // BUG
  used[found] = 1;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void release(int connection) {
  sem_post(&available);
  pthread_mutex_lock(&mutex);
  used[connection] = 0;
  pthread_mutex_unlock(&mutex);
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
