// SPDX-License-Identifier: MIT
// Three philosophers who take the left fork first: 2^3 - 1 traces, one of them the deadlock. Blocked runs and the
// deadlocked one are counted apart.
// heddle: --strategy dpor-2 --keep-going --seed 1
// expect: exit=1 bug=deadlock deadlocked_runs=1 complete=true
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *left) {
  pthread_mutex_t *right = left == &forks[2] ? &forks[0] : (pthread_mutex_t *)left + 1;
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, eat, &forks[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
