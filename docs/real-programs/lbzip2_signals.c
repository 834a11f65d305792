/* SPDX-License-Identifier: MIT
 * Takes the place of lbzip2's signals.c: its main thread sleeps in sigsuspend until the process signals itself, which
 * heddle does not model. Here it waits on a semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void cleanup(void);

static pthread_t main_thread;
static sem_t signalled;
static int failed;

void setup_signals(void) {
  main_thread = pthread_self();
  sem_init(&signalled, 0, 0);
}

void cli(void) {}

void sti(void) {}

void xraise(int sig) {
  if (sig == SIGUSR1) failed = 1;
  sem_post(&signalled);
}

_Noreturn void bailout(void) {
  if (pthread_equal(pthread_self(), main_thread)) {
    cleanup();
    _exit(1);
  }
  xraise(SIGUSR1);
  pthread_exit(NULL);
}

void halt(void) {
  sem_wait(&signalled);
  if (failed) bailout();
}
