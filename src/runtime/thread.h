/* SPDX-License-Identifier: MIT
 *
 * The program's threads: their states, the operations they stand before, and all that the runtime keeps of each.
 */
#ifndef HEDDLE_RUNTIME_THREAD_H
#define HEDDLE_RUNTIME_THREAD_H

#include "abi/channel.h"
#include "objects.h"
#include "races.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define THREAD_WORDS (HEDDLE_MAX_THREADS / 64)
#define MAX_WATCHED 64u
#define MAX_VISITS 32u
#define SPIN_STATE_BYTES 36864
#define MAX_SPIN_STATES 64u
#define MAX_ROUND_EVENTS 64u
#define MAX_ROUND_WRITES 64u
#define MAX_KEYS 1024
#define MAX_CLOCK_PLACES 8u
#define MAX_READ_HOLDS 32u
#define MAX_TWIN_READS 16u

/*
 *             create                 next operation               chosen
 *     ABSENT ---------> LOCAL ---------------------> AT_OPERATION --------> LOCAL
 *                         |  join of a live thread            its end
 *                         |---------------------> JOINING -------------> LOCAL
 *                         |  waits at a barrier               the last arrives
 *                         |---------------------> AT_BARRIER ----------> LOCAL
 *                         |  waits for another              that lets it continue
 *                         |---------------------> HELD ----------------> LOCAL
 *                         |  exit, main's return
 *                         |---------------------> EXITING                (until nobody else can move)
 *                         |  return, pthread_exit
 *                         `---------------------> ENDED
 *
 * Whenever a choice is made no thread is LOCAL: what a thread does between its operations commutes with everything.
 */
enum thread_state { ABSENT, LOCAL, AT_OPERATION, JOINING, AT_BARRIER, HELD, EXITING, ENDED, SET_ASIDE /* trial.c */ };

/* ... it is announced again; it is over, if it has to wait; the same, unless all the signals had SA_RESTART. */
enum interruption { CONTINUES, IS_INTERRUPTED, IS_RESTARTED };

struct operation {
  uint64_t address;
  uint64_t expected;     /* by a compare-exchange of up to 8 bytes */
  struct object *object; /* for synchronisation objects */
  uint32_t size;
  site_id site;
  uint8_t kind;         /* enum event_kind */
  bool cancels;         /* a cancellation point: a request to cancel the thread lets it move */
  bool can_block;       /* whether it can move must be asked anew at every choice (schedule.c) */
  uint8_t interruption; /* enum interruption: what becomes of it when the thread has handled a signal */
  bool can_give_up;     /* it can also move without what it waits for: time out, or wake up for no reason */
};

struct watched {
  uint64_t address; /* memory of `size` bytes, or with size 0 a struct object */
  uint64_t value;   /* what was read, or the object's version */
  uint32_t size;
  bool is_private; /* nobody else writes it */
};

/* A read at a place in the program. */
struct visit {
  struct watched read;
  site_id site;
  char *frame;
};

/* A read of a thread of which there are several the same. */
struct twin_read {
  uint64_t address, value;
  uint32_t size;
  site_id site;
  thread_id class; /* of its thread after it */
  uint8_t kind;
  bool is_open; /* nobody has written there since */
};

/* See twins.c. */
struct twin {
  _Alignas(8) thread_id group; /* the first of its group; NO_THREAD: it is the first, or has none */
  thread_id class;
  thread_id before;         /* the twin that went before it in its last step, NO_THREAD none */
  thread_id last_child;     /* NO_THREAD: it has none */
  thread_id joining;        /* of the group with this first member it has joined some and not all; NO_THREAD: none */
  thread_id joiner;         /* of a group's first: who has joined a member */
  bool takes_result;        /* and looks at the results */
  uint32_t n_steps;         /* that it has taken */
  uint32_t last_child_step; /* how many those were when it created its last child */
  uint32_t n_members, n_joined; /* of a group's first */
  uint64_t result, stack_bytes;
  struct twin_read reads[MAX_TWIN_READS]; /* its first steps, as far as they are reads */
};

struct read_hold {
  struct object *lock;
  uint32_t count;
  site_id site; /* where it got the first */
};

/* A thread's registers and stack, in so many bits that no two states of a run have the same. */
struct state_mark {
  uint64_t low, high;
};

