// SPDX-License-Identifier: MIT
// The first thread overwrites what the second wrote, and two bytes more; what it reads of all four afterwards is its
// own. Both bugs come after reads of bytes of which others wrote a part.
// heddle: --strategy con2colic --keep-going
// expect: exit=1 bugs=2 bug=assertion output~"seen != 1" output~"old != 256"
#include <assert.h>
#include <pthread.h>

static union {
  int whole;
  unsigned short half;
  unsigned char bytes[4];
} first, second;

static void *overwrites(void *unused) {
  const unsigned short old = __atomic_exchange_n(&first.half, 1, __ATOMIC_SEQ_CST);
  if (old != 2) return unused;
  const int seen = __atomic_load_n(&first.whole, __ATOMIC_SEQ_CST);
  assert(seen != 1);
  return unused;
}

static void *writes(void *unused) {
  __atomic_store_n(&first.bytes[0], 2, __ATOMIC_SEQ_CST);
  __atomic_store_n(&second.bytes[1], 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, overwrites, NULL);
  pthread_create(&threads[1], NULL, writes, NULL);
  pthread_join(threads[1], NULL);
  const int old = __atomic_fetch_add(&second.whole, 1, __ATOMIC_SEQ_CST);
  assert(old != 256);
  pthread_join(threads[0], NULL);
  return 0;
}
