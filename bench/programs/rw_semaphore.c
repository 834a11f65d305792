/* SPDX-License-Identifier: MIT
 *
 * RW-semaphore of Lei and Carver: readers and writers with semaphores that pass a baton. READERS threads read once,
 * WRITERS threads write once. Readers that wait go first.
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

static heddle_semaphore entry = HEDDLE_SEMAPHORE(1);
static heddle_semaphore readers_queue = HEDDLE_SEMAPHORE(0), writers_queue = HEDDLE_SEMAPHORE(0);
static int readers, writers, delayed_readers, delayed_writers;

/* The thread with the baton passes it to one that can continue, or leaves it at the entry. */
static void pass_baton(void) {
  if (writers == 0 && delayed_readers > 0) {
    delayed_readers--;
    heddle_V(&readers_queue);
  } else if (readers == 0 && writers == 0 && delayed_writers > 0) {
    delayed_writers--;
    heddle_V(&writers_queue);
  } else {
    heddle_V(&entry);
  }
}

static void start_read(void) {
  heddle_P(&entry);
  if (writers > 0) {
    delayed_readers++;
    heddle_V(&entry);
    heddle_P(&readers_queue);
  }
  assert(writers == 0);
  readers++;
  pass_baton();
}

static void end_read(void) {
  heddle_P(&entry);
  readers--;
  pass_baton();
}

static void start_write(void) {
  heddle_P(&entry);
  if (readers > 0 || writers > 0) {
    delayed_writers++;
    heddle_V(&entry);
    heddle_P(&writers_queue);
  }
  assert(readers == 0 && writers == 0);
  writers++;
  pass_baton();
}

static void end_write(void) {
  heddle_P(&entry);
  writers--;
  pass_baton();
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
