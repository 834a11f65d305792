# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Synchronisation objects on the stack: those that nobody has initialised are findings, and none of those that were, in
# whatever way, and whatever the optimiser makes of it.
. "$ROOT/tests/helpers.bash"

cat >initialised.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int length;
};

static const struct queue model = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void use(pthread_mutex_t *mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static struct queue make(void) {
  struct queue queue = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  return queue;
}

static void by_initialiser(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  struct queue zero = {0}, queues[2] = {{.length = 1}};
  use(&mutex);
  use(&recursive);
  use(&zero.mutex);
  use(&queues[1].mutex);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_cond_signal(&condition);
  use(&(pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER);
  use(&(struct queue){0}.mutex);
}

static void by_assignment(void) {
  struct queue copied, assigned, set, returned = make();
  pthread_mutex_t mutex;
  copied = model;
  assigned.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  memset(&set, 0, sizeof set);
  memcpy(&mutex, &model.mutex, sizeof mutex);
  use(&copied.mutex);
  use(&assigned.mutex);
  use(&set.mutex);
  use(&returned.mutex);
  use(&mutex);
  pthread_cond_signal(&copied.changed);
}

static void by_call(int n) {
  pthread_mutex_t mutexes[n];
  pthread_barrier_t barrier;
  sem_t semaphore;
  mtx_t plain;
  for (int i = 0; i < n; i++) pthread_mutex_init(&mutexes[i], NULL);
  pthread_barrier_init(&barrier, NULL, 1);
  sem_init(&semaphore, 0, 1);
  mtx_init(&plain, mtx_plain);
  for (int i = 0; i < n; i++) use(&mutexes[i]);
  pthread_barrier_wait(&barrier);
  sem_wait(&semaphore);
  mtx_lock(&plain);
  mtx_unlock(&plain);
}

static void on_the_heap(void) {
  struct queue *queue = calloc(1, sizeof *queue), *copy = malloc(sizeof *copy);
  *copy = model;
  use(&queue->mutex);
  use(&copy->mutex);
  free(queue);
  free(copy);
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    by_initialiser();
    by_assignment();
    by_call(2);
    on_the_heap();
  }
  return 0;
}
EOF
cat >never.c <<'EOF'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

struct room {
  int number;
  TYPE object;
};

static __attribute__((noinline)) void use(void) {
#ifdef HEAP
  struct room *room = malloc(sizeof *room);
#else
  struct room local, *room = &local;
#endif
  room->number = 1;
  USE;
}

int main(void) {
  use();
  return 0;
}
EOF

find_it() { # the object, where it lies, what is done with it, and the words
  expect_status 1 "$HEDDLE" run "-DTYPE=$1" "-D$2" "-DUSE=$3" "-$level" never.c
  expect_text stdout "use of a $4 that was never initialised"
}

for level in O0 O1 O2 O3; do
  expect_status 0 "$HEDDLE" run "-$level" initialised.c
  expect_text stdout "clean: every schedule was explored"
done
for level in O0 O2; do
  for place in STACK HEAP; do
    find_it pthread_mutex_t $place 'pthread_mutex_lock(&room->object)' mutex
    find_it pthread_mutex_t $place 'pthread_mutex_trylock(&room->object)' mutex
    find_it pthread_rwlock_t $place 'pthread_rwlock_rdlock(&room->object)' rwlock
    find_it pthread_cond_t $place 'pthread_cond_signal(&room->object)' 'condition variable'
    find_it pthread_barrier_t $place 'pthread_barrier_wait(&room->object)' barrier
    find_it sem_t $place 'sem_post(&room->object)' semaphore
    find_it mtx_t $place 'mtx_lock(&room->object)' mutex
    find_it pthread_spinlock_t $place 'pthread_spin_lock(&room->object)' spinlock
  done
done
