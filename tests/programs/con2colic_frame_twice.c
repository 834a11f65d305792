// SPDX-License-Identifier: MIT
// The thread uses the local variable of a call while that call waits for it. The variables of both calls have the same
// place, so it also comes after the end of one of them: con2colic does not tell them apart, and must not say clean.
// heddle: --strategy con2colic --races off
// expect: exit=3 verdict=incomplete bugs=0 output~"could not rule this out"
#include <pthread.h>
#include <semaphore.h>

static sem_t asked, answered;
static int *answer;

static void *answers(void *unused) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&asked);
    *answer = i;
    sem_post(&answered);
  }
  return unused;
}

static __attribute__((noinline)) void asks(void) {
  int number = 0;
  answer = &number;
  sem_post(&asked);
  sem_wait(&answered);
}

int main(void) {
  pthread_t thread;
  sem_init(&asked, 0, 0);
  sem_init(&answered, 0, 0);
  pthread_create(&thread, NULL, answers, NULL);
  asks();
  asks();
  pthread_join(thread, NULL);
  return 0;
}
