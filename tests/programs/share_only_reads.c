// SPDX-License-Identifier: MIT
// What all threads only read is not shared: one run.
// expect: exit=0 verdict=clean runs=1
#include <pthread.h>

int table[4] = {1, 2, 3, 4};
int sums[2];

static void *worker(void *argument) {
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += table[i];
  sums[(long)argument] = sum;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return sums[0] + sums[1] == 20 ? 0 : 1;
}
