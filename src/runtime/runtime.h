/* SPDX-License-Identifier: MIT
 *
 * The runtime: linked into the program under test. It runs the program's threads as fibers on one kernel thread, one
 * visible operation at a time, as a plan says, and writes down what happened.
 *
 * It uses nothing of the engine and nothing of libc that keeps state: its own state is struct runtime at
 * RUNTIME_ADDRESS, outside the memory that is put back between runs. The few variables in the executable's data
 * (runtime.c) are put back with it.
 *
 *     the parts, bottom up
 *     system.h      system calls, strings, bits
 *     fiber.c/.S    switching stacks and TLS
 *     terms.c       what is computed from inputs; term_memory.c, decisions.c, intrinsics.c beside it (terms.h)
 *     trace.c       writing events into the channel
 *     inputs.c      what the program asks for, and the plan gives
 *     warnings.c    what a run notices that is not its end
 *     sharing.c     which memory is shared, learned
 *     races.c       data races by happens-before
 *     lockorder.c   locks that are held, and taken in two orders
 *     spin.c        threads that read the same values again and again
 *     trial.c       threads that never come to a visible operation
 *     budget.c      how much memory a run may have, and allocations that fail
 *     objects.c     mutexes and the like, by address
 *     memory.c      heap blocks, and who may touch them
 *     frames.c      local variables of functions that have returned
 *     schedule.c    whose turn it is
 *     sleep.c       threads that a plan sets to sleep
 *     accesses.c    the slow half of the hooks
 *     model_*.c     the replaced functions (abi/intercepts.def)
 *     snapshot.c    putting the program's memory back
 *     signals.c     crashes, hangs
 *     executor.c    plans in, runs, traces out
 */
#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H

#include "abi/channel.h"
#include "races.h"
#include "system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THREAD_WORDS (HEDDLE_MAX_THREADS / 64)
#define MAX_SEGMENTS (1u << 20)
#define MAX_GRANULES (1u << 20)
#define MAX_OBJECTS (1u << 18)
#define MAX_WATCHED 64u
#define MAX_VISITS 32u
#define SPIN_STATE_BYTES 32768
#define MAX_KEYS 1024
#define MAX_READ_HOLDS 32u
#define MAX_NAMED_SEMAPHORES 64u
#define SEMAPHORE_NAME_BYTES 256
#define MAX_EXIT_HANDLERS 256
#define MAX_MAPPINGS 256
#define MAX_SIGNALS 65
#define MAX_OBSERVATIONS 256
#define LABEL_BYTES 48
#define MESSAGE_BYTES 1024
#define WARNING_PLACES 4096u
#define MAX_VAIN_SPINS 256u
#define MOST_ATTEMPTED_READS 4096u

/* ---- exported to instrumented code ---- */
#define EXPORTED __attribute__((visibility("default")))
extern EXPORTED unsigned char __heddle_in_run;
extern EXPORTED uint64_t __heddle_owner;
extern EXPORTED const struct site *__heddle_site;
extern EXPORTED const struct site *__heddle_return_site; /* of main's last return statement */
extern EXPORTED uint64_t __heddle_opaque_calls;
extern EXPORTED uint64_t __heddle_unseen_writes;         /* calls that may have written any memory */
extern EXPORTED const struct site *__heddle_opaque_site; /* of the last call of a function nothing is known about */

/* True in an executor, from the first instruction of main on. Outside, every model calls the real function. */
extern bool controlled;

/* ---- threads ---- */
/*
 *             create                 next operation               chosen
 *     ABSENT ---------> LOCAL ---------------------> AT_OPERATION --------> LOCAL
 *                         |  join of a live thread            its end
 *                         |---------------------> JOINING -------------> LOCAL
 *                         |  waits at a barrier               the last arrives
 *                         |---------------------> AT_BARRIER ----------> LOCAL
 *                         |  waits for another              that lets it go on
 *                         |---------------------> HELD ----------------> LOCAL
 *                         |  exit, main's return
 *                         |---------------------> EXITING                (until nobody else can move)
 *                         |  return, pthread_exit
 *                         `---------------------> ENDED
 *
 * Whenever a choice is made no thread is LOCAL: what a thread does between its operations commutes with everything.
 */
