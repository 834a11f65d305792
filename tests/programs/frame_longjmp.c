// SPDX-License-Identifier: MIT
// A function that longjmp leaves is dead as one that returns; those that it does not leave are alive.
// heddle: --keep-going
// expect: exit=1 bugs=1 bug=memory line=BUG message~"used after the function returned"
#include <pthread.h>
#include <setjmp.h>

static jmp_buf start;
static int *outer, *inner;
static pthread_t thread;

static void *writer(void *unused) {
  *outer = 1;
  *inner = 2; /* BUG */
  return NULL;
}

static __attribute__((noinline)) void leaves(void) {
  int number = 0;
  inner = &number;
  pthread_create(&thread, NULL, writer, NULL);
  longjmp(start, 1);
}

static __attribute__((noinline)) void stays(void) {
  int number = 0;
  outer = &number;
  if (setjmp(start) == 0) leaves();
  pthread_join(thread, NULL);
}

int main(void) {
  stays();
  return 0;
}
