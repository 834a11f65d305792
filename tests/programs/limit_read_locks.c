// SPDX-License-Identifier: MIT
// One thread reads under more rwlocks than heddle has room for.
// expect: exit=3 verdict=incomplete bugs=0 output~"32 rwlocks"
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t locks[33];

int main(void) {
  for (int i = 0; i < 33; i++) assert(pthread_rwlock_init(&locks[i], NULL) == 0);
  for (int i = 0; i < 33; i++) assert(pthread_rwlock_rdlock(&locks[i]) == 0);
  for (int i = 0; i < 33; i++) assert(pthread_rwlock_unlock(&locks[i]) == 0);
  return 0;
}
