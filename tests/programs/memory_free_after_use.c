// SPDX-License-Identifier: MIT
// The last user frees, whoever that is: every order of the two is fine.
// expect: exit=0 verdict=clean complete=true warnings=0
#include <pthread.h>
#include <stdlib.h>

struct record {
  pthread_mutex_t mutex;
  int users, value;
};

static void *user(void *argument) {
  struct record *record = argument;
  pthread_mutex_lock(&record->mutex);
  record->value++;
  const int left = --record->users;
  pthread_mutex_unlock(&record->mutex);
  if (left == 0) free(record);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  struct record *record = malloc(sizeof *record);
  pthread_mutex_init(&record->mutex, NULL);
  record->users = 2;
  record->value = 0;
  pthread_create(&s, NULL, user, record);
  pthread_create(&t, NULL, user, record);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
