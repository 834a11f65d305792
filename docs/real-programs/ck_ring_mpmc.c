/* SPDX-License-Identifier: MIT
 * Concurrency Kit's ring as a queue of several producers and consumers. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdint.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef EACH
#define EACH 1
#endif

static ck_ring_t ring;
static ck_ring_buffer_t slots[4];
static unsigned taken[PRODUCERS * EACH];

static void *produce(void *number) {
  for (uintptr_t i = 0; i < EACH; i++)
    while (!ck_ring_enqueue_mpmc(&ring, slots, (void *)((uintptr_t)number * EACH + i + 1))) ck_pr_stall();
  return NULL;
}

static void *consume(void *unused) {
  for (int i = 0; i < PRODUCERS * EACH / CONSUMERS; i++) {
    void *item = NULL;
    while (!ck_ring_dequeue_mpmc(&ring, slots, &item)) ck_pr_stall();
    assert(item && (uintptr_t)item <= PRODUCERS * EACH);
    ck_pr_inc_uint(&taken[(uintptr_t)item - 1]);
  }
  return NULL;
}

int main(void) {
  pthread_t producers[PRODUCERS], consumers[CONSUMERS];
  ck_ring_init(&ring, 4);
  for (uintptr_t i = 0; i < PRODUCERS; i++) pthread_create(&producers[i], NULL, produce, (void *)i);
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producers[i], NULL);
  for (int i = 0; i < CONSUMERS; i++) pthread_join(consumers[i], NULL);
  for (int i = 0; i < PRODUCERS * EACH; i++) assert(taken[i] == 1);
  return 0;
}
