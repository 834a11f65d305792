// SPDX-License-Identifier: MIT
// pthread_atfork is accepted, with a warning. timer_create stops the run.
// expect: exit=3 verdict=incomplete bugs=0 warning~atfork warning~timer_create
#include <pthread.h>
#include <signal.h>
#include <time.h>

int main(void) {
  timer_t timer;
  pthread_atfork(NULL, NULL, NULL);
  timer_create(CLOCK_REALTIME, NULL, &timer);
  return 0;
}
