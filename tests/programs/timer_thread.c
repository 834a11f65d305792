// SPDX-License-Identifier: MIT
// SIGEV_THREAD starts a thread when the timer expires, SIGEV_THREAD_ID sends a signal to one. Main waits for both.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true
// observe: started=7 handled=1
#define _GNU_SOURCE
#include "heddle.h"
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static sem_t done;
static int started;
static volatile sig_atomic_t handled;

static void start(union sigval value) {
  started = value.sival_int;
  sem_post(&done);
}

static void handle(int number) {
  (void)number;
  handled++;
}

static void set(struct sigevent *event) {
  const struct itimerspec soon = {.it_value = {1, 0}};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, event, &timer) || timer_settime(timer, 0, &soon, NULL)) _exit(1);
}

int main(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 7};
  sem_init(&done, 0, 0);
  signal(SIGUSR1, handle);
  event.sigev_notify_function = start;
  set(&event);
  sem_wait(&done);
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGUSR1;
  event._sigev_un._tid = (int)syscall(SYS_gettid);
  set(&event);
  sleep(2);
  heddle_observe("started", started);
  heddle_observe("handled", handled);
  return 0;
}
