// SPDX-License-Identifier: MIT
// heddle: --strategy contextual
// expect: exit=0 complete=true
// observe: taken=1
// observe: taken=2
/* What a signalled thread in an SU monitor sees comes from the thread that signalled. */
#include "heddle.h"

#include <pthread.h>

static heddle_monitor monitor;
static heddle_condition filled;
static int value;

static void *taker(void *argument) {
  (void)argument;
  heddle_monitor_enter(&monitor);
  if (!value) heddle_wait(&filled);
  heddle_observe("taken", value);
  heddle_monitor_exit(&monitor);
  return NULL;
}

static void *giver(void *argument) {
  heddle_monitor_enter(&monitor);
  if (!value) value = (int)(long)argument;
  heddle_signal(&filled);
  heddle_monitor_exit(&monitor);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  heddle_monitor_init_SU(&monitor);
  heddle_condition_init(&filled, &monitor);
  pthread_create(&threads[0], NULL, taker, NULL);
  pthread_create(&threads[1], NULL, giver, (void *)1);
  pthread_create(&threads[2], NULL, giver, (void *)2);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
