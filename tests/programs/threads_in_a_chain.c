// SPDX-License-Identifier: MIT
// Each thread creates the next, without end, and main waits for a flag that the fifth sets and ends the process: that
// the last of the chain is held back does not matter to main, but the result is no proof.
// heddle: --max-threads 6
// expect: exit=3 verdict=incomplete bugs=0 output~"--max-threads stopped a thread"
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static sem_t fifth;

static void *body(void *depth) {
  pthread_t next;
  if ((intptr_t)depth == 5) sem_post(&fifth);
  pthread_create(&next, NULL, body, (void *)((intptr_t)depth + 1));
  return NULL;
}

int main(void) {
  pthread_t first;
  sem_init(&fifth, 0, 0);
  pthread_create(&first, NULL, body, (void *)1);
  sem_wait(&fifth);
  return 0;
}
