// SPDX-License-Identifier: MIT
// Every thread that has the address of a local variable is joined before its function returns, also when the functions
// are calls of one function inside each other, and one after the other at the same place: no operation is to be seen at
// all.
// expect: exit=0 verdict=clean complete=true runs=1 events=0 warnings=0
#include <assert.h>
#include <pthread.h>

struct job {
  int given, done;
};

static void *work(void *argument) {
  struct job *job = argument;
  job->done = job->given + 1;
  return NULL;
}

static int sum(int depth) {
  struct job job = {.given = depth};
  pthread_t thread;
  pthread_create(&thread, NULL, work, &job);
  const int below = depth > 1 ? sum(depth - 1) : 0;
  pthread_join(thread, NULL);
  return below + job.done;
}

int main(void) {
  struct job jobs[2] = {{1, 0}, {2, 0}};
  pthread_t threads[2];
  assert(sum(3) == 9);
  assert(sum(2) == 5);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &jobs[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return jobs[0].done + jobs[1].done - 5;
}
