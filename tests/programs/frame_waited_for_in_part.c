// SPDX-License-Identifier: MIT
// As frame_waited_for.c, but the thread touches the variable once more after it has said that it is done.
// expect: exit=1 bug=memory line=BUG message~"used after the function returned"
#include <pthread.h>
#include <semaphore.h>

struct job {
  int number, users;
  sem_t done;
};

static void *count(void *argument) {
  struct job *job = argument;
  job->number++;
  sem_post(&job->done);
  job->users--; /* BUG */
  return NULL;
}

static __attribute__((noinline)) int next(int number) {
  struct job job = {number, 1};
  pthread_t thread;
  sem_init(&job.done, 0, 0);
  pthread_create(&thread, NULL, count, &job);
  pthread_detach(thread);
  sem_wait(&job.done);
  return job.number;
}

int main(void) {
  return next(1) - 2;
}
