/* SPDX-License-Identifier: MIT
 *
 * Adding all elements of a vector to another one, after Fig. 2 of the paper on con2colic testing (Farzan, Holzer,
 * Razavi and Veith): how much room is needed is computed before the lock is taken. Two threads add the same vector,
 * whose length is an input; the assertion fails for some lengths, in some schedules.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

struct vector {
  int count, size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, count_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vector to = {10, 20}, from;

static int count_of(const struct vector *vector) {
  pthread_mutex_lock(&count_lock);
  const int count = vector->count;
  pthread_mutex_unlock(&count_lock);
  return count;
}

static void set_count(struct vector *vector, int count) {
  pthread_mutex_lock(&count_lock);
  vector->count = count;
  pthread_mutex_unlock(&count_lock);
}

static void *add_all(void *unused) {
  const int needed = count_of(&to) + from.count;
  pthread_mutex_lock(&lock);
  if (needed > to.size) to.size = needed * 2;
  assert(to.size >= from.count + count_of(&to));
  set_count(&to, count_of(&to) + from.count);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  from.count = heddle_input_uchar("count");
  pthread_create(&threads[0], NULL, add_all, NULL);
  pthread_create(&threads[1], NULL, add_all, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
