/* SPDX-License-Identifier: MIT
 *
 * DP-monitorSU of Lei and Carver: PHILOSOPHERS dine without deadlock and without starvation, by an SU monitor. Each
 * eats once. One that finds a neighbour eating or starving waits, and is starving itself unless a neighbour is; the
 * starving go before the hungry. The numbers of the paper tell this one from other solutions.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 3
#endif

enum { THINKING, HUNGRY, STARVING, EATING };

static heddle_monitor monitor = HEDDLE_MONITOR_SU;
static heddle_condition turns[PHILOSOPHERS];
static int states[PHILOSOPHERS];

static int left_of(int philosopher) {
  return (philosopher + PHILOSOPHERS - 1) % PHILOSOPHERS;
}

static int right_of(int philosopher) {
  return (philosopher + 1) % PHILOSOPHERS;
}

static int has_neighbour(int philosopher, int state) {
  return states[left_of(philosopher)] == state || states[right_of(philosopher)] == state;
}

static int may_eat(int philosopher) {
  if (has_neighbour(philosopher, EATING)) return 0;
  return states[philosopher] == STARVING || (states[philosopher] == HUNGRY && !has_neighbour(philosopher, STARVING));
}

static void let_eat(int philosopher) {
  if (!may_eat(philosopher)) return;
  states[philosopher] = EATING;
  heddle_signal(&turns[philosopher]);
}

static void pick_up(int philosopher) {
  heddle_monitor_enter(&monitor);
  states[philosopher] = HUNGRY;
  if (may_eat(philosopher)) {
    states[philosopher] = EATING;
  } else {
    if (!has_neighbour(philosopher, STARVING)) states[philosopher] = STARVING;
    heddle_wait(&turns[philosopher]);
  }
  assert(!has_neighbour(philosopher, EATING));
  heddle_monitor_exit(&monitor);
}

static void put_down(int philosopher) {
  heddle_monitor_enter(&monitor);
  states[philosopher] = THINKING;
  let_eat(left_of(philosopher));
  let_eat(right_of(philosopher));
  heddle_monitor_exit(&monitor);
}

static void *philosopher(void *argument) {
  const int self = (int)(long)argument;
  pick_up(self);
  put_down(self);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) heddle_condition_init(&turns[i], &monitor);
  for (long i = 0; i < PHILOSOPHERS; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
