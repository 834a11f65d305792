// SPDX-License-Identifier: MIT
// A thread ends the process with a failing status; heddle still explores what the others could do.
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 bugs=1 bug=exit line=BUG message="exit status 4: _exit called" function=worker runs=2 complete=true
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  _exit(4); /* BUG */
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
