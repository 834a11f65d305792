// SPDX-License-Identifier: MIT
// heddle: --keep-going
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a barrier while threads wait at it"
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t barrier;
atomic_int coming;

static void *thread(void *unused) {
  coming = 1;
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t, NULL, thread, NULL);
  if (coming == 1 && coming == 1)
    pthread_barrier_destroy(&barrier); // BUG
  else
    pthread_barrier_wait(&barrier);
  pthread_join(t, NULL);
  return 0;
}
