// SPDX-License-Identifier: MIT
// Two threads wait for any of two children: whose turn it is first, and which child it gets.
// expect: exit=0 verdict=clean runs=4 observations=2
// observe: first=0
// observe: first=1
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t got[2];

static void *await(void *number) {
  got[(long)number] = wait(NULL);
  return NULL;
}

int main(void) {
  pid_t children[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    if ((children[i] = fork()) == 0) _exit(i);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, await, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("first", got[0] == children[1]);
  assert(got[0] != got[1] && got[0] > 0 && got[1] > 0);
  return 0;
}
