/* SPDX-License-Identifier: MIT
 *
 * Successive over-relaxation in the shape of Java Grande's multithreaded benchmark: each of two threads has half of the
 * rows of a grid, and in every iteration waits until the other one has come as far. How far a thread has come is in a
 * table. The wait is given up after a few looks, and then the iteration is left out; the count of iterations is not
 * checked again. Numbers are in fixed point.
 */
#include <assert.h>
#include <pthread.h>

#ifndef ITERATIONS
#define ITERATIONS 2
#endif
#define ROWS 4
#define COLUMNS 3
#define LOOKS 1
#define ONE 64

static int grid[ROWS][COLUMNS] = {{ONE, 2 * ONE, 3 * ONE}, {0, ONE, 0}, {5 * ONE, 0, ONE}, {ONE, ONE, ONE}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress[2];

static int progress_of(int thread) {
  pthread_mutex_lock(&lock);
  const int value = progress[thread];
  pthread_mutex_unlock(&lock);
  return value;
}

static void set_progress(int thread, int value) {
  pthread_mutex_lock(&lock);
  progress[thread] = value;
  pthread_mutex_unlock(&lock);
}

static int limited(int value) {
  if (value > 100 * ONE) return 100 * ONE;
  if (value < -100 * ONE) return -100 * ONE;
  return value;
}

/* Only cells of the thread's own rows. */
static void relax(const int (*above)[COLUMNS], int (*row)[COLUMNS], int colour) {
  for (int c = colour; c < COLUMNS; c += 2) {
    const int left = c > 0 ? (*row)[c - 1] : 0, right = c + 1 < COLUMNS ? (*row)[c + 1] : 0;
    const int sum = left + right + (above ? (*above)[c] : 0);
    (*row)[c] = limited((*row)[c] + (sum - 3 * (*row)[c]) / 4);
  }
}

static void relax_rows(int thread) {
  const int first = thread * ROWS / 2;
  for (int colour = 0; colour < 2; colour++)
    for (int r = first; r < first + ROWS / 2; r++) relax(r > first ? &grid[r - 1] : NULL, &grid[r], colour);
}

static int wait_for(int other, int iteration) {
  for (int i = 0; i < LOOKS; i++)
    if (progress_of(other) >= iteration) return 1;
  return 0;
}

static void *first_half(void *unused) {
  for (int i = 0; i < ITERATIONS; i++) {
    if (!wait_for(1, i)) return unused;
    relax_rows(0);
    set_progress(0, i + 1);
  }
  return unused;
}

static void *second_half(void *unused) {
  for (int i = 0; i < ITERATIONS; i++) {
    if (!wait_for(0, i)) return unused;
    relax_rows(1);
    set_progress(1, i + 1);
  }
  /* The last iteration of the other one may still be to come, or be done. */
  assert(progress_of(0) != ITERATIONS);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first_half, NULL);
  pthread_create(&threads[1], NULL, second_half, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
