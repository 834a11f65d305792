// SPDX-License-Identifier: MIT
// Ports, semaphores and monitors that are initialised by their functions, used, destroyed and initialised again.
// expect: exit=0 verdict=clean complete=true runs=1
// observe: sum=21
#include "heddle.h"
#include <assert.h>

static heddle_port port;
static heddle_semaphore semaphore;
static heddle_monitor monitor;
static heddle_condition condition;

static long use_port(int bounded) {
  if (bounded)
    heddle_port_init_bounded(&port, 2);
  else
    heddle_port_init(&port);
  heddle_send(&port, 3);
  heddle_send(&port, 4);
  const long sum = heddle_receive(&port) + heddle_receive(&port);
  heddle_send(&port, 5);
  heddle_port_destroy(&port);
  return sum;
}

static void use_synchronous_port(void) {
  const heddle_alternative alternative = {&port, 0, 0};
  long message;
  heddle_port_init_synchronous(&port);
  assert(heddle_select_else(&alternative, 1, &message) == -1);
  heddle_port_destroy(&port);
}

static int use_semaphores(void) {
  heddle_semaphore_init(&semaphore, 2);
  heddle_P(&semaphore);
  heddle_P(&semaphore);
  heddle_V(&semaphore);
  heddle_semaphore_destroy(&semaphore);
  heddle_semaphore_init_binary(&semaphore, 1);
  heddle_P(&semaphore);
  heddle_V(&semaphore);
  heddle_semaphore_destroy(&semaphore);
  return 3;
}

static int use_monitor(void) {
  heddle_condition_init(&condition, &monitor);
  heddle_monitor_enter(&monitor);
  heddle_signal(&condition);
  assert(heddle_queue_empty(&condition) && heddle_queue_length(&condition) == 0);
  heddle_signal_exit(&condition);
  heddle_condition_destroy(&condition);
  heddle_monitor_destroy(&monitor);
  return 2;
}

int main(void) {
  long sum = use_port(0) + use_port(1) + use_semaphores();
  use_synchronous_port();
  heddle_monitor_init_SC(&monitor);
  sum += use_monitor();
  heddle_monitor_init_SU(&monitor);
  sum += use_monitor();
  heddle_observe("sum", sum);
  return 0;
}
