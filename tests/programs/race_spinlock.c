// SPDX-License-Identifier: MIT
// A spinlock protects one variable and not the other.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

int counter, statistics;
pthread_spinlock_t lock;

static void *worker(void *unused) {
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  statistics = 1; // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_spin_init(&lock, 0);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter != 2;
}
