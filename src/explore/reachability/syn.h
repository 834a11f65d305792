/* SPDX-License-Identifier: MIT
 *
 * SYN-sequences (Lei and Carver, Reachability Testing of Concurrent Programs, 2006): which sending event of a run was
 * synchronised with which receiving event. Descriptors (Tables 1 and 2), timestamps (section 4), happened-before
 * (Proposition 1), control structures (Definition 3) and race sets (Proposition 2).
 *
 * A sending event occurs on a thread: a message is sent, an operation of an object is called. A receiving event occurs
 * on a thread that receives, or on the object where the operation is completed. Two kinds of receiving events are not
 * in the paper: a read of a shared variable receives from one of the completed writes, and a choice that a thread makes
 * receives one of `n_ways` ways. docs/algorithms/reachability.md has the table of symbols.
 *
 * A sequence is built in an order in which the run did it.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_SYN_H
#define HEDDLE_EXPLORE_REACHABILITY_SYN_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t syn_id; /* of an event: its place in the sequence */
#define SYN_NONE UINT32_MAX
#define SYN_INITIAL (UINT32_MAX - 1) /* what a variable has before the first write: where a read may receive from */

enum syn_kind {
  SYN_SEND,
  SYN_COMPLETE, /* on an object */
  SYN_RECEIVE,  /* on a thread, from a port */
  SYN_READ,     /* on a thread, from a variable */
  SYN_CHOICE    /* on a thread */
};

struct syn_event {
  enum syn_kind kind;
  uint16_t thread;      /* where it occurs; on an object: of its partner, or NO_SYN_THREAD */
  uint16_t operation;   /* of a send: a bit of OpenLists, below 64 */
  uint32_t object;      /* SEND: the destination. COMPLETE: where it occurs. READ: the variable */
  uint32_t index;       /* on its thread or object, from 1 */
  uint32_t number;      /* its, or its sending partner's, component of the clock of `thread` */
  syn_id partner;       /* SEND: its receiving event. Others: where they receive from. CHOICE: the way taken */
  syn_id previous;      /* the one before on its object; of a send: of its thread to the same destination */
  syn_id jump;          /* further back on the way of `previous`, itself where that begins: far ones in few jumps */
  uint32_t depth;       /* how many are before it on that way */
  syn_id previous_sent; /* SEND: the one before, in the sequence, to the same destination */
  uint64_t open;        /* COMPLETE: the OpenList, operations that could be completed here */
  uint32_t open_at;     /* RECEIVE: the OpenList, ports: syn->ports[open_at ...] */
  uint16_t n_open;
  uint16_t n_ways;     /* CHOICE */
  bool is_black;       /* its partner is not to be changed any more */
  bool is_old;         /* it was in the variant that the run was made for */
  bool is_old_version; /* COMPLETE: with this partner, so that what it wrote was there */
};
#define NO_SYN_THREAD UINT16_MAX

struct syn {
  uint32_t n_threads, n_objects;
  VECTOR(struct syn_event) events;
  VECTOR(uint32_t) clocks; /* per event: the timestamp, then what its thread or object knew before it */
  VECTOR(uint32_t) ports;
  VECTOR(uint32_t) thread_clocks, object_clocks;
  VECTOR(uint32_t) thread_lengths, object_lengths; /* how many events */
  VECTOR(syn_id) last_sent;                        /* per object */
  VECTOR(syn_id) last_on;                          /* per object: COMPLETE */
  VECTOR(syn_id) last_sent_by;                     /* per object and thread */
  bool overtakes; /* a call was completed before an earlier one of its thread to the same object */
};

void syn_init(struct syn *syn, uint32_t n_threads, uint32_t n_objects);
void syn_free(struct syn *syn);

/* ---- building ---- */

