// Nobody ends a loop that looks at the clock: at the end of time it repeats itself.
// heddle: --strategy optimal
// expect: exit=1 verdict=bug bug=livelock truncated_runs=0
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>

static atomic_int done;

static void *look(void *unused) {
  return (void *)(long)atomic_load(&done);
}

int main(void) {
  pthread_t thread;
  struct timeval now;
  pthread_create(&thread, NULL, look, NULL);
  while (!atomic_load(&done)) gettimeofday(&now, NULL);
  return pthread_join(thread, NULL);
}
