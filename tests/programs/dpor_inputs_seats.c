// SPDX-License-Identifier: MIT
// Two threads that take 0 to 2 of 3 seats each. When both take some, there are two orders, and in each the seats may be
// enough or not: 4 runs; 2 when only one takes some, 1 when none does.
// heddle: --strategy race-flip --races off
// expect: runs=7 blocked_runs=0 verdict=clean complete=true
// observe: enough=0
// observe: enough=1
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int seats = 3;

static void *take(void *unused) {
  const int wanted = (int)heddle_input_range("wanted", 0, 2);
  if (wanted == 0) return NULL;
  pthread_mutex_lock(&mutex);
  seats -= wanted;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, take, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  int enough = 0;
  if (seats >= 0) enough = 1;
  heddle_observe("enough", enough);
  return 0;
}
