// SPDX-License-Identifier: MIT
// A thread pool whose destroy polls until all workers are gone. A thread with the highest priority that polls lets the
// others go first: no run is cut short. Without rests 379 of 1000 are.
// heddle: --strategy pct --max-runs 1000 --max-events 5000
// expect: bugs=0 truncated_runs=0
#include <pthread.h>
#include <unistd.h>

#define WORKERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, count_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs, alive, keep_alive = 1, done;

static void count(int change) {
  pthread_mutex_lock(&count_lock);
  alive += change;
  pthread_mutex_unlock(&count_lock);
}

static int count_alive(void) {
  pthread_mutex_lock(&count_lock);
  const int n = alive;
  pthread_mutex_unlock(&count_lock);
  return n;
}

static int do_job(void) {
  pthread_mutex_lock(&lock);
  while (!jobs && keep_alive) pthread_cond_wait(&work, &lock);
  const int goes_on = keep_alive;
  if (goes_on) {
    jobs--;
    done++;
  }
  pthread_mutex_unlock(&lock);
  return goes_on;
}

static void *worker(void *unused) {
  count(1);
  while (do_job()) {
  }
  count(-1);
  return unused;
}

static void tell(int new_jobs, int goes_on) {
  pthread_mutex_lock(&lock);
  jobs += new_jobs;
  keep_alive = goes_on;
  pthread_cond_broadcast(&work);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < WORKERS; i++) {
    pthread_create(&thread, 0, worker, 0);
    pthread_detach(thread);
  }
  while (count_alive() != WORKERS) {
  }
  tell(1, 1);
  tell(1, 1);
  while (count_alive()) {
    tell(0, 0);
    sleep(1);
  }
  return 0;
}
