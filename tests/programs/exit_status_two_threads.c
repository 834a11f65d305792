// SPDX-License-Identifier: MIT
// Two threads fail in every run: the first of them is the finding, whatever the schedule. What it hides of the other
// one is not reported, so the result is not complete.
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 bugs=1 bug=exit line=BUG message="exit status 2: exit called" complete=false
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  exit(2); /* BUG */
}

static void *second(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  exit(3);
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, first, NULL);
  pthread_create(&t, NULL, second, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
