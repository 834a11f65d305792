/* SPDX-License-Identifier: MIT
 *
 * The unfolding of a program: events, and the conditions they look at, use up and make. This is the mathematical
 * object; how it is grown (extensions.h) and what is run next (select.c) is not its business.
 *
 * An event belongs to a thread and follows the previous event of that thread; what stands between two events of a
 * thread, its thread condition, is not stored: it is the event before it. A condition is a state of an object: a piece
 * of shared memory, a mutex, whether a thread has ended. The conditions of one object form a tree, whose root is the
 * state at the start; an event that changes the object uses one of them up and makes a child of it. An event that only
 * looks at an object leaves the condition there.
 *
 * In the contextual unfolding that is all: a look is a read arc. In the ordinary unfolding every thread has a copy of
 * every object, so that a look uses up the copy of its thread and a change uses up all copies. Copies are not stored
 * either: a change lists the last look of each other thread at the condition it uses up (`readers`), and two changes
 * with different lists are different events. A thread that has not looked has a copy that nobody has touched, so
 * threads that come into being late need nothing.
 *
 * Ids are numbers of array entries, 0 is none. An event has a larger id than all that it follows.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_NET_H
#define HEDDLE_EXPLORE_UNFOLDING_NET_H

#include "abi/channel.h"
#include "base/deadline.h"
#include "base/id_index.h"
#include "base/memory.h"
#include "explore/unfolding/event_index.h"
#include "explore/unfolding/hub.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t event_id;
typedef uint32_t condition_id;
typedef uint32_t access_id;
typedef uint32_t object_id;
typedef uint32_t operation_id;
typedef VECTOR(event_id) event_ids;

/* What an event does with a condition of one of its objects. */
enum access_mode {
  ACCESS_NONE,   /* it cannot happen there */
  ACCESS_LOOK,   /* leaves it, but must come before it is used up */
  ACCESS_CHANGE, /* uses it up and makes another */
  ACCESS_PAST,   /* comes after the event that made it, whatever has become of it since */
};

struct net_access {
  condition_id condition;
  uint32_t mode : 2;
  event_id event : 30; /* whose access it is */
};

enum net_event_flags {
  NET_EXECUTED = 1,   /* a run has shown it; otherwise it is an extension */
  NET_IN_FLIGHT = 2,  /* a run is under way for it */
  NET_IMPOSSIBLE = 4, /* an extension that cannot happen */
  NET_UNSURE = 8,     /* an extension whose thread may not be able to move there: only a run can tell */
  NET_STARTS = 16,    /* begins its thread */
  NET_ENDS_RUN = 32,  /* nothing happened after it: put it last */
  NET_BARREN = 64,    /* what its thread does after it needs no exploring: only joins, and then its end */
  NET_RETRIED = 128,  /* an extension that a run was made for and did not reach, because the run ended before */
};

struct net_event {
  event_id previous; /* of its thread; for the first, the one that created the thread */
  operation_id operation;
  access_id first_access;
  condition_id first_output; /* one for each access that changes, in their order */
  uint32_t readers;          /* ordinary: place in net.readers, one record for each access that changes; 0: none read */
  uint32_t choice;           /* the alternative taken; of a decision: the constraint that holds after it */
  operation_id next;         /* what its thread does after it, 0 unknown */
  thread_id thread;
  uint8_t flags;
  uint8_t n_accesses;
};

struct condition {
  event_id event; /* that made it, 0: it was there at the start */
  object_id object;
  condition_id parent;
  uint32_t children; /* lists by thread: conditions that executed events made of it */
  uint32_t users;    /* lists by thread: thread conditions whose next operation is on the object and that can be marked
                        together with it */
  uint32_t reads;    /* list: executed events that look at it */
  uint32_t state;    /* of the object: operation.h */
};

struct list_node {
  uint32_t item; /* an event, or a condition */
  uint32_t next;
};

/* A list for each thread: often there are many of the one thread that cannot be meant. */
struct thread_list {
  thread_id thread;
  uint32_t first; /* node */
  uint32_t next;  /* thread_list */
};

enum object_kind {
  OBJECT_MEMORY,
  OBJECT_MUTEX, /* or a spinlock */
  OBJECT_SEMAPHORE,
  OBJECT_RWLOCK,
  OBJECT_BARRIER,
  OBJECT_CONDITION, /* a condition variable */
  OBJECT_LIFE,      /* whether a thread has ended; its address is the thread */
  OBJECT_WORLD,     /* what depends on everything changes it, everything else looks at it */
  OBJECT_OTHER,     /* whether an operation is possible is not known from the state */
};

struct object {
  enum object_kind kind;
  uint64_t address;
  uint64_t size;
  condition_id root;
  uint32_t n_conditions;
  /* in the run that is being absorbed */
  condition_id current;
  VECTOR(event_id) reads; /* of the current condition */
};

/* Who waits at a condition variable, and who was woken since it last did; bit t is thread t. */
#define WAITER_WORDS 4
struct waiters {
  uint64_t waiting[WAITER_WORDS], woken[WAITER_WORDS];
};

