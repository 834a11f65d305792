/* SPDX-License-Identifier: MIT
 *
 * What abi/events.def says of each kind of event, as tables to look things up in: the words of its columns, and what
 * follows from them. Everything here is a lookup by kind, because the engine asks it for every pair of events.
 */
#ifndef HEDDLE_MODEL_KINDS_H
#define HEDDLE_MODEL_KINDS_H

#include "abi/channel.h"

#include <stdbool.h>

enum event_class {
  CLASS_MEMORY,
  CLASS_MUTEX,
  CLASS_CONDITION,
  CLASS_SEMAPHORE,
  CLASS_ONCE,
  CLASS_RWLOCK,
  CLASS_SPINLOCK,
  CLASS_BINARY,
  CLASS_PORT,
  CLASS_MONITOR,
  CLASS_FUTEX,
  CLASS_BARRIER,
  CLASS_THREAD,
  CLASS_DESCRIPTOR,
  CLASS_NOTHING
};

enum event_dependence {
  DEPENDENCE_READS,
  DEPENDENCE_WRITES,
  DEPENDENCE_DEPENDENT,
  DEPENDENCE_INDEPENDENT,
  DEPENDENCE_GLOBAL
};

/* What must be so before it can be performed. */
enum event_need {
  NEEDS_NOTHING,
  NEEDS_EXPECTED,  /* the memory has the value that a compare-exchange expects */
  NEEDS_FREE,      /* nobody has the lock */
  NEEDS_RELOCK,    /* the thread was signalled, and nobody has the mutex */
  NEEDS_UNWRITTEN, /* nobody has the rwlock for writing */
  NEEDS_UNUSED,    /* nobody has the rwlock */
  NEEDS_TOKEN,
  NEEDS_NO_TOKEN,
  NEEDS_IDLE,    /* nobody is inside the function of pthread_once */
  NEEDS_SIGNAL,  /* the thread was signalled, and nobody has the monitor */
  NEEDS_MESSAGE, /* in one of the open ports */
  NEEDS_ROOM,    /* in a bounded port */
  NEEDS_ANSWER,  /* another thread lets it continue */
  NEEDS_OPENING, /* of the barrier */
  NEEDS_DATA,
  NEEDS_SPACE,
  NEEDS_READINESS, /* of one of many descriptors */
  NEEDS_END,       /* of the thread */
  NEEDS_WAKE,      /* of the thread, by another */
  NEEDS_ARRIVAL,   /* of a signal, or of a moment */
  NEEDS_FILE,      /* that nobody else has locked */
  NEEDS_PROCESS,   /* that has ended, or has written or read something */
};

/* What it does to its object. */
enum event_effect {
  EFFECT_NOTES, /* nothing */
  EFFECT_LISTS, /* one of the open ports of the receive before it */
  EFFECT_LOOKS,
  EFFECT_FAILS, /* what its other form needs was missing: nothing changes */
  EFFECT_READS,
  EFFECT_WRITES,
  EFFECT_UPDATES,
  EFFECT_RENEWS, /* begins or ends the life of the objects in its bytes */
  EFFECT_NAMES,  /* changes what a name stands for */
  EFFECT_TAKES,  /* the thread has the lock now, alone */
  EFFECT_GIVES,
  EFFECT_SHARES, /* the thread has it now, with other readers */
  EFFECT_UNSHARES,
  EFFECT_ASKS,    /* a writer begins to wait */
  EFFECT_WAITS,   /* gives back the mutex or monitor and waits for a signal */
  EFFECT_RELOCKS, /* has been signalled, and has the mutex again */
  EFFECT_QUITS,   /* waits for no signal any more */
  EFFECT_SIGNALS,
  EFFECT_SIGNALS_ALL,
  EFFECT_SIGNALS_AND_GIVES,
  EFFECT_HANDS_OVER, /* signals a thread that has the monitor then, and waits to get it back */
  EFFECT_RESUMES,    /* the monitor was handed over to the thread */
  EFFECT_TAKES_TOKEN,
  EFFECT_GIVES_TOKEN,
  EFFECT_LOWERS, /* a binary semaphore, from 1 to 0 */
  EFFECT_RAISES,
  EFFECT_SENDS,
  EFFECT_RECEIVES,
  EFFECT_RETURNS, /* from a synchronous send */
  EFFECT_SLEEPS,  /* until another thread wakes it */
  EFFECT_AWAKES,  /* continues after it was woken */
  EFFECT_WAKES,   /* some of those that sleep, as many as `size` says */
  EFFECT_MOVES,   /* wakes some, and lets the others sleep on the object that its value names */
  EFFECT_ARRIVES,
  EFFECT_LEAVES,
  EFFECT_ENTERS, /* the function of pthread_once, or finds it done */
  EFFECT_FINISHES,
  EFFECT_ABANDONS, /* it, by an exception: the next one runs it again */
  EFFECT_FILLS,
  EFFECT_DRAINS,
  EFFECT_CLOSES,
  EFFECT_CREATES,
  EFFECT_JOINS,
  EFFECT_CANCELS,
  EFFECT_CHECKS,     /* whether the thread is to be cancelled */
  EFFECT_OBEYS,      /* the thread is cancelled, and begins to end */
  EFFECT_INTERRUPTS, /* another thread, which handles a signal next */
  EFFECT_HANDLES,    /* signals, before the operation that it stood before */
  EFFECT_ENDS,
  EFFECT_EXITS,    /* the process, once nobody else can move */
  EFFECT_REJOINS,  /* the others, at the end of an atomic section */
  EFFECT_ISOLATES, /* until the end of an atomic section */
  EFFECT_STOPS,    /* the run */
};

