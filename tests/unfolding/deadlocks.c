/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument, for tests/unfolding/deadlocks: "l0 u0 | p0 | j1" has three threads, of which the
 * first is main. An operation is a letter and the number of its object:
 *
 *     l lock    t trylock    u unlock           a mutex; unlocked only by who has it
 *     s lock    z unlock                        a spinlock
 *     R for reading    W for writing    x unlock   a lock for readers and writers
 *     p wait    q trywait    v post             a semaphore, which begins at 0
 *     c wait    n signal     b broadcast        a condition variable, with the mutex of its number
 *     a arrive                                  a barrier for two
 *     j join                                    a thread
 *     r read    w write                         a variable; reading 1 leaves out the next operation
 *     d delay                                   that many times four operations that concern nobody else
 *
 * Every operation of every thread has a line of its own, which the messages about deadlocks name.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#define MAX_THREADS 4
#define MAX_OPERATIONS 8
#define OBJECTS 3

struct operation {
  char kind;
  int object;
};

struct own {
  bool has_mutex[OBJECTS], has_spinlock[OBJECTS], skips;
  int rwlocks[OBJECTS];
};

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_threads = 1;
static pthread_t threads[MAX_THREADS];
static pthread_mutex_t mutexes[OBJECTS];
static pthread_spinlock_t spinlocks[OBJECTS];
static pthread_rwlock_t rwlocks[OBJECTS];
static sem_t semaphores[OBJECTS];
static pthread_cond_t conditions[OBJECTS];
static pthread_barrier_t barriers[OBJECTS];
static int variables[OBJECTS];
static pthread_mutex_t own_mutexes[MAX_THREADS];

static void delay(int thread, int times) {
  for (int i = 0; i < 2 * times; i++) {
    pthread_mutex_lock(&own_mutexes[thread]);
    pthread_mutex_unlock(&own_mutexes[thread]);
  }
}

/* clang-format off */
#define PERFORM(t, i) \
  static void perform_##t##_##i(struct own *own) { \
    const int k = operations[t][i].object; \
    switch (operations[t][i].kind) { \
    case 'l': if (!own->has_mutex[k]) pthread_mutex_lock(&mutexes[k]), own->has_mutex[k] = true; break; \
    case 't': if (!own->has_mutex[k]) own->has_mutex[k] = pthread_mutex_trylock(&mutexes[k]) == 0; break; \
    case 'u': if (own->has_mutex[k]) own->has_mutex[k] = false, pthread_mutex_unlock(&mutexes[k]); break; \
    case 's': if (!own->has_spinlock[k]) pthread_spin_lock(&spinlocks[k]), own->has_spinlock[k] = true; break; \
    case 'z': if (own->has_spinlock[k]) own->has_spinlock[k] = false, pthread_spin_unlock(&spinlocks[k]); break; \
    case 'R': pthread_rwlock_rdlock(&rwlocks[k]), own->rwlocks[k]++; break; \
    case 'W': if (!own->rwlocks[k]) pthread_rwlock_wrlock(&rwlocks[k]), own->rwlocks[k]++; break; \
    case 'x': if (own->rwlocks[k]) own->rwlocks[k]--, pthread_rwlock_unlock(&rwlocks[k]); break; \
    case 'p': sem_wait(&semaphores[k]); break; \
    case 'q': sem_trywait(&semaphores[k]); break; \
    case 'v': sem_post(&semaphores[k]); break; \
    case 'c': if (own->has_mutex[k]) pthread_cond_wait(&conditions[k], &mutexes[k]); break; \
    case 'n': pthread_cond_signal(&conditions[k]); break; \
    case 'b': pthread_cond_broadcast(&conditions[k]); break; \
    case 'a': pthread_barrier_wait(&barriers[k]); break; \
    case 'j': pthread_join(threads[k], NULL); break; \
    case 'r': own->skips = variables[k] == 1; break; \
    case 'w': variables[k] = 1; break; \
    case 'd': delay(t, k); break; \
    } \
  }

PERFORM(0, 0)
PERFORM(0, 1)
PERFORM(0, 2)
PERFORM(0, 3)
PERFORM(0, 4)
PERFORM(0, 5)
PERFORM(0, 6)
PERFORM(0, 7)
PERFORM(1, 0)
PERFORM(1, 1)
PERFORM(1, 2)
PERFORM(1, 3)
PERFORM(1, 4)
PERFORM(1, 5)
PERFORM(1, 6)
PERFORM(1, 7)
PERFORM(2, 0)
PERFORM(2, 1)
PERFORM(2, 2)
PERFORM(2, 3)
PERFORM(2, 4)
PERFORM(2, 5)
PERFORM(2, 6)
PERFORM(2, 7)
PERFORM(3, 0)
PERFORM(3, 1)
PERFORM(3, 2)
PERFORM(3, 3)
PERFORM(3, 4)
PERFORM(3, 5)
PERFORM(3, 6)
PERFORM(3, 7)
#define ROW(t) {perform_##t##_0, perform_##t##_1, perform_##t##_2, perform_##t##_3, \
                perform_##t##_4, perform_##t##_5, perform_##t##_6, perform_##t##_7}
static void (*const perform[MAX_THREADS][MAX_OPERATIONS])(struct own *own) = {ROW(0), ROW(1), ROW(2), ROW(3)};
/* clang-format on */

static void parse(const char *text) {
  for (; *text; text++) {
    if (*text == '|') n_threads++;
    if (*text == ' ' || *text == '|') continue;
    const int thread = n_threads - 1;
    operations[thread][n_operations[thread]++] = (struct operation){text[0], text[1] - '0'};
    text++;
  }
}

static void *thread(void *argument) {
  const long self = (long)argument;
  struct own own = {0};
  for (int i = 0; i < n_operations[self]; i++) {
    if (own.skips)
      own.skips = false;
    else
      perform[self][i](&own);
  }
  return NULL;
}

int main(int argc, char **argv) {
  parse(argc > 1 ? argv[1] : "l0 l1 u1 u0 j1 | l1 l0 u0 u1");
  for (int i = 0; i < MAX_THREADS; i++) pthread_mutex_init(&own_mutexes[i], NULL);
  for (int i = 0; i < OBJECTS; i++) {
    pthread_mutex_init(&mutexes[i], NULL);
    pthread_spin_init(&spinlocks[i], PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_init(&rwlocks[i], NULL);
    sem_init(&semaphores[i], 0, 0);
    pthread_cond_init(&conditions[i], NULL);
    pthread_barrier_init(&barriers[i], NULL, 2);
  }
  for (long t = 1; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  thread((void *)0);
  return 0;
}
