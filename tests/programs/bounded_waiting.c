// SPDX-License-Identifier: MIT
// heddle: --strategy optimal --max-preemptions 1
// The failure needs one preemption if the holder is interrupted while it has the lock: the others then wait for it,
// which costs nothing. If it is not, both writers have to be interrupted after their writes. Nothing races with the
// unlock.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

int a, b, order;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(int number) {
  pthread_mutex_lock(&lock);
  order = order * 10 + number;
  pthread_mutex_unlock(&lock);
}

static void *holder(void *unused) {
  enter(1);
  return NULL;
}

static void *writer_of_a(void *unused) {
  a = 1;
  enter(2);
  return NULL;
}

static void *writer_of_b(void *unused) {
  b = 1;
  enter(3);
  return NULL;
}

static void *reader(void *unused) {
  if (a == 0 || b == 0) return NULL;
  pthread_mutex_lock(&lock);
  assert(order != 1); // BUG
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  void *(*const bodies[])(void *) = {holder, writer_of_a, writer_of_b, reader};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
