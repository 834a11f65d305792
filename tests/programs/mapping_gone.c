// SPDX-License-Identifier: MIT
// The page of a visible write is unmapped, or protected, right after it: nobody looks at the value there any more.
// expect: exit=0 verdict=clean runs=2
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
  return 0;
}
