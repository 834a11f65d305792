/* SPDX-License-Identifier: MIT
 *
 * DME of Lei and Carver: distributed mutual exclusion by Ricart and Agrawala's algorithm. Each of PROCESSES processes
 * has two threads: one enters the critical section once, the other answers the requests of the other processes, or puts
 * them off until its own process has left. The two share the process's state, protected by a semaphore. In which order
 * the replies come does not matter.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#ifndef PROCESSES
#define PROCESSES 3
#endif

struct process {
  heddle_port requests, replies;
  heddle_semaphore mutex;
  int highest, number, is_requesting;
  int is_deferred[PROCESSES];
};

static struct process processes[PROCESSES];
static int inside;

/* A request: its number, and who sends it. */
static long make_request(int number, int sender) {
  return (long)number * PROCESSES + sender;
}

static void choose_number(struct process *self) {
  heddle_P(&self->mutex);
  self->is_requesting = 1;
  self->number = self->highest + 1;
  heddle_V(&self->mutex);
}

static void reply_to_deferred(struct process *self) {
  heddle_P(&self->mutex);
  self->is_requesting = 0;
  heddle_V(&self->mutex);
  for (int other = 0; other < PROCESSES; other++)
    if (self->is_deferred[other]) heddle_send(&processes[other].replies, 0);
}

static void *use_section(void *argument) {
  const int id = (int)(long)argument;
  struct process *self = &processes[id];
  choose_number(self);
  for (int other = 0; other < PROCESSES; other++)
    if (other != id) heddle_send(&processes[other].requests, make_request(self->number, id));
  for (int i = 0; i < PROCESSES - 1; i++) heddle_receive_unordered(&self->replies, "replies");
  assert(++inside == 1);
  inside--;
  reply_to_deferred(self);
  return NULL;
}

/* Does the process go first? */
static int note_request(struct process *self, int id, int number, int sender) {
  heddle_P(&self->mutex);
  if (number > self->highest) self->highest = number;
  const int defers = self->is_requesting && make_request(self->number, id) < make_request(number, sender);
  if (defers) self->is_deferred[sender] = 1;
  heddle_V(&self->mutex);
  return defers;
}

static void *help(void *argument) {
  const int id = (int)(long)argument;
  struct process *self = &processes[id];
  for (int i = 0; i < PROCESSES - 1; i++) {
    const long request = heddle_receive(&self->requests);
    const int number = (int)(request / PROCESSES), sender = (int)(request % PROCESSES);
    if (!note_request(self, id, number, sender)) heddle_send(&processes[sender].replies, 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2 * PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    heddle_port_init(&processes[i].requests);
    heddle_port_init(&processes[i].replies);
    heddle_semaphore_init(&processes[i].mutex, 1);
  }
  for (long i = 0; i < PROCESSES; i++) {
    pthread_create(&threads[2 * i], NULL, use_section, (void *)i);
    pthread_create(&threads[2 * i + 1], NULL, help, (void *)i);
  }
  for (int i = 0; i < 2 * PROCESSES; i++) pthread_join(threads[i], NULL);
  return 0;
}
