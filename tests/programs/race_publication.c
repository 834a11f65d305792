// SPDX-License-Identifier: MIT
// An atomic flag publishes plain data.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>
#include <stdatomic.h>

int data, seen;
atomic_int ready;

static void *writer(void *unused) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return NULL;
}

static void *reader(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_acquire)) seen = data;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen && seen != 42;
}
