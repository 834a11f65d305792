// SPDX-License-Identifier: MIT
// The same with the runtime's own memory.
// expect: exit=1 verdict=bug bug=crash
#include <pthread.h>
#include <string.h>

int x;

static void *worker(void *unused) {
  x++;
  if (x == 1) memset((void *)0x018000000000, 0xff, 1 << 16);
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
