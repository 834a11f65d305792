// SPDX-License-Identifier: MIT
// pthread_atfork is accepted, with a warning. A timer of processor time stops the run.
// expect: exit=3 verdict=incomplete bugs=0 warning~atfork warning~"a timer of processor time"
#include <pthread.h>
#include <signal.h>
#include <time.h>

int main(void) {
  timer_t timer;
  pthread_atfork(NULL, NULL, NULL);
  timer_create(CLOCK_PROCESS_CPUTIME_ID, NULL, &timer);
  return 0;
}
