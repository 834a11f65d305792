// SPDX-License-Identifier: MIT
//
// Each of the two writes and fails before its next operation, so that no run shows both writes. One that comes between
// the other's write and its check leads to the third failure.
//
// The steps are lock, write, read; the third step of the first thread ends the run: after none, one or two steps of the
// other 1 + 3 + 6 runs, after all three 3 (the other one has passed its check: the first has written between its write
// and its read). The third step of the second thread ends the run after none, one or two of the first: 1 + 3 + (6 - 3).
//
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 runs=20 bugs=3 complete=true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int value;

static void *first(void *unused) {
  pthread_mutex_lock(&mutexes[0]);
  value = 1;
  assert(value == 2);
  assert(!"the other one has come in between");
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&mutexes[1]);
  value = 2;
  assert(value == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
