// SPDX-License-Identifier: MIT
// Posts are not ordered: a wait that comes after both can come before either of them, and which one is then left out of
// the reversal matters. Six Mazurkiewicz traces: x in two orders, the wait after one post, the other, or both.
// heddle: --strategy dpor-2
// expect: exit=0 verdict=clean complete=true runs>=6
#include <pthread.h>
#include <semaphore.h>

static sem_t posted;
static int x;

static void *poster(void *unused) {
  sem_post(&posted);
  return NULL;
}

static void *waiter(void *unused) {
  x = 1;
  sem_wait(&posted);
  return NULL;
}

static void *writer(void *unused) {
  x = 2;
  return NULL;
}

int main(void) {
  static void *(*const starts[4])(void *) = {poster, poster, waiter, writer};
  pthread_t t[4];
  sem_init(&posted, 0, 0);
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, starts[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
