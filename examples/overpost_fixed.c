// SPDX-License-Identifier: MIT
//
// overpost.c repaired: the one who took the unit puts it back.
//
// expect: exit=0 verdict=clean warnings=0 runs=6
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

static sem_t printer;
static atomic_int printing;

static bool print(int pages) {
  if (pages == 0) return false;
  assert(atomic_fetch_add(&printing, 1) == 0);
  atomic_fetch_sub(&printing, 1);
  return true;
}

static void *job(void *argument) {
  const int pages = (int)(long)argument;
  sem_wait(&printer);
  print(pages);
  sem_post(&printer);
  return NULL;
}

int main(void) {
  sem_init(&printer, 0, 1);
  pthread_t jobs[3];
  for (long pages = 0; pages < 3; pages++) pthread_create(&jobs[pages], NULL, job, (void *)pages);
  for (int i = 0; i < 3; i++) pthread_join(jobs[i], NULL);
  sem_destroy(&printer);
  return 0;
}
