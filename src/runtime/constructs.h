/* SPDX-License-Identifier: MIT
 *
 * The ports, semaphores and monitors of include/heddle.h under heddle's control. A struct object stands for each of
 * them, as for a mutex:
 *
 *     port        type: enum port_kind, owner: who receives from it, count: messages in it, needed: its capacity
 *     semaphore   type: 1 when it is binary, count: its value
 *     monitor     type: 1 when signalling is urgent waiting, owner: who is in it
 *     condition   nothing: its queue are the threads whose queue it is, in the order of queued_at
 *
 * A thread that was signalled in an SU monitor, or has signalled there, and one whose synchronous send is not received
 * yet, is HELD: it continues when another thread lets it, which is not a choice.
 */
#ifndef HEDDLE_RUNTIME_CONSTRUCTS_H
#define HEDDLE_RUNTIME_CONSTRUCTS_H

#include "runtime.h"

#define MAX_MESSAGES (1u << 20)
#define MAX_ALTERNATIVES 64u

enum port_kind { PORT_ASYNCHRONOUS, PORT_BOUNDED, PORT_SYNCHRONOUS };

/* A message that was sent and not received yet. */
struct message {
  uint64_t number; /* message_number() */
  struct object *port;
  long value;
  uint32_t term;
  uint32_t next;        /* sent later, or another free place; 0 none */
  bool is_first;        /* of its sender in its port */
  struct object handed; /* has the clock of the sender (races.c) */
};

struct messages {
  uint32_t first, last, free, n_used; /* places, from 1 */
  struct message messages[MAX_MESSAGES];
};

/* Beside struct runtime: only what is used is ever touched. */
#define the_messages ((struct messages *)(RUNTIME_ADDRESS + (61ull << 30)))

void constructs_initialise(void);
void constructs_begin_run(void);

/* For the scheduler: whether the receive or bounded send the thread stands before can move. */
bool port_can_move(const struct thread *thread);
bool port_has_new_message(const struct thread *thread);

/* For objects.c. What the first words of the program's memory say of an object, if it is one of these. */
void construct_read(const void *memory, struct object *object);
bool construct_is_initialised(const void *memory, enum object_class class); /* true for all other classes */
bool construct_is_waited_for(const struct thread *thread); /* it stands before an operation that cannot move */

/* Ends the run: lock-misuse. */
_Noreturn void construct_misuse(const struct object *object, site_id site, const char *what);

#endif
