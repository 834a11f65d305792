// A thread's argument is a void pointer; what the thread calls it with its type says more: locks have the names of
// their members.
// expect: exit=1 bug=deadlock message~"mutex pool->jobs->lock, in heap block" message~"mutex pool->count_lock, in heap block"
// expect: warning~"pool->jobs->lock at" data_race_warnings=0
#include <pthread.h>
#include <stdlib.h>

struct jobs {
  int waiting;
  pthread_mutex_t lock;
};

struct pool {
  int alive;
  pthread_mutex_t count_lock;
  struct jobs *jobs;
};

static void *work(void *argument) {
  struct pool *pool = argument;
  pthread_mutex_lock(&pool->count_lock);
  pthread_mutex_lock(&pool->jobs->lock);
  pool->alive++;
  pthread_mutex_unlock(&pool->jobs->lock);
  pthread_mutex_unlock(&pool->count_lock);
  return NULL;
}

static void *add(void *argument) {
  struct pool *pool = argument;
  pthread_mutex_lock(&pool->jobs->lock);
  pthread_mutex_lock(&pool->count_lock);
  pool->jobs->waiting++;
  pthread_mutex_unlock(&pool->count_lock);
  pthread_mutex_unlock(&pool->jobs->lock);
  return NULL;
}

int main(void) {
  struct pool *pool = calloc(1, sizeof *pool);
  pool->jobs = calloc(1, sizeof *pool->jobs);
  pthread_mutex_init(&pool->count_lock, NULL);
  pthread_mutex_init(&pool->jobs->lock, NULL);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, pool);
  pthread_create(&threads[1], NULL, add, pool);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  free(pool->jobs);
  free(pool);
  return 0;
}
