/* SPDX-License-Identifier: MIT
 *
 * libheddle-sync: the ports, semaphores and monitors of include/heddle.h on pthreads, for programs that run without
 * heddle. In a program that `heddle cc` built they are what runs outside an executor.
 *
 * A thread that has to wait stands in a queue, first in, first out, with a condition variable of its own on its stack;
 * whoever lets it continue takes it out of the queue and says so. The object's mutex protects its queues and all that
 * is in its state.
 */
#ifndef HEDDLE_SYNC_INTERNAL_H
#define HEDDLE_SYNC_INTERNAL_H

#include "include/heddle.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define DESTROYED 0xdeadu /* in place of an object's kind */

/* What lies in the heddle_state of an object: there it is an array of long. */
#define STATE __attribute__((may_alias))

struct waiter {
  pthread_cond_t changed;
  bool goes_on;
  struct waiter *next;
};

struct queue {
  struct waiter *first, *last;
  unsigned length;
};

/* Waits in the queue until queue_let_go takes this thread out of it. The mutex is held, and given up meanwhile. */
void queue_wait(struct queue *queue, pthread_mutex_t *mutex);
/* Lets the first thread continue; false: there is none. The mutex is held. */
bool queue_let_go(struct queue *queue);

/* Ends the program: it misuses an object. */
_Noreturn void misuse(const char *what);

#endif
