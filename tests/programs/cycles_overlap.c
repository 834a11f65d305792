// Two threads try to take a lock that nobody gives back, by adding 1 and taking it back. Where their rounds overlap no
// round is one piece, but the two together come to the same state again and again.
// heddle: --strategy random --max-runs 20 --minimise 0
// expect: exit=1 verdict=bug bug=livelock truncated_runs=0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock = 1;

static void *take(void *unused) {
  while (atomic_fetch_add(&lock, 1) != 0) atomic_fetch_add(&lock, -1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, take, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
