// How a thread pool is destroyed: wake the workers for a second, looking at the time; then once a second.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true truncated_runs=0
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int may_end, alive = 1;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!may_end) pthread_cond_wait(&wake, &mutex);
  alive = 0;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static int wake_all(void) {
  pthread_mutex_lock(&mutex);
  const int left = alive;
  may_end = 1;
  pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&mutex);
  return left;
}

int main(void) {
  pthread_t thread;
  time_t start = time(NULL), now = start;
  pthread_create(&thread, NULL, work, NULL);
  while (difftime(now, start) < 1.0 && wake_all()) time(&now);
  while (wake_all()) sleep(1);
  return pthread_join(thread, NULL);
}
