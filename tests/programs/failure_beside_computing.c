// SPDX-License-Identifier: MIT
// heddle: --hang-time 1 --keep-going --max-runs 2
// A thread fails while another computes for too long: the failure is found, and nothing is called complete.
// expect: exit=1 complete=false bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

static unsigned long count;

static void *worker(void *unused) {
  while (1) count++;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  assert(0); /* BUG */
  return 0;
}
