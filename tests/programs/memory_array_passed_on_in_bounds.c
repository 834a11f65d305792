// SPDX-License-Identifier: MIT
// Arrays that are filled to their last byte, functions that are left by return, longjmp and pthread_exit, and others
// that use the same stack afterwards.
// expect: exit=0 verdict=clean bugs=0
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static void fill(char *to, int count) {
  for (int i = 0; i < count; i++) to[i] = 'x';
}

static _Thread_local jmp_buf back;

static void leave_by_jump(int how) {
  char name[33];
  fill(name, 33);
  if (how == 0) longjmp(back, 1);
  if (how == 1) _longjmp(back, 1);
  siglongjmp(back, 1);
}

static long use_stack(void) {
  char bytes[300];
  long numbers[20];
  fill(bytes, 300);
  memset(numbers, 0, sizeof numbers);
  return numbers[19] + bytes[299];
}

static void handler(void *unused) {
  use_stack();
}

static void *worker(void *unused) {
  char name[10];
  fill(name, 10);
  if (setjmp(back) == 0) leave_by_jump(0);
  use_stack();
  if (_setjmp(back) == 0) leave_by_jump(1);
  use_stack();
  if (__sigsetjmp(back, 1) == 0) leave_by_jump(2);
  use_stack();
  pthread_cleanup_push(handler, NULL);
  pthread_exit(NULL);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  use_stack();
  pthread_join(t, NULL);
  return 0;
}
