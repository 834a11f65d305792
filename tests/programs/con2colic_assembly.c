// SPDX-License-Identifier: MIT
// What inline assembly writes depends on what it finds, and is not a term: that value is a branch with many sides.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

static int x;

static void *sets_a_bit(void *unused) {
  __asm__ __volatile__("lock; orl %1, %0" : "+m"(x) : "ir"(1) : "memory");
  return unused;
}

static void *writes(void *unused) {
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sets_a_bit, NULL);
  pthread_create(&threads[1], NULL, writes, NULL);
  const int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  assert(seen != 3); // BUG
  return 0;
}
