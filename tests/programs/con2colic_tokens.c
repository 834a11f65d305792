// SPDX-License-Identifier: MIT
// The second attempt fails although nobody else takes a token: the thread has taken that of its own post. Main comes
// to the assertion only after the end of that way.
// heddle: --strategy con2colic
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int failed;

static void *takes(void *unused) {
  sem_post(&tokens);
  if (sem_trywait(&tokens) != 0) return unused;
  failed = sem_trywait(&tokens) != 0;
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&tokens, 0, 0);
  pthread_create(&thread, NULL, takes, NULL);
  pthread_join(thread, NULL);
  assert(!failed); // BUG
  return 0;
}
