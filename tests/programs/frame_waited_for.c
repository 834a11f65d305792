// SPDX-License-Identifier: MIT
// A semaphore says when the other thread has done with the local variables, whose place the next call uses again. The
// call of snprintf writes there without being seen.
// expect: exit=0 verdict=clean complete=true runs=1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct job {
  char text[16];
  int length;
  sem_t done;
};

static void *measure(void *argument) {
  struct job *job = argument;
  while (job->text[job->length]) job->length++;
  sem_post(&job->done);
  return NULL;
}

static __attribute__((noinline)) int length_of(int number) {
  struct job job;
  pthread_t thread;
  job.length = 0;
  snprintf(job.text, sizeof job.text, "%d", number);
  sem_init(&job.done, 0, 0);
  pthread_create(&thread, NULL, measure, &job);
  pthread_detach(thread);
  sem_wait(&job.done);
  return job.length;
}

int main(void) {
  assert(length_of(7) == 1);
  assert(length_of(1234) == 4);
  return 0;
}
