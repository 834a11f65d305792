/* SPDX-License-Identifier: MIT
 *
 * RW-monitorSC of Lei and Carver: readers and writers with an SC monitor. READERS threads read once, WRITERS threads
 * write once. A writer waits for readers that wait; a writer that ends lets readers go first, and a reader that begins
 * lets the next reader in. A thread that was signalled checks again.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

static heddle_monitor monitor = HEDDLE_MONITOR_SC;
static heddle_condition readers_queue = HEDDLE_CONDITION(&monitor), writers_queue = HEDDLE_CONDITION(&monitor);
static int readers, writing;

static void start_read(void) {
  heddle_monitor_enter(&monitor);
  while (writing) heddle_wait(&readers_queue);
  readers++;
  heddle_signal(&readers_queue);
  heddle_monitor_exit(&monitor);
}

static void end_read(void) {
  heddle_monitor_enter(&monitor);
  if (--readers == 0) heddle_signal(&writers_queue);
  heddle_monitor_exit(&monitor);
}

static void start_write(void) {
  heddle_monitor_enter(&monitor);
  while (readers > 0 || writing || !heddle_queue_empty(&readers_queue)) heddle_wait(&writers_queue);
  writing = 1;
  heddle_monitor_exit(&monitor);
}

static void end_write(void) {
  heddle_monitor_enter(&monitor);
  writing = 0;
  heddle_signal(heddle_queue_empty(&readers_queue) ? &writers_queue : &readers_queue);
  heddle_monitor_exit(&monitor);
}

static void *reader(void *unused) {
  start_read();
  end_read();
  return NULL;
}

static void *writer(void *unused) {
  start_write();
  end_write();
  return NULL;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++) pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
  for (int i = 0; i < READERS + WRITERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