/* What a thread does next: the same for all events that can follow one event. */
struct operation {
  uint64_t address, size, value;
  site_id site;
  uint32_t objects; /* place in net.operation_objects */
  uint8_t kind;     /* enum event_kind, of the successful form */
  uint8_t flags;    /* enum event_flags */
  uint8_t n_accesses;
  bool is_step;
  bool decides; /* `address` is the term */
};

/* The joins and the end that are all a thread does after a barren event. */
struct tail {
  event_id event;
  uint32_t joins; /* place in net.tail_operations */
  uint32_t n_joins;
  bool exits; /* ends the process, not only the thread */
};

struct net {
  bool is_contextual;
  bool has_world;            /* an object of that kind */
  bool cancels;              /* threads are cancelled */
  bool has_inputs;           /* some run had */
  struct deadline *deadline; /* of everything that is done with the net; NULL: none */
  VECTOR(struct net_event) events;
  VECTOR(struct condition) conditions;
  VECTOR(struct net_access) accesses;
  VECTOR(struct object) objects;
  VECTOR(struct operation) operations;
  VECTOR(object_id) operation_objects;
  VECTOR(struct waiters) waiters; /* states of condition variables */
  VECTOR(uint32_t)
  readers; /* records: how many looks there were in all, how many threads are listed, their last ones */
  VECTOR(struct list_node) nodes;
  VECTOR(struct thread_list) thread_lists;
  VECTOR(struct tail) tails; /* from 1 */
  VECTOR(operation_id) tail_operations;
  event_ids fresh; /* events that were added, or whose next operation was learned; emptied by the one that reads them */
  VECTOR(uint32_t) ranks; /* by event: in which order they were executed; extensions: UINT32_MAX */
  struct id_index object_index, operation_index, waiters_index;
  struct event_index event_index;
  struct hub hub;
  uint64_t n_steps;      /* executed events that are steps or decisions */
  uint64_t n_start_up;   /* creating, starting, joining, ending threads */
  uint64_t n_waiting;    /* extensions not yet executed */
  uint64_t n_ends;       /* runs that ended at an event of theirs */
  struct net_memo *memo; /* memo.h; NULL: none is kept */
};

/* What identifies an event: what it follows. The modes of its accesses do not: they follow from that. */
struct event_key {
  event_id previous;
  uint32_t choice;
  thread_id thread;
  uint8_t n_accesses;
  bool starts;
  const struct net_access *accesses;
  const uint32_t *readers; /* as in net.readers, NULL: none read */
  uint32_t n_readers;      /* length of the records */
};

void net_init(struct net *net, bool is_contextual);
void net_free(struct net *net);

/* 0: there is none. */
event_id net_find(const struct net *net, const struct event_key *key);
bool net_is(const struct net *net, event_id event, const struct event_key *key);
event_id net_add(struct net *net, const struct event_key *key, operation_id operation);
object_id net_add_object(struct net *net, enum object_kind kind, uint64_t address, uint64_t size, uint32_t state);
/* A child of the parent; it is linked to it when its event is executed. */
condition_id net_add_condition(struct net *net, event_id event, condition_id parent, uint32_t state);
/* The event has been run: its conditions exist from now on. `states` has one for each access that changes. */
void net_execute(struct net *net, event_id event, const uint32_t *states);
/* Does nothing that comes after the event need exploring? */
bool net_is_barren(const struct net *net, event_id event);
/* An extension cannot happen. */
void net_cut(struct net *net, event_id extension);
/* The event whose thread has the condition as its own becomes a user of the other one. */
void net_add_user(struct net *net, condition_id condition, event_id event);
/* The condition of the object that the event made, 0 none. */
condition_id net_output(const struct net *net, event_id event, object_id object);
/* Of a change: its record of looks at the condition. */
const uint32_t *net_readers(const struct net *net, event_id event, access_id access);
/* The first tail that is the same but for its event. */
uint32_t net_same_tail(const struct net *net, uint32_t tail);
/* Puts together records as in net.readers: begin one, which has so many looks in all, then add looks of other threads,
 * in any order. */
typedef VECTOR(uint32_t) reader_list;
size_t readers_begin(reader_list *list, uint32_t n_looks);
void readers_add(reader_list *list, size_t record, const struct net *net, event_id look);
uint64_t net_size_bytes(const struct net *net);

/* Does a change of the condition list the looks that come before it? In the contextual unfolding only those of the
 * world: what changes it does depend on everything. */
static inline bool net_lists_looks(const struct net *net, condition_id condition) {
  if (!net->is_contextual) return true;
  return net->objects.items[net->conditions.items[condition].object].kind == OBJECT_WORLD;
}

static inline bool access_lists_looks(const struct net *net, const struct net_access *access) {
  return access->mode == ACCESS_CHANGE && net_lists_looks(net, access->condition);
}

static inline bool net_is_step(const struct net *net, const struct net_event *event) {
  return net->operations.items[event->operation].is_step;
}

/* A decision on inputs. */
static inline bool net_decides(const struct net *net, const struct net_event *event) {
  return net->operations.items[event->operation].decides;
}

static inline bool event_is_executed(const struct net *net, event_id event) {
  return net->events.items[event].flags & NET_EXECUTED;
}

#endif
