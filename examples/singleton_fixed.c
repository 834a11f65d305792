// SPDX-License-Identifier: MIT
//
// singleton.c repaired: the table is complete before its address is published, with an atomic store.
//
// expect: exit=0 verdict=clean warnings=0 runs=250
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
  int size;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) table;

static struct table *get_table(void) {
  if (!table) {
    pthread_mutex_lock(&mutex);
    if (!table) {
      struct table *fresh = malloc(sizeof *fresh);
      fresh->size = 16;
      table = fresh;
    }
    pthread_mutex_unlock(&mutex);
  }
  return table;
}

static void *user(void *unused) {
  assert(get_table()->size == 16);
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (int i = 0; i < 2; i++) pthread_create(&users[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(users[i], NULL);
  return 0;
}
