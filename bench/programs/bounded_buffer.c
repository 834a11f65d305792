/* SPDX-License-Identifier: MIT
 *
 * Bounded buffer, after the monitor in Magee and Kramer's "Concurrency: State Models and Java Programs": a ring of SIZE
 * places whose put waits while it is full and whose get waits while it is empty, with the one condition a Java object
 * has. PRODUCERS threads put ITEMS items each, CONSUMERS threads take as many in all. NOTIFY_ONE=1 wakes one waiter
 * instead of all, which loses wake-ups when producers and consumers wait at once.
 */
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 1
#endif
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef NOTIFY_ONE
#define NOTIFY_ONE 0
#endif

_Static_assert(PRODUCERS *ITEMS % CONSUMERS == 0, "every consumer takes equally many");

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int items[SIZE], in, out, count;
} buffer = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void notify(void) {
  if (NOTIFY_ONE)
    pthread_cond_signal(&buffer.changed);
  else
    pthread_cond_broadcast(&buffer.changed);
}

static void put(int item) {
  pthread_mutex_lock(&buffer.lock);
  while (buffer.count == SIZE) pthread_cond_wait(&buffer.changed, &buffer.lock);
  buffer.items[buffer.in] = item;
  buffer.in = (buffer.in + 1) % SIZE;
  buffer.count++;
  notify();
  pthread_mutex_unlock(&buffer.lock);
}

static int get(void) {
  pthread_mutex_lock(&buffer.lock);
  while (buffer.count == 0) pthread_cond_wait(&buffer.changed, &buffer.lock);
  const int item = buffer.items[buffer.out];
  buffer.out = (buffer.out + 1) % SIZE;
  buffer.count--;
  notify();
  pthread_mutex_unlock(&buffer.lock);
  return item;
}

static void *producer(void *unused) {
  for (int i = 1; i <= ITEMS; i++) put(i);
  return NULL;
}

static void *consumer(void *unused) {
  for (int i = 1; i <= PRODUCERS * ITEMS / CONSUMERS; i++) {
    const int item = get();
    assert(item >= 1 && item <= ITEMS);
    if (PRODUCERS == 1 && CONSUMERS == 1) assert(item == i);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int t = 0; t < PRODUCERS + CONSUMERS; t++)
    pthread_create(&threads[t], NULL, t < PRODUCERS ? producer : consumer, NULL);
  for (int t = 0; t < PRODUCERS + CONSUMERS; t++) pthread_join(threads[t], NULL);
  assert(buffer.count == 0);
  return 0;
}