/* See spin.c. */
struct spin {
  uint64_t progress; /* the visits are since this count */
  uint32_t n_visits, n_watched;
  union {
    struct {
      uint32_t suspected; /* for so many accesses more, reads of private memory are looked at too */
      bool armed;         /* state[] holds the stack as it was at the last visit of `anchor` */
      bool parked;        /* cannot move until a watched value changes */
    };
    uint64_t any; /* of these */
  };
  uint32_t state_bytes;
  struct watched update; /* its last atomic update, with the value before; size 0: looked at already */
  struct visit anchor;
  struct visit visits[MAX_VISITS];
  struct watched watched[MAX_WATCHED];
  uint32_t n_states; /* at visits of the anchor since it was first armed; of more than MAX_SPIN_STATES, the last ones */
  struct state_mark states[MAX_SPIN_STATES];
  uint32_t n_seen; /* all that was read since then; more than MAX_WATCHED: too much */
  struct watched seen[MAX_WATCHED];
  char state[SPIN_STATE_BYTES];
};

/* Looks at the clock from one place, while the thread changed nothing that others can see (model_time.c). */
struct clock_look {
  site_id site;
  uint32_t count;
  uint64_t n_changes; /* of the thread, at the last one */
};

/* See awaits.c: the read that the thread stands before. */
struct await {
  bool is_on;
  bool is_known, leads_on; /* what the value leads to was looked at; elsewhere than back here */
  uint8_t kind;
  uint32_t lifetimes; /* rt->n_lifetimes then */
  uint64_t value;
  struct visit visit;
  struct state_mark state;
};

/* See rounds.c. */
struct round {
  bool is_at_every_visit; /* looked at; otherwise now and then */
  uint32_t n_looks;
  bool is_released, is_exhausted; /* of one that rests */
  uint32_t released_at;           /* step */
  bool is_disturbed;              /* by others: it is not one piece */
  bool changes;                   /* something others can see, or memory */
  uint32_t first_step, switches;  /* its first step, and rt->switches then */
  uint32_t n_visits, patience;    /* of the anchor, since it was chosen; how many until it is chosen anew */
  uint32_t n_events, n_written, n_null;
  uint64_t unrepeatable;   /* of the thread, at the anchor */
  struct state_mark state; /* at the anchor */
  uint64_t done;           /* what was performed since, and what was read: a sum (cycles.c) */
  struct visit anchor;
  struct event events[MAX_ROUND_EVENTS];    /* since the anchor */
  struct watched written[MAX_ROUND_WRITES]; /* with the values before */
  struct event null[MAX_ROUND_EVENTS];      /* of the null round after which it rests */
};

/* What the siginfo of a signal says. */
struct signal_origin {
  int code;
  uint64_t value;
};

