// SPDX-License-Identifier: MIT
// A signal may come before the thread has blocked it, and then ends the process.
// expect: exit=1 bug=crash
#include <pthread.h>
#include <signal.h>

static void *takes(void *unused) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  sigwait(&set, &number);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, takes, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
