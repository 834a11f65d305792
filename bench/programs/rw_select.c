/* SPDX-License-Identifier: MIT
 *
 * RW-select of Lei and Carver: readers and writers with a thread that lets them in and out by a selective wait. READERS
 * threads read once, WRITERS threads write once. Reading is open while nobody writes, writing while nobody reads or
 * writes.
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

enum { START_READ, END_READ, START_WRITE, END_WRITE, ENTRIES };

static heddle_port entries[ENTRIES] = {HEDDLE_SYNCHRONOUS_PORT, HEDDLE_SYNCHRONOUS_PORT, HEDDLE_SYNCHRONOUS_PORT,
                                       HEDDLE_SYNCHRONOUS_PORT};

struct state {
  int readers, writing;
};

static int may_read(void *argument) {
  const struct state *state = argument;
  return !state->writing;
}

static int may_write(void *argument) {
  const struct state *state = argument;
  return !state->writing && state->readers == 0;
}

static void *server(void *unused) {
  struct state state = {0, 0};
  const heddle_alternative alternatives[ENTRIES] = {{&entries[START_READ], may_read, &state},
                                                    {&entries[END_READ], NULL, NULL},
                                                    {&entries[START_WRITE], may_write, &state},
                                                    {&entries[END_WRITE], NULL, NULL}};
  for (int i = 0; i < 2 * (READERS + WRITERS); i++) {
    long message;
    switch (heddle_select(alternatives, ENTRIES, &message)) {
    case START_READ: state.readers++; break;
    case END_READ: state.readers--; break;
    case START_WRITE: state.writing = 1; break;
    default: state.writing = 0;
    }
    assert(state.readers == 0 || !state.writing);
  }
  return NULL;
}

static void *reader(void *unused) {
  heddle_send(&entries[START_READ], 0);
  heddle_send(&entries[END_READ], 0);
  return NULL;
}

static void *writer(void *unused) {
  heddle_send(&entries[START_WRITE], 0);
  heddle_send(&entries[END_WRITE], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[READERS + WRITERS + 1];
  pthread_create(&threads[0], NULL, server, NULL);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&threads[1 + i], NULL, i < READERS ? reader : writer, NULL);
  for (int i = 0; i < READERS + WRITERS + 1; i++) pthread_join(threads[i], NULL);
  return 0;
}
