/* SPDX-License-Identifier: MIT
 *
 * A poll depends on everything, but waits for one event. One thread loads x LOADS times and polls an eventfd without
 * waiting (p), another stores x (S) and polls it until it is ready (P), a third writes to it (E).
 *
 * With n loads there are (n + 2)(n + 5) / 2 classes. E after p: S stands in one of n + 2 places among the loads and p,
 * and P is last. E before p: S after p, 1; S after i loads, P in n - i + 2 places: before one of the other loads,
 * before p, or last.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/eventfd.h>

#ifndef LOADS
#define LOADS 2
#endif

static int counter;
static atomic_int x;

static void *load_and_look(void *unused) {
  struct pollfd entry = {counter, POLLIN, 0};
  for (int i = 0; i < LOADS; i++) atomic_load(&x);
  poll(&entry, 1, 0);
  return NULL;
}

static void *store_and_wait(void *unused) {
  struct pollfd entry = {counter, POLLIN, 0};
  atomic_store(&x, 1);
  poll(&entry, 1, -1);
  return NULL;
}

static void *write_counter(void *unused) {
  eventfd_write(counter, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  counter = eventfd(0, 0);
  pthread_create(&threads[0], NULL, load_and_look, NULL);
  pthread_create(&threads[1], NULL, store_and_wait, NULL);
  pthread_create(&threads[2], NULL, write_counter, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
