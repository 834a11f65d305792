// SPDX-License-Identifier: MIT
// A wild program that overwrites the memory through which heddle controls it: a finding, and heddle survives.
// expect: exit=1 verdict=bug bug=crash
#include <pthread.h>
#include <string.h>

int x;

static void *worker(void *unused) {
  x++;
  if (x == 1) memset((void *)0x019000000000, 0xff, 1 << 16);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
