// SPDX-License-Identifier: MIT
// Accesses under one lock, before the creation and after the join: no two threads stand before accesses that conflict.
// heddle: --strategy con2colic --races error
// expect: exit=0 verdict=clean complete=true
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sum = 1;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return sum == 0;
}
