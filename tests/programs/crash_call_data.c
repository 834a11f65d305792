// SPDX-License-Identifier: MIT
// A jump into data is a crash of the program, not a write that is to be put back.
// expect: exit=1 bug=crash
#include <pthread.h>

static unsigned char code[64] = {0xc3};

static void *worker(void *unused) {
  code[1] = 1;
  ((void (*)(void))code)();
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
}
