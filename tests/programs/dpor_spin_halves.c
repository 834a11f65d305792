// A loop waits for two bytes that two threads write: either write lets it continue, and they commute. Three classes,
// one for each value that ends the loop: it sees the first byte, the second, or both. Reads of 0 lead back to the loop,
// and are never performed (docs/algorithms/fairness.md).
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=3 blocked_runs=0
// observe: seen=1
// observe: seen=256
// observe: seen=257
#include <heddle.h>
#include <pthread.h>

static union {
  unsigned short whole;
  unsigned char bytes[2];
} flags;

static void *wait(void *unused) {
  unsigned short seen;
  while ((seen = __atomic_load_n(&flags.whole, __ATOMIC_SEQ_CST)) == 0) {
  }
  heddle_observe("seen", seen);
  return NULL;
}

static void *store(void *byte) {
  __atomic_store_n((unsigned char *)byte, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, wait, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i + 1], NULL, store, &flags.bytes[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
