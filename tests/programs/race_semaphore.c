// SPDX-License-Identifier: MIT
// A semaphore hands the data over; what is written after the post is not handed over.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>
#include <semaphore.h>

int data, after;
sem_t ready;

static void *producer(void *unused) {
  data = 42;
  sem_post(&ready);
  after = 1; // RACE
  return NULL;
}

static void *consumer(void *unused) {
  sem_wait(&ready);
  data++;
  after = 2; // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data != 43;
}
