// SPDX-License-Identifier: MIT
// pthread_exit leaves all functions of the thread: what it lent is dead, also when it is joined.
// heddle: --keep-going
// expect: exit=1 bugs=2 bug=memory line=BUG message~"read of a local variable, used after the function returned"
#include <pthread.h>
#include <semaphore.h>

static int *address, seen;
static sem_t lent;

static __attribute__((noinline)) void lends(void) {
  int number = 1;
  address = &number;
  sem_post(&lent);
  pthread_exit(NULL);
}

static void *lender(void *unused) {
  lends();
  return NULL;
}

int main(void) {
  pthread_t thread;
  sem_init(&lent, 0, 0);
  pthread_create(&thread, NULL, lender, NULL);
  sem_wait(&lent);
  seen = *address;
  pthread_join(thread, NULL);
  seen = *address; // BUG
  return 0;
}