enum thread_state { ABSENT, LOCAL, AT_OPERATION, JOINING, AT_BARRIER, HELD, EXITING, ENDED, SET_ASIDE /* trial.c */ };

struct operation {
  uint64_t address;
  uint64_t expected;     /* by a compare-exchange of up to 8 bytes */
  struct object *object; /* for synchronisation objects */
  uint32_t size;
  site_id site;
  uint8_t kind;     /* enum event_kind */
  bool cancels;     /* a cancellation point: a request to cancel the thread lets it move */
  bool can_block;   /* whether it can move must be asked anew at every choice (schedule.c) */
  bool can_give_up; /* it can also move without what it waits for: time out, or wake up for no reason */
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

struct read_hold {
  struct object *lock;
  uint32_t count;
  site_id site; /* where it got the first */
};

/* See spin.c. */
struct spin {
  uint64_t progress; /* the visits are since this count */
  uint32_t n_visits, n_watched, state_bytes;
  bool armed;            /* state[] holds the stack as it was at the last visit of `anchor` */
  bool parked;           /* cannot move until a watched value changes */
  uint32_t suspected;    /* for so many accesses more, reads of private memory are looked at too */
  struct watched update; /* its last atomic update, with the value before; size 0: looked at already */
  struct visit anchor;
  struct visit visits[MAX_VISITS];
  struct watched watched[MAX_WATCHED];
  char state[SPIN_STATE_BYTES];
};

struct object {
  uint64_t address;
  uint32_t run;       /* its state is of this run; otherwise as at the start of main */
  uint8_t class;      /* enum object_class, 0 in an unused place */
  uint8_t type;       /* mutex: enum mutex_type; rwlock: 1 when writers are preferred; constructs.h */
  uint8_t robustness; /* mutex: enum robustness */
  uint8_t life;       /* enum lifetime */
  bool is_marked;     /* constructs.h: its use left a mark in the program's memory */
  uint32_t next;      /* 1 + index of another object of this run in a heap block, 0 none */
  thread_id owner;    /* mutex, spinlock, once; rwlock: who writes */
  uint32_t count;     /* mutex: depth; semaphore: value; rwlock: read locks; barrier: threads that wait */
  uint32_t needed;    /* barrier: how many threads open it; semaphore: tokens left of those it had at first */
  site_id owner_site;
  uint64_t version;              /* grows with every change */
  uint32_t clock, readers_clock; /* what happens before its next owner, 0 nothing (races.c) */
  uint32_t edges;                /* locks taken while it was held, 0 none (lockorder.c) */
};

struct thread {
  /* What the scheduler looks at in every thread at every choice stands together: there may be thousands. */
  _Alignas(64) thread_id id;
  thread_id joining; /* JOINING: which thread */
  uint8_t state;     /* enum thread_state */
  bool signalled;    /* CONDITION_WAKE: somebody woke it */
  bool cancel_requested, cancel_disabled, cancel_asynchronous;
  bool ending;        /* by pthread_exit or cancelled: its handlers run */
  uint32_t time_outs; /* in a row (schedule.c) */
  uint8_t step_flags; /* EVENT_PARKED, EVENT_OF_ALL of its step */
  struct operation operation;
  struct object *relock;  /* CONDITION_WAKE: the mutex to take again */
  bool could_give_up;     /* CONDITION_WAKE: it need not have waited for the signal */
  struct object *queue;   /* in which it waits: a monitor's condition, or the monitor itself (model_monitor.c) */
  uint64_t queued_at;     /* lower: earlier */
  bool in_guard;          /* of a selective wait */
  uint32_t section_depth; /* atomic sections it has entered and not left */
  uint64_t awaited;       /* before an operation on a pipe or queue: what it needs (model_pipe.c, model_queue.c) */
  const void *polled;     /* before a poll: its entries; before a receive: its open ports */
  struct spin spin;

