/* SPDX-License-Identifier: MIT
 *
 * BB-select of Lei and Carver: a bounded buffer of SLOTS slots in a thread of its own, which takes deposits and
 * withdrawals with a selective wait. PRODUCERS threads deposit an item each, CONSUMERS threads withdraw one each; an
 * item comes back through a port of the consumer.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 3
#endif
#ifndef CONSUMERS
#define CONSUMERS 3
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

static heddle_port deposits = HEDDLE_SYNCHRONOUS_PORT, withdrawals = HEDDLE_SYNCHRONOUS_PORT;
static heddle_port items[CONSUMERS];

static int is_not_full(void *full_slots) {
  return *(int *)full_slots < SLOTS;
}

static int is_not_empty(void *full_slots) {
  return *(int *)full_slots > 0;
}

/* The buffer, and the thread that has it. */
static void *server(void *unused) {
  int full_slots = 0, in = 0, out = 0;
  long buffer[SLOTS], message;
  const heddle_alternative alternatives[] = {{&deposits, is_not_full, &full_slots},
                                             {&withdrawals, is_not_empty, &full_slots}};
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) {
    if (heddle_select(alternatives, 2, &message) == 0) {
      buffer[in] = message;
      in = (in + 1) % SLOTS;
      full_slots++;
    } else {
      heddle_send(&items[message], buffer[out]);
      out = (out + 1) % SLOTS;
      full_slots--;
    }
  }
  return NULL;
}

static void *producer(void *unused) {
  heddle_send(&deposits, 1);
  return NULL;
}

static void *consumer(void *argument) {
  const long self = (long)argument;
  heddle_send(&withdrawals, self);
  assert(heddle_receive(&items[self]) == 1);
  return NULL;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS + 1];
  for (int i = 0; i < CONSUMERS; i++) heddle_port_init(&items[i]);
  pthread_create(&threads[0], NULL, server, NULL);
  for (long i = 0; i < PRODUCERS; i++) pthread_create(&threads[1 + i], NULL, producer, NULL);
  for (long i = 0; i < CONSUMERS; i++) pthread_create(&threads[1 + PRODUCERS + i], NULL, consumer, (void *)i);
  for (int i = 0; i < PRODUCERS + CONSUMERS + 1; i++) pthread_join(threads[i], NULL);
  return 0;
}