syn_id syn_send(struct syn *syn, uint32_t thread, uint32_t destination, uint32_t operation);
/* `send` is completed on the object it was sent to; SYN_NONE: it is not known yet what will be. */
syn_id syn_complete(struct syn *syn, uint32_t object, syn_id send, uint64_t open);
syn_id syn_receive(struct syn *syn, uint32_t thread, syn_id send, const uint32_t *open_ports, uint32_t n_open);
/* `version` is a COMPLETE of the variable, SYN_INITIAL, or SYN_NONE. */
syn_id syn_read(struct syn *syn, uint32_t thread, uint32_t variable, syn_id version);
syn_id syn_choose(struct syn *syn, uint32_t thread, uint32_t way, uint32_t n_ways);
/* Rule 3 of semaphores and monitors: the thread has finished its operation, or was signalled. */
void syn_learn_from_object(struct syn *syn, uint32_t thread, uint32_t object);
/* Rule 3 of synchronous messages; also creating and joining. */
void syn_learn_from_thread(struct syn *syn, uint32_t thread, uint32_t other);
/* The same, of what the event knew. */
void syn_learn_from_event(struct syn *syn, uint32_t thread, syn_id event);

/* ---- asking ---- */

const uint32_t *syn_timestamp(const struct syn *syn, syn_id event);
/* Proposition 1. */
bool syn_happens_before(const struct syn *syn, syn_id earlier, syn_id later);
/* Is the receiving event in c-struct(event)? */
bool syn_controls(const struct syn *syn, syn_id receive, syn_id event);
/* Is the receiving event in c-struct of what `receive_from` sends, or that itself? A partner as race sets have it. */
bool syn_controls_partner(const struct syn *syn, syn_id receive, syn_id of, uint32_t partner);

static inline bool syn_is_receive(const struct syn *syn, syn_id event) {
  return syn->events.items[event].kind != SYN_SEND;
}

/* Is the send in the race set of the receiving event, a COMPLETE or RECEIVE, old or not? */
bool syn_races(const struct syn *syn, syn_id receive, syn_id send);

typedef VECTOR(uint32_t) syn_partners;
/* Proposition 2: adds the race set of the receiving event; where it is old, without old ones (Fig. 10, line 2). A
 * choice has ways, a read has versions, the others have sends. */
void syn_add_race_set(const struct syn *syn, syn_id receive, syn_partners *set);

/* ---- variants: race_table.c ---- */

/* A column of the race table: a receiving event with a race set that is not empty. */
struct syn_column {
  syn_id receive;
  uint32_t first, count; /* in `partners` */
};

struct deadline;

struct race_table {
  VECTOR(struct syn_column) columns; /* in the order of the sequence, which is a topological order */
  syn_partners partners;
  VECTOR(int32_t) row;       /* Fig. 7's t */
  struct deadline *deadline; /* when it is over, there is no next row; NULL: none */
};

/* Who may be changed to what: NULL for Proposition 2 alone. False: leave the partner out of the race set. */
typedef bool race_filter(void *context, const struct syn *syn, syn_id receive, uint32_t partner);

void race_table_init(struct race_table *table, const struct syn *syn, race_filter *filter, void *context);
void race_table_free(struct race_table *table);
/* The next row of Fig. 7 in table->row. False: there are no more. */
bool race_table_next(struct race_table *table, const struct syn *syn);

/* What a row stands for (Definition 7). */
struct syn_variant {
  VECTOR(uint8_t) in;         /* per event: is it in the variant? */
  VECTOR(uint32_t) partner;   /* per event in it: what it is synchronised with, SYN_NONE unmatched */
  VECTOR(uint8_t) is_black;   /* per event */
  VECTOR(uint8_t) is_changed; /* per event: by the row */
  VECTOR(uint32_t) limits;    /* per thread: from which number on events depend on what was changed */
  VECTOR(uint32_t) before;    /* a clock */
};

void syn_variant_derive(struct syn_variant *variant, const struct syn *syn, const struct race_table *table);
void syn_variant_free(struct syn_variant *variant);

#endif
