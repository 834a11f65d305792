// Detached threads continue after main ended with pthread_exit, create others, and the last one ends the process.
// expect: exit=0 verdict=clean
// observe: count=4
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *child(void *unused) {
  pthread_mutex_lock(&mutex);
  if (++count == 4) heddle_observe("count", count);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *parent(void *unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, child, NULL);
  pthread_detach(thread);
  return child(NULL);
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, parent, NULL);
    pthread_detach(thread);
  }
  pthread_exit(NULL);
}
