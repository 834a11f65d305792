// SPDX-License-Identifier: MIT
// Likewise when the program asks the kernel itself: the value of the write is not known, and that is all.
// expect: exit=3 verdict=incomplete bugs=0
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int *mapped;

static void *worker(void *unused) {
  __atomic_store_n(mapped, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t t;
  mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&t, NULL, worker, NULL);
  __atomic_load_n(mapped, __ATOMIC_SEQ_CST);
  pthread_join(t, NULL);
  *mapped = 2;
  syscall(SYS_mprotect, mapped, 4096, PROT_NONE);
  return 0;
}