/* What follows from the columns and is asked often. */
enum event_trait {
  TRAIT_TAKES_LOCK = 1,      /* one that only one thread can have, of those without readers */
  TRAIT_AWAITS_RELEASE = 2,  /* can wait until another thread gives back what it took, or gives what is needed */
  TRAIT_OBJECT_IS_MUTEX = 4, /* its object is a mutex */
  TRAIT_VALUE_IS_MUTEX = 8,  /* its value is one */
  TRAIT_LOOKS_AT_PORTS = 16, /* at the messages in all of its open ports */
  TRAIT_IS_SIGNAL = 32,      /* to a condition variable of POSIX */
  TRAIT_WAITS = 64,          /* the column */
  TRAIT_IS_CANCELLABLE = 128,
  TRAIT_IS_ACCESS = 256, /* of memory, and begins or ends no object's life */
};

struct kind_row {
  uint8_t class, dependence, need, effect, other;
  bool is_visible;
  uint16_t traits;
};

_Static_assert(sizeof(struct kind_row) == 8, "a row is found without a multiplication");

#define KIND_TAKES_LOCK(class, effect)                                                                                 \
  ((EFFECT_##effect == EFFECT_TAKES && CLASS_##class != CLASS_RWLOCK) || EFFECT_##effect == EFFECT_RELOCKS)
#define KIND_AWAITS_RELEASE(need, waits)                                                                               \
  ((waits) && NEEDS_##need >= NEEDS_FREE && NEEDS_##need <= NEEDS_IDLE) /* these have a holder, or a count */
#define KIND_HAS_MUTEX_VALUE(class, effect)                                                                            \
  (CLASS_##class == CLASS_CONDITION && (EFFECT_##effect == EFFECT_WAITS || EFFECT_##effect == EFFECT_RELOCKS))
#define KIND_LOOKS_AT_PORTS(class, effect)                                                                             \
  (CLASS_##class == CLASS_PORT && (EFFECT_##effect == EFFECT_RECEIVES || EFFECT_##effect == EFFECT_FAILS))
#define KIND_IS_SIGNAL(class, effect)                                                                                  \
  (CLASS_##class == CLASS_CONDITION && (EFFECT_##effect == EFFECT_SIGNALS || EFFECT_##effect == EFFECT_SIGNALS_ALL))

#define KIND_IS_ACCESS(class, effect) (CLASS_##class == CLASS_MEMORY && EFFECT_##effect != EFFECT_RENEWS)

static const struct kind_row kind_rows[EVENT_KINDS] = {
    [EVENT_NONE] = {.class = CLASS_NOTHING, .dependence = DEPENDENCE_INDEPENDENT},
#define EVENT(name, words, class_, visible, dependence_, need_, effect_, other_, waits_, cancels)                      \
  [EVENT_##name] = {.class = CLASS_##class_,                                                                           \
                    .dependence = DEPENDENCE_##dependence_,                                                            \
                    .need = NEEDS_##need_,                                                                             \
                    .effect = EFFECT_##effect_,                                                                        \
                    .other = EVENT_##other_,                                                                           \
                    .traits = (KIND_TAKES_LOCK(class_, effect_) ? TRAIT_TAKES_LOCK : 0) |                              \
                              (KIND_AWAITS_RELEASE(need_, waits_) ? TRAIT_AWAITS_RELEASE : 0) |                        \
                              (CLASS_##class_ == CLASS_MUTEX ? TRAIT_OBJECT_IS_MUTEX : 0) |                            \
                              (KIND_HAS_MUTEX_VALUE(class_, effect_) ? TRAIT_VALUE_IS_MUTEX : 0) |                     \
                              (KIND_LOOKS_AT_PORTS(class_, effect_) ? TRAIT_LOOKS_AT_PORTS : 0) |                      \
                              (KIND_IS_SIGNAL(class_, effect_) ? TRAIT_IS_SIGNAL : 0) | ((waits_) ? TRAIT_WAITS : 0) | \
                              ((cancels) ? TRAIT_IS_CANCELLABLE : 0) |                                                 \
                              (KIND_IS_ACCESS(class_, effect_) ? TRAIT_IS_ACCESS : 0),                                 \
                    .is_visible = visible},
#include "abi/events.def"
#undef EVENT
};

/* ---- of a kind ---- */

static inline enum event_class kind_class(uint8_t kind) {
  return (enum event_class)kind_rows[kind].class;
}

static inline enum event_dependence kind_dependence(uint8_t kind) {
  return (enum event_dependence)kind_rows[kind].dependence;
}

static inline enum event_need kind_need(uint8_t kind) {
  return (enum event_need)kind_rows[kind].need;
}

static inline enum event_effect kind_effect(uint8_t kind) {
  return (enum event_effect)kind_rows[kind].effect;
}

static inline bool kind_is_visible(uint8_t kind) {
  return kind_rows[kind].is_visible;
}

/* Can it have to wait? */
static inline bool kind_waits(uint8_t kind) {
  return kind_rows[kind].traits & TRAIT_WAITS;
}

/* Does it end a thread that has been cancelled? */
static inline bool kind_is_cancellable(uint8_t kind) {
  return kind_rows[kind].traits & TRAIT_IS_CANCELLABLE;
}

static inline bool kind_has(uint8_t kind, enum event_trait trait) {
  return kind_rows[kind].traits & trait;
}

/* It tried in vain: what was needed was missing, and it did not wait for it, or not any longer. */
static inline bool kind_failed(uint8_t kind) {
  return kind_effect(kind) == EFFECT_FAILS || kind_effect(kind) == EFFECT_QUITS;
}

/* What the thread stood before, whatever came of it. */
static inline uint8_t kind_attempted(uint8_t kind) {
  return kind_failed(kind) ? kind_rows[kind].other : kind;
}

/* What comes of it without what it needs, when it does not wait; EVENT_NONE: it cannot be without. */
static inline uint8_t kind_in_vain(uint8_t kind) {
  return kind_failed(kind) ? (uint8_t)EVENT_NONE : kind_rows[kind].other;
}

/* ---- of an event ---- */

static inline enum event_class event_class_of(const struct event *event) {
  return kind_class(event->kind);
}

static inline enum event_dependence event_dependence_of(const struct event *event) {
  return event->flags & EVENT_OF_ALL ? DEPENDENCE_GLOBAL : kind_dependence(event->kind);
}

static inline enum event_effect event_effect_of(const struct event *event) {
  return kind_effect(event->kind);
}

static inline bool event_writes(const struct event *event) {
  return event_dependence_of(event) == DEPENDENCE_WRITES;
}

/* Does it write its bytes of memory, whatever else it depends on? */
static inline bool event_writes_bytes(const struct event *event) {
  return event_class_of(event) == CLASS_MEMORY && kind_dependence(event->kind) == DEPENDENCE_WRITES;
}

/* Begins or ends the life of the objects in its bytes. */
static inline bool event_is_lifetime(const struct event *event) {
  return event_effect_of(event) == EFFECT_RENEWS;
}

static inline bool event_is_signal(const struct event *event) {
  return kind_has(event->kind, TRAIT_IS_SIGNAL);
}

static inline bool event_takes_token(const struct event *event) {
  return event_effect_of(event) == EFFECT_TAKES_TOKEN;
}

static inline bool event_gives_token(const struct event *event) {
  return event_effect_of(event) == EFFECT_GIVES_TOKEN;
}

static inline bool event_arrives(const struct event *event) {
  return event_effect_of(event) == EFFECT_ARRIVES;
}

/* A compare-exchange, whatever came of it. */
static inline bool event_is_exchange(const struct event *event) {
  return kind_need(kind_attempted(event->kind)) == NEEDS_EXPECTED;
}

/* The thread does nothing after it. */
static inline bool event_ends_thread(const struct event *event) {
  return event_effect_of(event) == EFFECT_ENDS || event_effect_of(event) == EFFECT_EXITS;
}

/* Looks at the word of a futex, and sleeps if that is as expected. */
static inline bool event_reads_word(const struct event *event) {
  return event_effect_of(event) == EFFECT_SLEEPS;
}

/* Is its object a synchronisation object, named by an address? */
static inline bool event_has_address(const struct event *event) {
  const enum event_class class = event_class_of(event);
  return class >= CLASS_MUTEX && class <= CLASS_BARRIER;
}

/* The mutex that it takes or gives back, 0 none. */
static inline uint64_t event_mutex(const struct event *event) {
  if (kind_has(event->kind, TRAIT_OBJECT_IS_MUTEX)) return event->object;
  return kind_has(event->kind, TRAIT_VALUE_IS_MUTEX) ? event->value : 0;
}

static inline bool events_overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

/* A receive, or a selective wait however it ended: what it does depends on the messages in all of its open ports. */
static inline bool event_looks_at_ports(const struct event *event) {
  return kind_has(event->kind, TRAIT_LOOKS_AT_PORTS);
}

static inline uint32_t event_ports(const struct event *event) {
  return event_looks_at_ports(event) ? event->size : port_bit(event->object);
}

/* May have to wait until another thread gives back what it took, or gives what is needed. */
static inline bool event_can_wait(const struct event *event) {
  if (event->flags & (EVENT_GIVES_UP | EVENT_PARKED | EVENT_NESTED)) return false;
  return kind_has(event->kind, TRAIT_AWAITS_RELEASE);
}

/* Took the lock when nobody had it. */
static inline bool event_takes_free_lock(const struct event *event) {
  return !(event->flags & EVENT_NESTED) && kind_has(event->kind, TRAIT_TAKES_LOCK);
}

#define FUTEX_BYTES 4u

#define OWNER_DIED 130 /* EOWNERDEAD: the thread has the mutex, which its last owner left behind */

/* Of an operation on a mutex, rwlock or spinlock, whose value is the error that it returned. */
static inline bool event_succeeded(const struct event *event) {
  return event->value == 0 || event->value == OWNER_DIED;
}

/* The address of the lock that the thread has from then on, once more perhaps; 0 none. */
static inline uint64_t event_lock_taken(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_TAKES:
  case EFFECT_SHARES: return event_class_of(event) == CLASS_MONITOR || event_succeeded(event) ? event->object : 0;
  case EFFECT_RESUMES: return event->object;
  case EFFECT_RELOCKS: return event->value;
  default: return 0;
  }
}

/* The address of the lock that it gives back, once; 0 none. */
static inline uint64_t event_lock_given(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_GIVES:
  case EFFECT_UNSHARES: return event->value == 0 ? event->object : 0;
  case EFFECT_WAITS: return kind_has(event->kind, TRAIT_VALUE_IS_MUTEX) ? event->value : event->object;
  case EFFECT_SIGNALS_AND_GIVES:
  case EFFECT_HANDS_OVER: return event->object;
  default: return 0;
  }
}

/* How many tokens or messages there are more in its object, or how many holds of an rwlock the thread has more. */
static inline int event_count_change(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_GIVES_TOKEN:
  case EFFECT_SENDS: return 1;
  case EFFECT_TAKES_TOKEN:
  case EFFECT_RECEIVES: return -1;
  case EFFECT_SHARES: return event->value == 0;
  case EFFECT_TAKES: return event_class_of(event) == CLASS_RWLOCK && event->value == 0;
  case EFFECT_UNSHARES: return -1;
  case EFFECT_GIVES: return event_class_of(event) == CLASS_RWLOCK ? -1 : 0;
  default: return 0;
  }
}

#endif
