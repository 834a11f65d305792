/* SPDX-License-Identifier: MIT
 *
 * What the files that make a SYN-sequence of a trace share: syn_run.c goes through the trace, syn_open.c keeps the
 * OpenLists.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_SYN_BUILDER_H
#define HEDDLE_EXPLORE_REACHABILITY_SYN_BUILDER_H

#include "explore/reachability/syn_run.h"

/* Bits of OpenLists: operations that are always open, those of which only the run knows, then one or two per lock or
 * semaphore of the object. */
#define SYN_ALWAYS 0u
#define SYN_UNKNOWN 1u
#define SYN_FIRST_BIT 2u
#define SYN_NO_OP UINT32_MAX

struct lock_bit {
  uint64_t address;
  uint32_t object;
  uint8_t bit; /* and, for the V of a binary semaphore, the next */
};

struct message {
  thread_id sender;
  uint32_t index;
  syn_id send;
  bool is_synchronous;
};

struct waiter {
  uint64_t condition;
  thread_id thread;
  bool gives_up; /* its next operation needs no signal */
};

struct builder {
  struct syn_run *run;
  const struct syn_objects *objects;
  const struct trace_view *trace;
  const struct syn_past *past;
  VECTOR(uint64_t) closed; /* per object */
  VECTOR(uint8_t) n_bits;  /* per object */
  VECTOR(struct lock_bit) bits;
  VECTOR(struct message) messages;
  VECTOR(struct waiter) waiters; /* in the order of coming */
  VECTOR(uint32_t) arrived;      /* per thread */
  VECTOR(uint32_t) ports;        /* an OpenList */
  VECTOR(uint32_t) object_at;    /* per event of the trace: its object, when it has one */
  uint32_t n_taken;
};

/* The operation of a call, as OpenLists have it. */
uint32_t syn_open_operation(struct builder *b, uint32_t object, uint8_t kind, uint64_t address, uint32_t flags);
/* What the event says about its object before it, and what is open after it. */
void syn_open_before(struct builder *b, uint32_t object, const struct event *event);
void syn_open_after(struct builder *b, uint32_t object, const struct event *event);

#endif
