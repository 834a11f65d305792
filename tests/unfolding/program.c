/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument, for tests/unfolding/run: "s10 r0 w1 j0 | l0 u0 | r1" has three threads, of which the
 * last is main. An operation is a letter and the number of its object:
 *
 *     r read    w write            a variable
 *     l lock    u unlock           a mutex
 *     p wait    v post             a semaphore
 *     j join                       a thread before this one, counted from 0
 *
 * "s10" says that semaphore 0 begins at 1, semaphore 1 at 0. "f" and two digits A and B after a read is an assertion
 * that the value read was not written by operation B, counted from 1, of thread A. Every write writes a number of its
 * own; what a thread has read is observed at its end. The table of operations is written before the threads are
 * created, so that it is not shared memory.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#define MAX_THREADS 4
#define MAX_OPERATIONS 15
#define OBJECTS 4
#define VALUES 64 /* MAX_THREADS * (MAX_OPERATIONS + 1) */

struct operation {
  char kind;
  int object;
  int forbidden; /* value; -1: none */
};

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_threads = 1;
static pthread_t threads[MAX_THREADS];

static int variables[OBJECTS];
static sem_t semaphores[OBJECTS];
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static int digit(char c) {
  assert(c >= '0' && c <= '9');
  return c - '0';
}

/* Of the n-th operation of a thread, counted from 1; 0 is the initial value. */
static int value_of(long thread, int n) {
  return (int)thread * (MAX_OPERATIONS + 1) + n;
}

static const char *parse_semaphores(const char *text) {
  for (int i = 0; *text >= '0' && *text <= '9'; text++) sem_init(&semaphores[i++], 0, (unsigned)digit(*text));
  return text;
}

static const char *parse_operation(const char *text) {
  const int thread = n_threads - 1;
  operations[thread][n_operations[thread]++] = (struct operation){text[0], digit(text[1]), -1};
  if (text[2] != 'f') return text + 2;
  operations[thread][n_operations[thread] - 1].forbidden = value_of(digit(text[3]), digit(text[4]));
  return text + 5;
}

static void parse(const char *text) {
  while (*text)
    if (*text == ' ')
      text++;
    else if (*text == '|')
      n_threads++, text++;
    else if (*text == 's')
      text = parse_semaphores(text + 1);
    else
      text = parse_operation(text);
}

static int read_variable(const struct operation *operation) {
  const int value = variables[operation->object];
  assert(value != operation->forbidden);
  return value;
}

static long long perform(const struct operation *operation, long long seen, int value) {
  const int object = operation->object;
  switch (operation->kind) {
  case 'r': return seen * VALUES + read_variable(operation);
  case 'w': variables[object] = value; break;
  case 'l': pthread_mutex_lock(&mutexes[object]); break;
  case 'u': pthread_mutex_unlock(&mutexes[object]); break;
  case 'p': sem_wait(&semaphores[object]); break;
  case 'v': sem_post(&semaphores[object]); break;
  case 'j': pthread_join(threads[object], NULL); break;
  default: assert(!"an operation that there is not");
  }
  return seen;
}

static void *thread(void *argument) {
  static const char *const labels[] = {"t0", "t1", "t2", "t3"};
  const long self = (long)argument;
  long long seen = 0;
  for (int i = 0; i < n_operations[self]; i++) seen = perform(&operations[self][i], seen, value_of(self, i + 1));
  heddle_observe(labels[self], seen);
  return NULL;
}

int main(int argc, char **argv) {
  parse(argc > 1 ? argv[1] : "r0 w0 | r0 w0");
  for (long t = 0; t < n_threads - 1; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  thread((void *)(long)(n_threads - 1));
  return 0;
}