  void *stack_pointer; /* saved while another fiber runs */
  void (*entry)(void);
  _Atomic uint32_t turn; /* for a debugger (fiber.c): a futex, 1 = it shall go on */
  int kernel_thread;     /* its number; 0 = not started */
  uint64_t tls;          /* its %fs base */
  uint64_t step_return;  /* where it goes on from the runtime: repetition.c */
  bool detached, joined;
  bool has_joined;       /* others */
  thread_id joiner;      /* joined: who did */
  uint32_t join_event;   /* joined: 1 + the place of the event, 0 none */
  uint32_t n_joiners;    /* how many have begun to wait for its end */
  thread_id last_joiner; /* the last of them */
  bool woke_for_nothing; /* the last wait that ended did so spuriously */
  uint8_t n_read_holds;
  uint32_t timed_out_at, moved_at;             /* the last step at which it timed out, and any step of it */
  struct read_hold read_holds[MAX_READ_HOLDS]; /* the rwlocks it holds for reading */
  char name[16];                               /* pthread_setname_np */
  int policy, scheduling_priority;             /* pthread_setschedparam */
  uint16_t n_children;
  uint32_t n_held, lock_set; /* the locks it holds, and the place of that set among those remembered, 0 none yet */
  struct held_lock held[MAX_HELD];
  uint64_t progress;                /* counts what may have changed its state */
  uint32_t segment;                 /* its current segment */
  site_id at_site;                  /* of its last access that took the slow path, or call of a model */
  const struct site *called_before; /* of the last call before that */
  uint32_t valued_event;            /* 1 + index of its last write event, whose value is read later; 0 none */
  uint32_t priority;                /* POLICY_PRIORITY */
  uint64_t clock_nanoseconds;
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
  uint64_t signals_blocked, signals_pending; /* bit n - 1: signal n */
  struct object cancellation;                /* whether it is to be cancelled, for operations that look at it */
  uint64_t stack_bottom, stack_top;
  uint64_t locals_top;             /* where its thread-local variables begin, at the top of its stack */
  uint64_t left_below;             /* main has returned: its functions lay below; 0: it has not */
  uint64_t arena_used, arena_high; /* bytes of its arena in use, and ever used in any run */
  uint32_t n_blocks;
  uint32_t mapped_stack_bytes;
  bool mapped_arena;
  void *keys[MAX_KEYS];
};

struct thread_set {
  uint64_t words[THREAD_WORDS];
};

/* A stretch of one thread between two of its thread creations: what happens-before by creation and joining can tell
 * apart. */
struct segment {
  thread_id thread;
  uint16_t index;
};

enum object_class {
  NO_OBJECT,
  THREAD_OBJECT,
  PIPE_OBJECT,
  FILE_OBJECT,
  QUEUE_OBJECT,
  MUTEX_OBJECT,
  CONDITION_OBJECT,
  SEMAPHORE_OBJECT,
  ONCE_OBJECT,
  RWLOCK_OBJECT,
  SPINLOCK_OBJECT,
  BARRIER_OBJECT,
  PORT_OBJECT,
  COUNTER_OBJECT, /* a semaphore of heddle.h */
  MONITOR_OBJECT,
  MONITOR_CONDITION_OBJECT,
  OBJECT_CLASSES
};
enum lifetime { AS_IN_MEMORY, FOUND_IN_MEMORY, INITIALISED, DESTROYED };
enum mutex_type { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
enum robustness { NOT_ROBUST, ROBUST, ROBUST_INCONSISTENT /* its owner ended with it */, ROBUST_LOST };

struct byte_history {
  uint32_t writer;     /* segment, 0 none */
  uint32_t readers[2]; /* since that write */
  bool more_readers;
};

/* Eight bytes that more than one segment has touched. Records stay from run to run. */
struct granule {
  uint64_t address;
  uint32_t run;
  uint8_t shared;       /* bit k: byte k is shared */
  uint8_t cuts;         /* bit k: some visible access begins or ends before byte k (symbolic_reads.c) */
  uint8_t guarded;      /* bit k: byte k must not be touched in run guard_run (guards.c) */
  uint8_t last_bytes;   /* that the last access touched */
  uint32_t last_writer; /* the segment of the last access, 0 when it only read */
  uint8_t alike;        /* nonzero: these bytes have the history bytes[0], and nobody has touched the others */
  uint8_t dead;  /* bit k: byte k belongs to a function that has returned, in run dead_run; another thread must not */
  uint8_t fresh; /* touch it. Bit k: byte k has not been written to since its variable's life began, in fresh_run */
  struct byte_history bytes[8];
  uint32_t guard_run;
  uint32_t dead_run, dead_calls, fresh_run, fresh_writes; /* with the numbers of calls that are not seen (frames.c) */
};

struct mapping {
  uint64_t address, size_bytes;
  bool counts; /* as memory of the run (budget.c) */
};

struct exit_handler {
  void (*function)(void *);
  void *argument;
};

/* As the program set it; the real handlers are the runtime's. */
struct signal_handler {
  void (*function)(int, void *, void *); /* NULL: SIG_DFL; may be SIG_IGN */
  int flags;
};

/* A named semaphore: the state that counts is of this run, the place stays from run to run, so that the same name has
 * the same address. A name that is unlinked and made again is another semaphore of a later generation. */
struct named_semaphore {
  char name[SEMAPHORE_NAME_BYTES];
  uint64_t memory[4]; /* its sem_t */
  uint32_t generation, run, opened;
  bool linked;
};

/* How a thread ends the process. */
struct process_exit {
  int status;
  site_id site;
  const char *how;
};

struct observation {
  char label[LABEL_BYTES];
  long long value;
  thread_id thread;
};

/* To find out whether a thread that goes on alone spins (symbolic_reads.c), and what the trace had before. */
struct attempt {
  site_id site; /* of the read it began with; 0: there is none */
  bool in_vain;
  uint32_t reads;
  uint32_t n_events, n_words, n_accesses, n_decisions, n_steps;
};

struct runtime {
  /* the run */
  struct thread *current;
  const struct plan *plan;
  const struct step *planned; /* the plan's step being taken; NULL: the policy's */
  uint32_t plan_position;     /* its next step */
  uint32_t run;               /* number of this run in this executor, from 1 */
  uint32_t n_steps;           /* choices made so far */
  uint32_t n_threads;         /* threads of this run, ended ones included */
  uint32_t highest_thread, n_words;
  uint32_t n_local;
  uint32_t switches;
  thread_id last_thread;
  thread_id section_owner; /* NO_THREAD: no atomic section */
  uint16_t next_alternative;
  bool shared_grew, needs_fork, files_touched;
  bool trial_wanted, trial, trial_found;
  bool has_fresh;               /* some bytes of stacks are marked as fresh (frames.c) */
  const struct thread *stepped; /* NULL: nobody is: repetition.c */
  bool has_parked;              /* a thread for good, while others could move: see trial_found_sharing() */
  bool has_proved;              /* so it was in some run */
  bool left_out;                /* TRACE_LEFT_OUT */
  struct {
    enum outcome outcome; /* OUTCOME_NONE: nobody has failed */
    site_id site;
    uint64_t address;
    thread_id thread;
    bool is_soon; /* the run ends when all others stand before an operation, without PLAN_LATE_END */
    bool hides;   /* TRACE_HIDES */
    char message[MESSAGE_BYTES];
  } late; /* who failed first */
  struct attempt attempt;
  uint64_t random_state;
  uint32_t priority_steps[64];
  uint32_t n_priority_changes;
  struct thread_set ready;   /* stand before an operation that can always move */
  struct thread_set waiting; /* stand before one that may not */
  struct thread_set local;   /* LOCAL, and not the one that runs */
  struct thread_set enabled; /* at the last choice */
  uint64_t n_queued;         /* how many times a thread has begun to wait in a monitor */
  struct thread_set asleep;  /* sleep.c */
  struct thread_set awake;   /* enabled, and not asleep */
  uint32_t n_asleep, n_events_slept_through;
  struct event sleepers[MAX_SLEEPERS]; /* what those who sleep would do */
  uint64_t n_live;                     /* threads not ended */
  thread_id exiting;                   /* NO_THREAD: nobody does */
  struct process_exit exit;

