// SPDX-License-Identifier: MIT
// A program that itself reads a page it has unmapped crashes, at that read.
// expect: exit=1 bug=crash line=BUG
#include <pthread.h>
#include <sys/mman.h>

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
  munmap(mapped, 4096);
  return __atomic_load_n(mapped, __ATOMIC_SEQ_CST); /* BUG */
}
