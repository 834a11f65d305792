// A loop of sem_trywait, and two threads that post: posts commute, and each lets the parked loop continue. Either post
// may be the one that the loop gets on with while the other comes later, or both come before. The loop fails not at
// all, once, or twice (then it is parked); a failed attempt depends on both posts, as one that takes a token does: nine
// classes.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=9
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *take(void *unused) {
  while (sem_trywait(&semaphore) != 0) {
  }
  return NULL;
}

static void *post(void *unused) {
  sem_post(&semaphore);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&semaphore, 0, 0);
  pthread_create(&threads[0], NULL, take, NULL);
  for (int i = 1; i < 3; i++) pthread_create(&threads[i], NULL, post, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