  /* the trace being written */
  struct event *events;
  uint32_t n_events, n_words_written, max_recorded;
  uint32_t max_terms;                       /* 0: none are made */
  const struct block_input *standard_input; /* NULL: its bytes have no terms */
  uint64_t standard_input_at;               /* how much of it was read */
  bool standard_input_ended;                /* somebody came to its end */
  uint64_t *wide_words;

  /* how the run ended */
  enum outcome outcome;
  int32_t status;
  uint64_t outcome_address;
  site_id outcome_site;
  uint32_t instruction;
  site_id last_site;
  thread_id outcome_thread;
  char message[MESSAGE_BYTES];

  /* the executor */
  struct channel *channel;
  struct knowledge *knowledge;
  uint64_t generation;  /* of the channel */
  uint64_t seed;        /* of this run */
  uint32_t run_of_plan; /* which run of its plan, from 0 */
  void *root_stack_pointer;
  uint64_t root_tls;
  bool kernel_threads, root_wanted; /* fiber.c */
  uint64_t total_steps, steps_at_tick;
  uint32_t computing_ticks;           /* the same also when no memory can be shared */
  uint32_t quiet_ticks;               /* without a visible operation */
  uint32_t stack[TRACE_STACK];        /* stack.c */
  uint32_t cut_tries;                 /* not 0: the run is to end, at one of so many ticks */
  uint32_t vain_trial_at;             /* 1 + how many places were shared when a trial showed nothing */
  site_id vain_spins[MAX_VAIN_SPINS]; /* reads that look like those of a spin loop, and are not */
  uint32_t n_vain_spins;
  int argc;
  char **argv, **environment;
  char program_name[16];
  bool forked; /* this process is the child of a forked run */
  int child;   /* the forked run, for signals */
  uint32_t n_loaded_shared;
  uint64_t plan_steps, plan_discarded;
  bool was_loud;                  /* the last run was: plans that depend on that are passed over (PLAN_CONDITIONAL) */
  uint64_t inherited_descriptors; /* bit d: descriptor d < 64 was open at the start of main */

