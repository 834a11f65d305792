// SPDX-License-Identifier: MIT
// The function has returned, and another one has its variables there when the thread writes: still those of a function
// that has returned.
// expect: exit=1 bug=memory line=BUG message~"write of a local variable, used after the function returned"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *address, phase;

static int phase_now(void) {
  pthread_mutex_lock(&mutex);
  const int now = phase;
  pthread_mutex_unlock(&mutex);
  return now;
}

static void go_on(int next) {
  pthread_mutex_lock(&mutex);
  phase = next;
  pthread_mutex_unlock(&mutex);
}

static void *writer(void *unused) {
  if (phase_now() == 2) *address = 1; // BUG
  return NULL;
}

static __attribute__((noinline)) void lends(void) {
  int number = 0;
  address = &number;
  go_on(1);
}

static __attribute__((noinline)) int covers(int n) {
  volatile int numbers[16];
  for (int i = 0; i < 16; i++) numbers[i] = n;
  go_on(2);
  go_on(3);
  return numbers[n];
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  lends();
  covers(1);
  pthread_join(thread, NULL);
  return 0;
}
