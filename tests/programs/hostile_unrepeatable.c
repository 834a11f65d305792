// SPDX-License-Identifier: MIT
// A failure that depends on something outside, here a file that only the first run does not find: it does not repeat,
// so it is not a finding, and heddle says where the two runs part.
// heddle: --strategy exhaustive --files real
// expect: exit=3 verdict=incomplete bugs=0 warning~"could not be repeated" warning~"differ from step"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  assert(open("seen", O_CREAT | O_EXCL, 0600) < 0);
  pthread_mutex_unlock(&mutex);
}
