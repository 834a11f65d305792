/* SPDX-License-Identifier: MIT
 *
 * Two threads that are the same, but for what the macro WAY says: something that tells them apart, or that looks as if
 * it did.
 */
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

enum {
  NOTHING,
  EQUAL_RESULTS,
  ATTRIBUTE,
  HANDLES,
  DIFFERENCE,
  OWN_BLOCK,
  SELF,
  JOIN_ONE,
  STEP_BETWEEN,
  SLOT_BETWEEN,
  RESULTS,
  C11_RESULTS,
  DETACH,
  CANCEL,
  KILL,
  NAME,
  LOCAL,
  BLOCK,
  THREAD_LOCAL,
  NUMBER,
  RANDOM,
  BARRIER,
  CHILD,
  JOINER,
  INPUT,
  ARGUMENT,
  STEP_WHILE_CREATING,
  WRITE_WHILE_CREATING,
  JOIN_WHILE_CREATING,
  FAILURE
};

static atomic_int counter;
static int slots[2], told;
static pthread_t handles[2];
static pthread_barrier_t barrier;
static _Atomic(void *) published;
static _Thread_local int own;

static void *child(void *unused) {
  (void)unused;
  return NULL;
}

static void *add(void *unused) {
  (void)unused;
  heddle_observe("helper", atomic_fetch_add(&counter, 1));
  return NULL;
}

/* What the thread does that took the number. */
static void *tell(int number) {
  int local = number;
  pthread_t handle;
  switch (WAY) {
  case DIFFERENCE: return &local + 1 - &local == 1 ? NULL : &own;
  case OWN_BLOCK: free(malloc(8)); return NULL;
  case SELF: return pthread_equal(pthread_self(), handles[0]) ? NULL : NULL;
  case SLOT_BETWEEN: slots[number] = 1; return NULL;
  case RESULTS:
  case C11_RESULTS: return (void *)(intptr_t)number;
  case LOCAL: atomic_store(&published, &local); return NULL;
  case BLOCK: atomic_store(&published, malloc(8)); return NULL;
  case THREAD_LOCAL: atomic_store(&published, &own); return NULL;
  case NUMBER: heddle_observe("number", (int)((uintptr_t)&local >> 26 & 3)); return NULL;
  case RANDOM: heddle_observe("random", rand()); return NULL;
  case BARRIER: heddle_observe("serial", pthread_barrier_wait(&barrier)); return NULL;
  case CHILD:
    pthread_create(&handle, NULL, child, NULL);
    pthread_join(handle, NULL);
    return NULL;
  case JOINER: pthread_join(handles[1], NULL); return NULL;
  case INPUT: heddle_observe("input", heddle_input_int("input") > 0); return NULL;
  case WRITE_WHILE_CREATING: heddle_observe("told", number ? told : 0); return NULL;
  case FAILURE: assert(number == 0); return NULL;
  default: return NULL;
  }
}

static void *work(void *unused) {
  (void)unused;
  return tell(atomic_fetch_add(&counter, 1));
}

static int c11_work(void *unused) {
  return (int)(intptr_t)work(unused);
}

static void create(int i) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (WAY == ATTRIBUTE) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (WAY == C11_RESULTS)
    thrd_create(&handles[i], c11_work, NULL);
  else
    pthread_create(&handles[i], &attributes, work, WAY == ARGUMENT ? (void *)(intptr_t)i : NULL);
}

static void do_between(void) {
  if (WAY == STEP_BETWEEN) heddle_observe("between", atomic_load(&counter));
  if (WAY == SLOT_BETWEEN) heddle_observe("between", slots[0]);
}

int main(void) {
  void *result;
  int number;
  pthread_t helper;
  pthread_barrier_init(&barrier, NULL, 2);
  if (WAY == JOIN_WHILE_CREATING) pthread_create(&helper, NULL, add, NULL);
  create(0);
  if (WAY == STEP_WHILE_CREATING) atomic_fetch_add(&counter, 0);
  if (WAY == WRITE_WHILE_CREATING) told = 1;
  if (WAY == JOIN_WHILE_CREATING) pthread_join(helper, NULL);
  create(1);
  if (WAY == HANDLES) printf("%d\n", handles[0] < handles[1]);
  if (WAY == CANCEL) pthread_cancel(handles[0]);
  if (WAY == KILL) pthread_kill(handles[0], 0);
  if (WAY == NAME) pthread_setname_np(handles[0], "first");
  if (WAY == DETACH) pthread_detach(handles[0]);
  for (int i = 0; i < (WAY == JOIN_ONE ? 1 : 2) && WAY != ATTRIBUTE && WAY != JOINER; i++) {
    if (i == 1) do_between();
    if (WAY == DETACH && i == 0) continue;
    if (WAY == C11_RESULTS)
      thrd_join(handles[i], &number);
    else
      pthread_join(handles[i], WAY == RESULTS || WAY == EQUAL_RESULTS ? &result : NULL);
  }
  return 0;
}
