// SPDX-License-Identifier: MIT
//
// A semaphore with one unit lets one thread at a time use a printer.
//
// What is wrong: print puts the unit back when the printer fails, and its caller, who puts it back after every job,
// does so again. From then on the semaphore has two units, and two threads print at once. overpost_fixed.c puts it back
// in one place.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

static sem_t printer;
static atomic_int printing;

static bool print(int pages) {
  if (pages == 0) {
    sem_post(&printer);
    return false;
  }
  assert(atomic_fetch_add(&printing, 1) == 0); // BUG
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
