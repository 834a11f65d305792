// Two threads overlap while they wait for a third, which can always move: only an unfair scheduler would keep it from
// ending them. No run is a livelock, or is cut short.
// heddle: --strategy random --max-runs 300
// expect: exit=3 verdict=incomplete runs=300 truncated_runs=0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock = 1;

static void *take(void *unused) {
  while (atomic_fetch_add(&lock, 1) != 0) atomic_fetch_add(&lock, -1);
  atomic_fetch_add(&lock, -1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, take, NULL);
  atomic_fetch_add(&lock, -1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
