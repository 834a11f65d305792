/* SPDX-License-Identifier: MIT
 *
 * BB-semaphore of Lei and Carver: a bounded buffer of SLOTS slots. PRODUCERS threads deposit an item each, CONSUMERS
 * threads withdraw one each. Two semaphores count free and used slots; those who deposit exclude each other, and so do
 * those who withdraw, from before they wait for a slot: as the paper's number says.
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

static heddle_semaphore depositing = HEDDLE_SEMAPHORE(1), withdrawing = HEDDLE_SEMAPHORE(1);
static heddle_semaphore empty_slots = HEDDLE_SEMAPHORE(SLOTS), full_slots = HEDDLE_SEMAPHORE(0);
static int buffer[SLOTS], in, out;

static void deposit(int item) {
  heddle_P(&depositing);
  heddle_P(&empty_slots);
  buffer[in] = item;
  in = (in + 1) % SLOTS;
  heddle_V(&full_slots);
  heddle_V(&depositing);
}

static int withdraw(void) {
  heddle_P(&withdrawing);
  heddle_P(&full_slots);
  const int item = buffer[out];
  out = (out + 1) % SLOTS;
  heddle_V(&empty_slots);
  heddle_V(&withdrawing);
  return item;
}

static void *producer(void *unused) {
  deposit(1);
  return NULL;
}

static void *consumer(void *unused) {
  assert(withdraw() == 1);
  return NULL;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_create(&threads[i], NULL, i < PRODUCERS ? producer : consumer, NULL);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
