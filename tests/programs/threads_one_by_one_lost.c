// SPDX-License-Identifier: MIT
// The last of three thousand threads is not joined before its result is looked at: the order decides.
// expect: exit=1 bug=assertion line=BUG threads=3001
#include <assert.h>
#include <pthread.h>

static _Atomic int done;

static void *work(void *unused) {
  done++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3000; i++) {
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    if (i < 2999) assert(pthread_join(thread, NULL) == 0);
  }
  assert(done == 3000); /* BUG */
  pthread_join(thread, NULL);
  return 0;
}
