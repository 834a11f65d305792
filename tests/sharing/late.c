/* SPDX-License-Identifier: MIT
 *
 * Small pseudo-random programs in which it depends on the schedule what the threads share: `late NUMBER`. Indices come
 * from counters that all threads advance, blocks are passed on through pointers, and some accesses happen only where a
 * thread has seen what another one did. `late NUMBER print` shows a program.
 */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 3, MOST_OPERATIONS = 4, CELLS = 8 };

enum operation {
  TAKE_AND_WRITE, /* a cell whose number the counter says */
  TAKE_AND_READ,
  ADD_TO_CELL, /* that the counter says, without advancing it */
  ADVANCE,
  PUBLISH, /* a new block, and writes to it once more */
  ADD_TO_BLOCK,
  READ_BLOCK,
  FREE_BLOCK, /* whoever takes it out of the pointer */
  WRITE_IF,   /* the counter is at a value */
  READ_IF,
  LOCKED_BYTE, /* a byte whose number is in a cell */
  CHECK,       /* fails if the thread has seen too much */
  OPERATIONS
};

static const char *const names[OPERATIONS] = {"take and write", "take and read", "add to cell", "advance",
                                              "publish",        "add to block",  "read block",  "free block",
                                              "write if",       "read if",       "locked byte", "check"};

struct step {
  enum operation operation;
  unsigned counter, pointer, value;
};

static struct step steps[MOST_THREADS][MOST_OPERATIONS];
static unsigned n_threads, n_steps[MOST_THREADS];

static atomic_uint counters[2];
static _Atomic(unsigned *) pointers[2];
static unsigned cells[CELLS];
static unsigned char bytes[CELLS];
static unsigned flag;
static unsigned seen[MOST_THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- what a thread does ---- */

static void use_block(const struct step *step, unsigned *sum) {
  unsigned *block = step->operation == FREE_BLOCK ? atomic_exchange(&pointers[step->pointer], NULL)
                                                  : atomic_load(&pointers[step->pointer]);
  if (!block) return;
  if (step->operation == ADD_TO_BLOCK) *block += step->value;
  if (step->operation == READ_BLOCK) *sum = 3 * *sum + *block;
  if (step->operation == FREE_BLOCK) *sum += *block;
}

static void publish(const struct step *step) {
  unsigned *block = malloc(sizeof *block);
  *block = step->value;
  atomic_store(&pointers[step->pointer], block);
  *block += 1;
}

static void use_byte(const struct step *step) {
  pthread_mutex_lock(&mutex);
  bytes[cells[step->pointer] % CELLS] += (unsigned char)step->value;
  cells[step->pointer]++;
  pthread_mutex_unlock(&mutex);
}

static void perform(const struct step *step, unsigned *sum) {
  atomic_uint *counter = &counters[step->counter];
  switch (step->operation) {
  case TAKE_AND_WRITE: cells[atomic_fetch_add(counter, 1) % CELLS] = step->value; break;
  case TAKE_AND_READ: *sum += cells[atomic_fetch_add(counter, 1) % CELLS]; break;
  case ADD_TO_CELL: cells[atomic_load(counter) % CELLS] += step->value; break;
  case ADVANCE: atomic_fetch_add(counter, 1); break;
  case PUBLISH: publish(step); break;
  case WRITE_IF:
    if (atomic_load(counter) == step->value % 3) flag = step->value;
    break;
  case READ_IF:
    if (atomic_load(counter) == step->value % 3) *sum += 2 * flag + 1;
    break;
  case LOCKED_BYTE: use_byte(step); break;
  case CHECK: assert(*sum < 9); break;
  default: use_block(step, sum); break;
  }
}

static void *thread(void *argument) {
  const unsigned number = (unsigned)(uintptr_t)argument;
  unsigned sum = 0;
  for (unsigned i = 0; i < n_steps[number]; i++) perform(&steps[number][i], &sum);
  seen[number] = sum;
  return NULL;
}

/* ---- making the program ---- */

static uint64_t state;

static unsigned draw(unsigned bound) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % bound;
}

static void make_program(uint64_t number) {
  state = number * 0x9e3779b97f4a7c15ull;
  n_threads = 2 + draw(2);
  const unsigned least = n_threads == 2 ? 3 : 2;
  for (unsigned t = 0; t < n_threads; t++) {
    n_steps[t] = least + draw(2);
    for (unsigned i = 0; i < n_steps[t]; i++)
      steps[t][i] = (struct step){(enum operation)draw(OPERATIONS), draw(2), draw(2), 1 + draw(5)};
  }
}

static void print_program(void) {
  for (unsigned t = 0; t < n_threads; t++)
    for (unsigned i = 0; i < n_steps[t]; i++)
      printf("thread %u: %s, counter %u, pointer %u, value %u\n", t, names[steps[t][i].operation], steps[t][i].counter,
             steps[t][i].pointer, steps[t][i].value);
}

int main(int argc, char **argv) {
  pthread_t threads[MOST_THREADS];
  unsigned sum = 0;
  make_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  if (argc > 2) return print_program(), 0;
  for (unsigned t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, (void *)(uintptr_t)t);
  for (unsigned t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  for (unsigned i = 0; i < CELLS; i++) sum = 7 * sum + cells[i] + 3u * bytes[i];
  for (unsigned i = 0; i < 2; i++)
    if (pointers[i]) sum = 5 * sum + *pointers[i];
  for (unsigned t = 0; t < n_threads; t++) heddle_observe("seen", (long)seen[t]);
  heddle_observe("sum", (long)(sum + 1000 * flag));
  return 0;
}
