/* SPDX-License-Identifier: MIT
 *
 * Test selector, after the unfolding paper's description: part of a testing tool, abstracted, that was changed so that
 * several test executions can run at once. WORKERS threads take targets from a common list, execute them and add what
 * an execution discovers (target k leads to 2k and 2k + 1, below TARGETS); a thread that finds nothing to do while
 * others execute waits for news. The fault of the original is not described; here news wake one waiter only, where two
 * targets may have been added or everybody should end: FAULTY=0 wakes all.
 */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TARGETS
#define TARGETS 4
#endif
#ifndef FAULTY
#define FAULTY 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int targets[TARGETS], n_targets, executing, executed;
static int statistics[TARGETS]; /* written outside the lock, by who executes the target */

static void announce(void) {
  if (FAULTY)
    pthread_cond_signal(&news);
  else
    pthread_cond_broadcast(&news);
}

/* 0: nothing is left. */
static int select_target(void) {
  pthread_mutex_lock(&lock);
  while (n_targets == 0 && executing > 0) pthread_cond_wait(&news, &lock);
  const int target = n_targets > 0 ? targets[--n_targets] : 0;
  executing += target != 0;
  pthread_mutex_unlock(&lock);
  return target;
}

static void add_discovered(int target) {
  pthread_mutex_lock(&lock);
  for (int next = 2 * target; next <= 2 * target + 1; next++)
    if (next < TARGETS) targets[n_targets++] = next;
  executing--;
  executed++;
  announce();
  pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
  for (int target = select_target(); target != 0; target = select_target()) {
    statistics[target]++;
    add_discovered(target);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[WORKERS];
  targets[n_targets++] = 1;
  for (int t = 0; t < WORKERS; t++) pthread_create(&threads[t], NULL, worker, NULL);
  for (int t = 0; t < WORKERS; t++) pthread_join(threads[t], NULL);
  assert(executed == TARGETS - 1);
  return 0;
}
