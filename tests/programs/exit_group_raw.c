// SPDX-License-Identifier: MIT
// heddle: --keep-going
// A program that ends through the instruction itself, which nobody replaces.
// expect: exit=1 bug=crash
// expect: runs=6
#include <pthread.h>
#include <sys/syscall.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  if (x == 1) __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
  return 0;
}