struct thread {
  /* What the scheduler looks at in every thread at every choice stands together: there may be thousands. */
  _Alignas(64) thread_id id;
  thread_id joining; /* JOINING: which thread */
  uint8_t state;     /* enum thread_state */
  bool signalled;    /* CONDITION_WAKE: somebody woke it */
  bool cancel_requested, cancel_disabled, cancel_asynchronous;
  bool ending;         /* by pthread_exit or cancelled: its handlers run */
  uint32_t time_outs;  /* in a row (schedule.c) */
  uint8_t step_flags;  /* EVENT_PARKED, EVENT_OF_ALL of its step */
  bool is_watched;     /* since its round began (rounds.c) */
  bool rests;          /* since a null round */
  uint32_t until_look; /* visits of places */
  struct operation operation;
  struct object *relock;  /* CONDITION_WAKE: the mutex to take again */
  bool could_give_up;     /* CONDITION_WAKE: it need not have waited for the signal */
  struct object *queue;   /* in which it waits: a monitor's condition, or the monitor itself (model_monitor.c) */
  uint64_t queued_at;     /* lower: earlier */
  bool in_guard;          /* of a selective wait */
  uint32_t section_depth; /* atomic sections it has entered and not left */
  uint64_t awaited;       /* before an operation on a pipe or queue: what it needs (pipes.c, model_queue.c) */
  const void *polled;     /* before a poll: its entries; before a receive: its open ports */
  void *stack_pointer;    /* saved while another fiber runs */
  void (*entry)(void);
  _Atomic uint32_t turn; /* for a debugger (fiber.c): a futex, 1 = it shall continue */
  int kernel_thread;     /* its number; 0 = not started */
  uint64_t tls;          /* its %fs base */
  uint64_t step_return;  /* where it continues from the runtime: repetition.c */
  bool detached, joined;
  bool has_joined;       /* others */
  bool is_made;          /* by heddle, for a timer or the end of a process: it runs nothing of the program */
  thread_id joiner;      /* joined: who did */
  uint32_t join_event;   /* joined: 1 + the place of the event, 0 none */
  uint32_t n_joiners;    /* how many have begun to wait for its end */
  thread_id last_joiner; /* the last of them */
  bool woke_for_nothing; /* the last wait that ended did so spuriously */
  uint8_t n_read_holds;
  uint32_t timed_out_at, moved_at; /* the last step at which it timed out, and any step of it */
  struct twin twin;
  char name[16];                   /* pthread_setname_np */
  int policy, scheduling_priority; /* pthread_setschedparam */
  uint16_t n_children;
  uint16_t n_joined_children; /* of them, that this thread has joined */
  uint16_t depth;             /* 1 more than of the thread that created it; main: 0 */
  uint32_t n_held, lock_set;  /* the locks it holds, and the place of that set among those remembered, 0 none yet */
  uint64_t progress;          /* counts what may have changed its state */
  uint64_t unrepeatable;      /* counts what of that no two rounds of a loop can have alike (rounds.c) */
  uint32_t segment;           /* its current segment */
  site_id at_site;            /* of its last access that took the slow path, or call of a model */
  const struct site *called_before; /* of the last call before that */
  uint32_t valued_event;            /* 1 + index of its last write event, whose value is read later; 0 none */
  uint32_t priority;                /* POLICY_PRIORITY */
  uint64_t clock_nanoseconds;
  uint64_t n_changes; /* writes to shared memory after which it was another than before */
  struct clock_look looks[MAX_CLOCK_PLACES];
  uint64_t random_state, input_state;
  uint32_t n_inputs;       /* that it has asked for */
  uint32_t n_read_symbols; /* symbolic_reads.c */
  uint32_t first_access;   /* of its event that is to be completed */
  uint32_t n_sent;         /* messages, to any port */
  uint32_t n_sent_before;  /* of them, by the plan: sleep.c */
  void *(*start)(void *);
  void *argument, *result;
  uint32_t argument_term, result_term;
  void *cleanup;                             /* innermost pthread_cleanup_push */
  struct thread_destructor *destructors;     /* of thread-local variables of C++, the last one first (model_cxx.c) */
  uint64_t unwinds_from;                     /* the lowest frame that an exception has left so far, 0 none was thrown */
  uint64_t signals_blocked, signals_pending; /* bit n - 1: signal n */
  struct signal_origin sends;                /* of the signal that it sends next */
  bool is_signalled;                         /* it handles signals before its next operation */
  bool was_interrupted;                      /* its last operation is over because it handled a signal */
  bool has_handled, restarts;                /* a signal, when it was to; and all of them had SA_RESTART */
  struct object cancellation;                /* whether it is to be cancelled, for operations that look at it */
  uint64_t stack_bottom, stack_top;
  uint64_t state_top;              /* what is above on its stack never changes */
  uint64_t locals_top;             /* where its thread-local variables begin, at the top of its stack */
  uint64_t left_below;             /* main has returned: its functions lay below; 0: it has not */
  uint64_t arena_used, arena_high; /* bytes of its arena in use, and ever used in any run */
  uint32_t n_blocks;
  uint32_t mapped_stack_bytes;
  bool mapped_arena;
  /* Long ones last, so that what every thread needs is on few pages. */
  struct spin spin;
  struct await await;
  struct round round;
  struct held_lock held[MAX_HELD];
  struct read_hold read_holds[MAX_READ_HOLDS]; /* the rwlocks it holds for reading */
  void *keys[MAX_KEYS];
};

struct thread_set {
  uint64_t words[THREAD_WORDS];
};

static inline void set_add(struct thread_set *set, thread_id id) {
  set->words[id / 64] |= 1ull << id % 64;
}
static inline void set_remove(struct thread_set *set, thread_id id) {
  set->words[id / 64] &= ~(1ull << id % 64);
}
static inline bool set_has(const struct thread_set *set, thread_id id) {
  return set->words[id / 64] >> id % 64 & 1;
}

struct thread *thread_create(void *(*start)(void *), void *argument, size_t stack_bytes);
void thread_prepare_main(void);
/* From the run's seed, and from its generator. */
void thread_seed_inputs(struct thread *thread);
void thread_draw_priority(struct thread *thread);

#endif
