// SPDX-License-Identifier: MIT
// Ports, semaphores and monitors order what threads do.
// heddle: --strategy optimal --races error
// expect: exit=0 verdict=clean complete=true
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT, call = HEDDLE_SYNCHRONOUS_PORT, full = HEDDLE_BOUNDED_PORT(1);
static heddle_semaphore counting = HEDDLE_SEMAPHORE(0), binary = HEDDLE_BINARY_SEMAPHORE(1);
static heddle_monitor su = HEDDLE_MONITOR_SU, sc = HEDDLE_MONITOR_SC;
static heddle_condition su_changed = HEDDLE_CONDITION(&su), sc_changed = HEDDLE_CONDITION(&sc);
static int a, b, c, d, e, f, g, su_done, sc_done;

static void *worker(void *unused) {
  a = 1;
  heddle_send(&port, 1);
  heddle_send(&call, 1);
  b++;
  heddle_send(&full, 1);
  heddle_send(&full, 2);
  c++;
  d = 1;
  heddle_V(&counting);
  heddle_P(&binary);
  e++;
  heddle_V(&binary);
  heddle_monitor_enter(&su);
  f++;
  su_done = 1;
  heddle_signal(&su_changed);
  f++;
  heddle_monitor_exit(&su);
  heddle_monitor_enter(&sc);
  g++;
  sc_done = 1;
  heddle_broadcast(&sc_changed);
  heddle_monitor_exit(&sc);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  heddle_receive(&port);
  a++;
  b = 1;
  heddle_receive(&call);
  c = 1;
  heddle_receive(&full);
  heddle_receive(&full);
  heddle_P(&counting);
  d++;
  heddle_P(&binary);
  e++;
  heddle_V(&binary);
  heddle_monitor_enter(&su);
  if (!su_done) heddle_wait(&su_changed);
  f++;
  heddle_monitor_exit(&su);
  heddle_monitor_enter(&sc);
  while (!sc_done) heddle_wait(&sc_changed);
  g++;
  heddle_monitor_exit(&sc);
  pthread_join(t, NULL);
  return 0;
}
