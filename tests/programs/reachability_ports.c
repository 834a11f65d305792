// SPDX-License-Identifier: MIT
// The example of the paper (Fig. 1): sequences Q0 to Q3.
// heddle: --strategy reachability --check-once
// expect: runs=4 blocked_runs=0 sequences=4 complete=true verdict=clean
// observe: first=1 third=2
// observe: first=1 third=4
// observe: first=4 third=2
// observe: first=4 third=4
#include "heddle.h"
#include <pthread.h>

static heddle_port port2 = HEDDLE_PORT, port3 = HEDDLE_PORT;
static long first, third;

static void *thread1(void *unused) {
  heddle_send(&port2, 1);
  return unused;
}

static void *thread2(void *unused) {
  first = heddle_receive(&port2);
  heddle_receive(&port2);
  heddle_send(&port3, 2);
  return unused;
}

static void *thread3(void *unused) {
  third = heddle_receive(&port3);
  heddle_receive(&port3);
  return unused;
}

static void *thread4(void *unused) {
  heddle_send(&port2, 4);
  heddle_send(&port3, 4);
  return unused;
}

int main(void) {
  void *(*const functions[])(void *) = {thread1, thread2, thread3, thread4};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  heddle_observe("first", first);
  heddle_observe("third", third);
  return 0;
}
