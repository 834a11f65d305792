// SPDX-License-Identifier: MIT
//
// A table that is built by whoever needs it first.
//
// What is wrong: the pointer is published before the table is filled. Another thread sees a pointer that is not NULL,
// skips the lock and reads an empty table. singleton_fixed.c fills the table first.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct table {
  int size;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct table *table;

static struct table *get_table(void) {
  if (!table) {
    pthread_mutex_lock(&mutex);
    if (!table) {
      table = malloc(sizeof *table);
      table->size = 16;
    }
    pthread_mutex_unlock(&mutex);
  }
  return table;
}

static void *user(void *unused) {
  assert(get_table()->size == 16); // BUG
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (int i = 0; i < 2; i++) pthread_create(&users[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(users[i], NULL);
  return 0;
}
