// SPDX-License-Identifier: MIT
// What waits is interrupted by a handler without SA_RESTART, and continues after one with it.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t never, ready;
static int ends[2];
static atomic_int handled;

static void handle(int number) {
  atomic_store(&handled, number);
}

static void *waits(void *unused) {
  char byte;
  const int result = sem_wait(&never);
  assert(result == -1 && errno == EINTR && handled == SIGUSR1);
  sem_post(&ready);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  return unused;
}

int main(void) {
  pthread_t thread;
  struct sigaction interrupts = {.sa_handler = handle}, restarts = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sem_init(&never, 0, 0);
  sem_init(&ready, 0, 0);
  if (pipe(ends)) return 1;
  sigaction(SIGUSR1, &interrupts, NULL);
  sigaction(SIGUSR2, &restarts, NULL);
  pthread_create(&thread, NULL, waits, NULL);
  pthread_kill(thread, SIGUSR1);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR2);
  if (write(ends[1], "x", 1) != 1) return 1;
  pthread_join(thread, NULL);
  return 0;
}