  /* tables */
  uint32_t n_segments, n_granules, n_objects;
  uint32_t first_heap_object; /* 1 + index of one of this run's objects in heap blocks, 0 none */
  uint32_t n_exit_handlers, n_observations, n_keys, n_mappings;
  struct signal_handler handlers[MAX_SIGNALS];
  uint64_t live_bytes, used_bytes;       /* allocated now, and of arenas ever in this run */
  bool allocation_failed;                /* once in this run, as a choice */
  struct mapping mappings[MAX_MAPPINGS]; /* made by the program in this run */
  struct exit_handler exit_handlers[MAX_EXIT_HANDLERS];
  void (*key_destructors[MAX_KEYS])(void *);
  bool key_used[MAX_KEYS];
  struct named_semaphore named_semaphores[MAX_NAMED_SEMAPHORES];
  struct observation observations[MAX_OBSERVATIONS];
  char observations_text[MAX_OBSERVATIONS * (LABEL_BYTES + 24)];
  uint16_t warning_places[WARNING_PLACES]; /* 1 + index of a warning, by a hash of its places; 0 none (warnings.c) */
  struct races race;
  struct lock_order order;
  struct segment segments[MAX_SEGMENTS];
  struct granule granules[MAX_GRANULES];
  struct object objects[MAX_OBJECTS];
  struct thread threads[HEDDLE_MAX_THREADS];
  uint16_t clocks[HEDDLE_MAX_THREADS][HEDDLE_MAX_THREADS]; /* [t][u]: the last segment of u that is before t's now */
};

#define rt ((struct runtime *)RUNTIME_ADDRESS)

/* ---- fiber ---- */
void fiber_initialise(void);
/* Makes `thread` a fiber that calls entry() on its own stack, at the next switch to it. */
void fiber_prepare(struct thread *thread, void (*entry)(void));
void fiber_map_stack(struct thread *thread, size_t size_bytes);
void fiber_switch_to(struct thread *thread);          /* from the current thread */
_Noreturn void fiber_leave_to(struct thread *thread); /* the current one is not continued */
void fiber_enter_from_root(struct thread *thread);    /* returns when a fiber calls fiber_return_to_root */
_Noreturn void fiber_return_to_root(void);

/* ---- trace ---- */
struct event *trace_record(uint8_t kind, uint64_t object, uint32_t size, site_id site);
void trace_complete_value(struct thread *thread);
uint64_t trace_load(uint64_t address, uint32_t size); /* the low 64 bits of what is there */
/* The same of memory that the program may have given back since it touched it; false if it has. */
bool trace_peek(uint64_t address, uint32_t size, uint64_t *value);
void trace_begin(void);
/* Publishes the run; flags are enum trace_flags. */
void trace_publish(uint32_t flags);
void trace_wait_for_room(void);

/* ---- warnings ---- */
/* Keeps it unless the same kind was seen at the same two places; the seed is filled in. */
void warnings_add(const struct warning *warning);
bool warnings_has(enum warning_kind kind, site_id site, site_id other_site);

/* ---- sharing ---- */
/* Notes an access and says whether it is a visible operation. */
bool sharing_touch(uint64_t address, uint64_t size, bool writes);
void sharing_make_shared(uint64_t address, uint64_t size);
/* Notes that a whole block is written (it will be freed), at the cost of what was touched of it. */
bool sharing_touch_block(uint64_t address, uint64_t size);
/* The same for frames that are left, all of which is noted that was touched in this run. */
bool sharing_touch_used(uint64_t address, uint64_t size);
/* Some bytes hold terms now, or hold other ones: the fast path is not for them (term_memory.c). */
void sharing_hide(uint64_t granule);
/* The next access of anybody takes the slow path. */
void sharing_forget(uint64_t address, uint64_t size);
void sharing_new_thread(struct thread *parent, struct thread *child);
void sharing_join(struct thread *joiner, const struct thread *ended);
/* Notes in the trace that what the joined thread did is looked at. */
void sharing_saw(const struct thread *joined);
/* The same of all that the running thread has joined. */
void sharing_saw_joined(void);
void sharing_new_segment(struct thread *thread);
/* By creation and joining alone, everything in the segment is before what the thread does now. */
bool sharing_is_before(uint32_t segment, thread_id thread);
/* While only one thread has ever existed nothing is shared, and no access is a visible operation. */
static inline bool sharing_is_possible(void) {
  return rt->n_threads > 1;
}
/* Nothing that another thread has done or will do without it is concurrent to what the running thread does now. */
bool sharing_is_alone(void);
void sharing_load_knowledge(void);
/* The program uses much memory here: the shadow may be in large pages. */
void sharing_expect_much(uint64_t address, uint64_t size);
void sharing_begin_run(void);
/* While a thread is watched for spinning, every access of it takes the slow path. */
void sharing_set_owner(const struct thread *thread);

/* The record of eight bytes; NULL if they have none, or, of make, when there is no room. */
struct granule *sharing_record_at(uint64_t address);
struct granule *sharing_make_record(uint64_t address);

/* ---- frames ---- */
extern EXPORTED unsigned char __heddle_has_threads, __heddle_has_dead;
void frames_begin_run(void);
/* A finding if the bytes, in a stack, are of a function that has returned; notes what is written. */
void frames_check(uint64_t address, uint64_t size, bool writes, site_id site);
/* The running thread leaves all functions whose frames lie below `until`, without return. */
void frames_leave(uint64_t until, site_id site);
void frames_leave_all(site_id site); /* it ends */
/* Of a local variable, and nobody has written to any of the bytes since its life began. */
bool frames_is_fresh(uint64_t address, uint64_t size);

/* ---- guards ---- */
void guards_check(uint64_t address, uint64_t size, bool writes, site_id site); /* of an address in a stack */
void guards_forget(struct thread *thread);                                     /* functions are left without return */

/* ---- spin ---- */
/* The program's state at a runtime function: callee-saved registers and everything above them on its stack. */
#define SPIN_FRAME()                                                                                                   \
  ({                                                                                                                   \
    __builtin_unwind_init();                                                                                           \
    (char *)__builtin_frame_address(0) - 40;                                                                           \
  })
/* Called before an operation that reads and perhaps leaves everything as it is; may park the thread. The visit's value
 * does not matter. */
void spin_look_before_read(struct thread *thread, const struct visit *visit);
static inline void spin_before_read(struct thread *thread, struct visit visit) {
  spin_look_before_read(thread, &visit);
}
/* Called when it is its turn, with the value it reads, unless spin_end is called. */
void spin_look_after_read(struct thread *thread, const struct visit *visit);
static inline void spin_after_read(struct thread *thread, struct visit visit) {
  spin_look_after_read(thread, &visit);
}
/* The thread stops running: what it called counts as progress of this thread. */
void spin_note_opaque_calls(struct thread *thread);
/* The same for a read of memory that is not shared, so far; true if the thread spins on it, and it is shared now. */
bool spin_before_private_read(struct thread *thread, struct visit visit);
void spin_end(struct thread *thread);     /* something changed: start over */
void spin_suspect(struct thread *thread); /* it has not come to a visible operation for long */
static inline bool spin_is_watched(const struct thread *thread) {
  return thread->spin.armed || thread->spin.suspected || thread == rt->stepped;
}
bool spin_can_continue(const struct thread *thread);
bool spin_watches_many(const struct thread *thread); /* values that others may change */

/* ---- trial ---- */
/* ---- repetition ---- */
void repetition_initialise(void);
/* From a signal that interrupted the running thread: its next instructions, at most so many, are looked at. */
void repetition_begin(void *context, uint32_t most);
void repetition_step(void *context); /* a trap after one of them */
/* A trap in place of the return from the runtime. */
bool repetition_is_return(uint64_t instruction);
void repetition_return(void *context);

/* Fills in rt->stack: where the running thread is. */
void stack_note(uint64_t instruction, uint64_t frame, uint64_t stack_pointer);
bool executor_is_in_runtime(uint64_t instruction);
bool executor_owns(uint64_t mapping); /* one of its own, beside the regions of abi/layout.h */
bool trial_is_worth_it(void);
void trial_begin(void); /* the running thread is set aside */
void trial_found_sharing(void);
bool trial_is_in_vain(void);
bool trial_was_in_vain(void);

/* ---- objects ---- */
struct object *object_at(const void *address, enum object_class class); /* makes it as it was at the start of main */
void objects_begin_run(void);
struct object *object_reset(const void *address, enum object_class class);
bool object_exists(const void *address, enum object_class class); /* used or initialised in this run */
/* Before the program initialises one: a finding if it is in use, or initialised already. */
void object_before_initialise(const void *address, enum object_class class, site_id site);
/* A finding if it is in use; from now on, so is every use until it is initialised again. */
void object_destroy(struct object *object, site_id site);
/* A finding when an object in this memory is locked or waited for. */
void objects_before_free(uint64_t address, uint64_t size_bytes, site_id site);
/* Objects that were in this memory are no more: other ones may be there later. */
void objects_forget(uint64_t address, uint64_t size_bytes);
/* A finding if it was destroyed, never initialised, or lies in memory that is freed or dead. */
void object_check(struct object *object, site_id site);

/* ---- schedule ---- */
bool mutex_is_available(const struct object *mutex); /* nobody holds it, or a robust one's holder has ended */
bool rwlock_can_read(const struct object *lock);
bool rwlock_can_write(const struct object *lock);
static inline struct thread *self(void) {
  return rt->current;
}
static inline void set_add(struct thread_set *set, thread_id id) {
  set->words[id / 64] |= 1ull << id % 64;
}
static inline void set_remove(struct thread_set *set, thread_id id) {
  set->words[id / 64] &= ~(1ull << id % 64);
}
static inline bool set_has(const struct thread_set *set, thread_id id) {
  return set->words[id / 64] >> id % 64 & 1;
}

site_id take_site(void); /* of the call being modelled; 0 when it comes from code that is not instrumented */
/* The running thread has announced its next operation, in `operation`: returns when it is its turn. */
void schedule_announced(struct thread *thread);
/* Announces it, and the same. In line, so that the operation is written straight to its place. */
static inline void schedule_operation(struct operation operation) {
  trace_complete_value(self());
  self()->operation = operation;
  schedule_announced(self());
}
/* How many ways the operation being performed can go: returns the one to take. Call at most once, after it was chosen
 * and before it is recorded. */
uint16_t schedule_alternative(uint16_t count);
/* A choice of one or two ways inside what a thread does on its own: true for the one that is rarely taken. To be
 * recorded. */
bool schedule_rare_choice(uint16_t ways);
void schedule_local(struct thread *thread); /* it can go on by itself */
void schedule_others(void);
/* The running thread does the same from here on for ever; `instruction` is the lowest one of it. */
_Noreturn void schedule_park_for_good(uint64_t instruction); /* the running thread does not go on */
void schedule_wait_for_join(thread_id target, site_id site);
void schedule_wait_at_barrier(struct object *barrier, site_id site);
void schedule_open_barrier(const struct object *barrier);
/* Until another thread calls schedule_local for it; `kind` is what it will do then. */
void schedule_hold(uint8_t kind, struct object *object, site_id site);
void schedule_wake_from_join(struct thread *thread); /* its target has not ended: it is cancelled */
_Noreturn void schedule_thread_ended(void);
_Noreturn void schedule_exit(struct process_exit end);
struct thread *thread_create(void *(*start)(void *), void *argument, size_t stack_bytes);
void thread_prepare_main(void);
_Noreturn void finish_run(enum outcome outcome, site_id site, uint64_t address);
/* The run would need more than heddle has room for: that is not the program's fault. */
_Noreturn void finish_at_limit(const char *what);
_Noreturn void finish_run_with_message(enum outcome outcome, site_id site, uint64_t address, const char *message);
void describe_pending(const struct thread *thread, struct pending *pending);
void draw_priorities(void);

/* ---- sleep ---- */
void sleep_begin_run(void);
/* Before a choice, when somebody is asleep: wakes whom the events since the last choice wake. */
void sleep_look_at_events(void);
/* The threads that the policy may choose from, when somebody is asleep; ends the run when there is none. */
const struct thread_set *sleep_awake(void);
/* Ends the run as the first that failed did; returns when nobody has. */
void finish_late_run(void);
/* May the thread, which stands before a receive, take the message with this number? */
bool sleep_may_take(const struct thread *thread, uint64_t message);

/* ---- cancel ---- */
void cancel_begin_thread(struct thread *thread);
/* It was cancelled, and would end at a cancellation point. */
static inline bool cancel_is_due(const struct thread *thread) {
  return thread->cancel_requested && !thread->cancel_disabled && !thread->ending;
}

/* ---- process, heap, keys: what a run must start afresh, and do at a thread's end ---- */
uint32_t heap_list_blocks(struct block *blocks, uint32_t room);
void keys_run_destructors(struct thread *thread);
void keys_begin_thread(struct thread *thread);
void keys_begin_run(void);
void attributes_initialise(void); /* once */
void attributes_begin_thread(struct thread *thread);
void observations_publish(void);
/* Main has returned to this frame: exit handlers, then the end of the process. */
_Noreturn void process_main_returned(int status, const char *frame);
static inline bool process_exit_fails(int status) {
  return (status & 0xff) && !(rt->channel->options & RUN_ANY_EXIT_STATUS);
}

/* ---- budget ---- */
void budget_begin_run(void);
/* Whether an allocation that needs so many bytes of its arena is granted; false: it fails with ENOMEM. */
bool budget_grants(uint64_t bytes, uint64_t arena_left, site_id site);
bool budget_grants_mapping(uint64_t bytes);
void budget_give_back(uint64_t bytes); /* what was granted is free again */

/* ---- snapshot ---- */
void snapshot_initialise(void);
void snapshot_take(void);
void snapshot_restore(void);
uint64_t snapshot_faults(void);          /* pages that became writable so far */
bool snapshot_is_ours(uint64_t mapping); /* in the regions of abi/layout.h */
uint64_t parse_hexadecimal(const char **text);
bool snapshot_handle_fault(uint64_t address);                  /* true: it was ours, go on */
void snapshot_make_writable(const void *address, size_t size); /* before the kernel writes there */
void files_remember(void);
void files_restore(void);

/* ---- signals ---- */
void signals_install(void);
void signals_start_ticking(void);

/* ---- executor ---- */
/* The program crashed: publishes the run from where it stands, and ends the process. */
_Noreturn void executor_end_with(enum outcome outcome, int status, uint64_t address, uint64_t instruction);
/* The runtime cannot go on: the run ends at a limit of heddle, and outside of runs the process does. */
_Noreturn void executor_die(const char *why);
/* The indices of the coverage bytes that are set; how many, and how much room they may need. */
uint32_t coverage_list(uint32_t *bytes);
uint64_t coverage_room_bytes(void);

#endif
