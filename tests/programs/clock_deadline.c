// A loop looks at the clock in each round, and gives up after an hour. The clock runs ahead from the ninth look on,
// eight times faster each time, so that the hour is over in the 17th: 0.1 ms x (8 + 8 + 64 + ... + 8^9) is more than an
// hour. So the loop ends because it sees the flag in one of its rounds, or gives up.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs<=20 truncated_runs=0
// observe: late=0
// observe: late=1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;

static void *end(void *unused) {
  atomic_store(&done, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct timespec start, now;
  int late = 0;
  pthread_create(&thread, NULL, end, NULL);
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (!atomic_load(&done) && !late) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    late = now.tv_sec - start.tv_sec >= 3600;
  }
  heddle_observe("late", late);
  return pthread_join(thread, NULL);
}
