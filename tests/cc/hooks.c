/* SPDX-License-Identifier: MIT
 *
 * What gets hooks, with what names: tests/cc/hooks.sh counts them per function.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  long first, second;
};
struct node {
  int value;
  struct node *next;
  pthread_mutex_t lock;
};

int i, j, table[4][8];
const int limits[4] = {1, 2, 3, 4};
struct pair one, two;
struct node *list;
_Atomic int state;
_Thread_local int own;
struct __attribute__((packed)) {
  char c;
  int n;
} crooked;

/* A loop of racy accesses: two reads and a write each time, whatever the optimiser would like. */
void racy(void) {
  for (int k = 0; k < 5; k++) i += j;
}

int local_only(int n) {
  volatile int watched = n;
  int array[4] = {1, 2, 3, 4};
  struct pair pair = {n, n};
  array[n & 3] = watched;
  pair.first += array[1];
  return (int)pair.first + limits[n & 3];
}

void escapes(int **where) {
  static int *kept;
  int local = 1;
  *where = &local;
  local = 2;
  kept = *where;
}

void copies(void) {
  one = two;
  struct pair local = one;
  two = local;
}

void odd_sizes(void) {
  crooked.n++;
}

int atomics(void) {
  int expected = 1;
  state = 1;
  atomic_fetch_add(&state, 2);
  atomic_compare_exchange_strong(&state, &expected, 4);
  return state;
}

void names(struct node *node, int k) {
  pthread_mutex_lock(&node->lock);
  list->next->value = 3;
  table[1][k] = own;
  node[2].value = 4;
}

void unknown_function(void *);
void calls(void (*pointer)(void)) {
  unknown_function(&one);
  pointer();
  memset(table, 0, sizeof table);
  if (strlen((const char *)table) > 3) abort();
  calls(pointer);
}

void __VERIFIER_atomic_double(void) {
  if (i > 100) return;
  i *= 2;
}

void spins(void) {
  while (!i) __asm__ volatile("pause" ::: "memory");
  __asm__ volatile("lock; addl $0, 0(%%rsp)" ::: "memory");
}

int assembly(int n, char *bytes) {
  long ready;
  __asm__ volatile("movl %1, %0" : "=m"(j) : "r"(n));
  __asm__ volatile("movq %1, %0" : "=r"(ready) : "m"(*bytes));
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(i) : : "memory");
  __asm__("bsfl %1, %0" : "=r"(n) : "r"(n));
  return n + (int)ready;
}

void assembly_not_followed(char *bytes) {
  __asm__ volatile("incl %0" : "+m"(i));
  __asm__ volatile("movb $1, (%0)" : : "r"(bytes) : "memory");
  __asm__ volatile("rdtsc" : : : "rax", "rdx");
}
