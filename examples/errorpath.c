// SPDX-License-Identifier: MIT
//
// Two workers write records into a log that has room for one.
//
// What is wrong: append returns in the middle when the log is full, and the lock stays taken. The next thread that
// wants to look at the log waits forever. errorpath_fixed.c has one way out.
//
// expect: exit=1 bug=deadlock runs<=200
#include <errno.h>
#include <pthread.h>

#define ROOM 1

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int records[ROOM], n_records;

static int append(int record) {
  pthread_mutex_lock(&mutex);
  if (n_records == ROOM) return ENOSPC;
  records[n_records++] = record;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static int flush(void) {
  pthread_mutex_lock(&mutex);
  int flushed = n_records;
  n_records = 0;
  pthread_mutex_unlock(&mutex);
  return flushed;
}

static void *worker(void *argument) {
  if (append((int)(long)argument) == 0) flush();
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  for (long i = 0; i < 2; i++) pthread_create(&workers[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  flush();
  return 0;
}
