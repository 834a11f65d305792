/* SPDX-License-Identifier: MIT
 *
 * POSIX message queues of the program under test: known to this run only, not to the kernel. A queue descriptor is a
 * real one, of something else, kept open for its number.
 */
#ifndef HEDDLE_RUNTIME_QUEUES_H
#define HEDDLE_RUNTIME_QUEUES_H

#include "runtime.h"

#include <mqueue.h>

#define MAX_QUEUES 32u
#define MAX_QUEUE_MESSAGES 256u
#define MAX_QUEUE_MESSAGE_BYTES 8192u /* as the kernel has it for users */
#define MAX_QUEUE_DESCRIPTORS 1024u
#define QUEUE_NAME_BYTES 256u

struct queue_message {
  uint64_t number; /* in the order of sending, from 1; 0: an unused place */
  uint32_t priority, size_bytes;
  char bytes[MAX_QUEUE_MESSAGE_BYTES];
};

/* Whom mq_notify wants to be told of the next message. */
struct queue_notice {
  bool is_wanted;
  mqd_t descriptor; /* that asked: closing it ends this */
  int how, signal;  /* SIGEV_* */
  uint64_t value;
  void *(*start)(void *);
};

struct queue {
  struct object object; /* its address is the number of the descriptor that made it; count = messages in it */
  char name[QUEUE_NAME_BYTES];
  bool has_name; /* until mq_unlink */
  uint32_t references, capacity, message_bytes;
  uint64_t n_sent;
  struct queue_notice notice;
  struct queue_message messages[MAX_QUEUE_MESSAGES];
};

struct queue_descriptor {
  struct queue *queue; /* NULL: not one */
  bool reads, writes, nonblocking;
};

struct queues {
  uint32_t n_queues; /* places used in this run */
  struct queue queues[MAX_QUEUES];
  struct queue_descriptor descriptors[MAX_QUEUE_DESCRIPTORS];
};

/* Beside struct runtime: only what is used is ever touched. */
#define the_queues ((struct queues *)(RUNTIME_ADDRESS + (63ull << 30)))

void queues_initialise(void);
void queues_begin_run(void);
/* For the scheduler: whether the operation the thread stands before can move. */
bool queue_can_move(const struct thread *thread);

#endif
