// SPDX-License-Identifier: MIT
//
// A read-write lock that prefers writers, so that readers cannot starve them: a new reader waits while a writer does.
//
// What is wrong: report holds the lock for reading and calls total, which takes it for reading once more. When a writer
// comes in between, the second request waits for the writer, and the writer for the first. The cure for starvation
// became a deadlock. In readers_fixed.c what report calls takes no lock.
//
// expect: exit=1 bug=deadlock runs<=200
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int reading, writing, writers_waiting;
static int stock = 3, price = 7;

static void lock_for_reading(void) {
  pthread_mutex_lock(&mutex);
  while (writing || writers_waiting) pthread_cond_wait(&changed, &mutex);
  reading++;
  pthread_mutex_unlock(&mutex);
}

static void lock_for_writing(void) {
  pthread_mutex_lock(&mutex);
  writers_waiting++;
  while (writing || reading) pthread_cond_wait(&changed, &mutex);
  writers_waiting--;
  writing = 1;
  pthread_mutex_unlock(&mutex);
}

static void unlock(void) {
  pthread_mutex_lock(&mutex);
  if (writing)
    writing = 0;
  else
    reading--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static int total(void) {
  lock_for_reading();
  const int result = stock * price;
  unlock();
  return result;
}

static void *report(void *unused) {
  lock_for_reading();
  if (stock > 0) total();
  unlock();
  return NULL;
}

static void *sell(void *unused) {
  lock_for_writing();
  stock--;
  unlock();
  return NULL;
}

int main(void) {
  pthread_t reporter, seller;
  pthread_create(&reporter, NULL, report, NULL);
  pthread_create(&seller, NULL, sell, NULL);
  pthread_join(reporter, NULL);
  pthread_join(seller, NULL);
  return 0;
}
