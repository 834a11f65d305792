/* SPDX-License-Identifier: MIT
 *
 * Synthetic, after the unfolding paper's description: programs that perform arbitrarily generated sequences of
 * operations. PROGRAM numbers a sequence of pseudo-random numbers, from which THREADS threads with OPERATIONS
 * operations each are made: reads, writes and locked updates of VARIABLES shared variables; what a thread has read
 * decides between two variables now and then.
 */
#include <pthread.h>

#ifndef PROGRAM
#define PROGRAM 1
#endif
#ifndef THREADS
#define THREADS 3
#endif
#ifndef OPERATIONS
#define OPERATIONS 3
#endif
#ifndef VARIABLES
#define VARIABLES 3
#endif

enum kind { READ, WRITE, UPDATE, READ_CHOSEN, KINDS };

struct operation {
  enum kind kind;
  unsigned variable;
};

static struct operation operations[THREADS][OPERATIONS];
static pthread_mutex_t locks[VARIABLES];
static int variables[VARIABLES], results[THREADS];

static unsigned choose(unsigned n) {
  static unsigned long long state = PROGRAM;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % n;
}

static void update(unsigned variable, int value) {
  pthread_mutex_lock(&locks[variable]);
  variables[variable] += value;
  pthread_mutex_unlock(&locks[variable]);
}

static int perform(const struct operation *operation, int seen) {
  const unsigned variable = operation->variable;
  switch (operation->kind) {
  case READ: return seen + variables[variable];
  case WRITE: variables[variable] = 1; return seen;
  case UPDATE: update(variable, 2); return seen;
  default: return seen + variables[(variable + (seen > 0)) % VARIABLES];
  }
}

static void *thread(void *argument) {
  const long self = (long)argument;
  int seen = 0;
  for (int i = 0; i < OPERATIONS; i++) seen = perform(&operations[self][i], seen);
  results[self] = seen;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < VARIABLES; i++) pthread_mutex_init(&locks[i], NULL);
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < OPERATIONS; i++)
      operations[t][i] = (struct operation){(enum kind)choose(KINDS), choose(VARIABLES)};
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
