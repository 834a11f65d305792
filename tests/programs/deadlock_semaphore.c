// SPDX-License-Identifier: MIT
// Nobody posts.
// expect: exit=1 bug=deadlock line=BUG
#include <pthread.h>
#include <semaphore.h>

sem_t s;

static void *worker(void *unused) {
  sem_wait(&s);
  sem_wait(&s); /* BUG */
  return NULL;
}

int main(void) {
  sem_init(&s, 0, 1);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
