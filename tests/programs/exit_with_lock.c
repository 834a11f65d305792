// SPDX-License-Identifier: MIT
// main returns while it holds a mutex, and a thread has ended while it held a rwlock for reading. The third lock was
// given back.
// expect: exit=0 complete=true bugs=0 warnings=2 exit_with_lock_warnings=2 exit_with_lock_lines=TAKEN
// expect: warning~"'variable': 'kept'" warning~"'variable': 'shared'"
#include <pthread.h>

pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER, given_back = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&shared); // TAKEN
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  pthread_mutex_lock(&given_back);
  pthread_mutex_lock(&kept); // TAKEN
  pthread_mutex_unlock(&given_back);
  pthread_join(t, NULL);
  return 0;
}
