// SPDX-License-Identifier: MIT
// As frame_longjmp.c, but the thread is joined before the jump; afterwards another call has its variables at the same
// place, and they are alive.
// expect: exit=0 verdict=clean complete=true runs=1 events=0
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static jmp_buf start;

static void *writer(void *argument) {
  *(int *)argument = 1;
  return NULL;
}

static __attribute__((noinline)) void use(int jumps) {
  int number = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, &number);
  pthread_join(thread, NULL);
  assert(number == 1);
  if (jumps) longjmp(start, 1);
}

int main(void) {
  if (setjmp(start) == 0) use(1);
  use(0);
  return 0;
}
