/* SPDX-License-Identifier: MIT
 *
 * The runtime: linked into the program under test. It runs the program's threads as fibers on one kernel thread, one
 * visible operation at a time, as a plan says, and writes down what happened.
 *
 * It uses nothing of the engine and nothing of libc that keeps state: its own state is struct runtime at
 * RUNTIME_ADDRESS, outside the memory that is put back between runs. The few variables that the
 * runtime has in the executable's data are put back with it.
 *
 *     the parts, bottom up
 *     system.h      system calls, strings, bits
 *     fiber.c/.S    switching stacks and TLS
 *     terms.c       what is computed from inputs; term_memory.c, decisions.c, intrinsics.c beside it (terms.h)
 *     trace.c       writing events into the channel
 *     input_values.c  what the program asks for, and the plan gives
 *     warnings.c    what a run notices that is not its end
 *     sharing.c     which memory is shared, learned
 *     races.c       data races by happens-before
 *     lockorder.c   locks that are held, and taken in two orders
 *     spin.c        threads that read the same values again and again
 *     rounds.c      threads that change something and undo it, again and again
 *     trial.c       threads that never reach a visible operation
 *     budget.c      how much memory a run may have, and allocations that fail
 *     objects.c     mutexes and the like, by address
 *     memory.c      heap blocks, and who may touch them
 *     frames.c      local variables of functions that have returned
 *     schedule.c    whose turn it is; choose.c (which thread continues), ends.c (how runs end), pending.c (who waited
 * for what) sleep.c       threads that a plan sets to sleep accesses.c    the slow half of the hooks model_*.c     the
 * replaced functions (abi/intercepts.def) snapshot.c    putting the program's memory back signals.c     crashes, hangs
 *     executor.c    plans in, runs, traces out
 *
 * This header has that state. What the state consists of is in thread.h, objects.h, granules.h and races.h; the
 * functions of x.c are in x.h.
 */
#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H

#include "abi/channel.h"
#include "children.h"
#include "filelocks.h"
#include "granules.h"
#include "objects.h"
#include "races.h"
#include "system.h"
#include "thread.h"
#include "timers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
/* Inlined wherever it is called, in other files too, since the runtime is one module (Makefile): for what every visible
 * operation passes through. */
#define INLINED __attribute__((always_inline))

/* ---- exported to instrumented code ---- */
#define EXPORTED_DATA __attribute__((visibility("default")))
/* Never inlined: the frame of such a function is where the program's state begins (SPIN_FRAME), so that the state of a
 * model that calls it, in a loop perhaps, is a part of that. */
#define EXPORTED __attribute__((visibility("default"), noinline))
extern EXPORTED_DATA unsigned char __heddle_in_run;
extern EXPORTED_DATA uint64_t __heddle_owner;
extern EXPORTED_DATA const struct site *__heddle_site;
extern EXPORTED_DATA const struct site *__heddle_return_site; /* of main's last return statement */
extern EXPORTED_DATA uint64_t __heddle_opaque_calls;
extern EXPORTED_DATA uint64_t __heddle_unseen_writes; /* calls that may have written any memory */
extern EXPORTED_DATA const struct site
    *__heddle_opaque_site; /* of the last call of a function nothing is known about */

/* True in an executor, from the first instruction of main on. Outside, every model calls the real function. */
extern bool controlled;

struct mapping {
  uint64_t address, size_bytes;
  bool counts;         /* as memory of the run (budget.c) */
  site_id shared_site; /* where it was made, if a child would share it; 0 otherwise */
};

struct exit_handler {
  void (*function)(void *);
  void *argument;
};

/* As the program set it; the real handlers are the runtime's. */
struct signal_handler {
  void (*function)(int, void *, void *); /* NULL: SIG_DFL; may be SIG_IGN */
  int flags;
  uint64_t mask; /* blocked meanwhile */
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

/* To find out whether a thread that continues alone spins (symbolic_reads.c), and what the trace had before. */
struct spin_attempt {
  site_id site; /* of the read it began with; 0: there is none */
  bool in_vain;
  uint32_t reads;
  uint32_t n_events, n_words, n_accesses, n_decisions, n_steps;
};

#define MAX_CYCLE_WRITES 256u
#define MAX_CYCLE_LOCKS 64u

struct lock_before {
  struct object *lock;
  thread_id owner;
  uint32_t count;
};

/* See cycles.c: since a moment that may come again. */
struct cycle {
  bool is_on;
  thread_id thread;      /* that came round its loop then */
  uint64_t mark;         /* of all threads */
  uint64_t moved, could; /* threads that moved since, and that could have */
  uint32_t n_visits, patience;
  uint32_t n_written, n_locks;
  struct watched written[MAX_CYCLE_WRITES]; /* with the values before */
  struct lock_before locks[MAX_CYCLE_LOCKS];
};

#define REHEARSED_BYTES (SPIN_STATE_BYTES + 16384u)

/* See awaits.c. */
struct rehearsal {
  struct thread *thread; /* who rehearses; NULL: nobody does */
  struct thread *asker;  /* who runs when it is over */
  uint64_t value;        /* that is read */
  /* How the thread was when it began. */
  void *stack_pointer;
  uint64_t bytes, progress, clock_nanoseconds;
  uint64_t traced; /* a sum of what no rehearsal may change */
  bool went_too_far;
  site_id at_site;
  const struct site *called_before, *site;
  char stack[REHEARSED_BYTES];
};

#define TOUCHED_THREADS 64u /* of those after them it is not known what their creation comes after */
#define TOUCH_SLOTS (2 * MAX_TOUCHES)

/* Of what the process knows of touches and births (touches.c). */
struct touch_index {
  uint32_t n_touches, n_births; /* that it has taken in */
  uint32_t slots[TOUCH_SLOTS];  /* 1 + place of a touch; 0 none */
  uint16_t births[TOUCHED_THREADS][TOUCHED_THREADS];
};

struct runtime {
  /* the run */
  /* What makes steps unusual. While all of it is zero, as in most steps of most runs, nobody asks what of it is not. */
  union {
    struct {
      uint32_t n_local;      /* threads that are LOCAL, and not the one that runs */
      uint32_t n_attentive;  /* how often threads are watched, or rest (rounds.c) */
      uint32_t n_twin_reads; /* that nobody has written to since (twins.c) */
      uint32_t n_asleep;     /* sleep.c */
      uint64_t n_awaits;     /* threads that stand before a read of a loop that waits (awaits.c) */
      bool is_in_section;    /* there is a section_owner */
      bool is_wide;          /* there have been more than 64 threads */
      bool looks_for_twins;
      bool trial;
      bool is_carrying;    /* bytes are shared that the steps of the plan know nothing of */
      bool is_conditional; /* not only steps and policy of the plan decide who moves, or more than events are noted */
      bool ends_soon;      /* the run ends when all others stand before an operation, without PLAN_LATE_END */
      bool kernel_threads; /* fiber.c */
    };
    uint64_t unusual[4];
  };
  struct thread *current;
  const struct plan *plan;
  const struct step *planned; /* the plan's step being taken; NULL: the policy's */
  uint32_t plan_position;     /* its next step */
  uint32_t n_carried;         /* choices made that are no steps of the plan, although there were some left */
  bool is_carried;            /* the choice being made is such a one */
  uint32_t run;               /* number of this run in this executor, from 1 */
  uint32_t n_steps;           /* choices made so far */
  uint32_t n_threads;         /* threads of this run, ended ones included */
  uint32_t highest_thread, n_words;
  uint32_t switches;
  uint32_t n_rounds; /* that were left out, after the steps of the plan (struct trace, plan_rounds) */
  thread_id last_thread;
  thread_id section_owner; /* NO_THREAD: no atomic section */
  uint16_t next_alternative;
  bool shared_grew, needs_fork, files_touched;
  bool trial_wanted, trial_found;
  bool has_fresh;               /* some bytes of stacks are marked as fresh (frames.c) */
  const struct thread *stepped; /* NULL: nobody is: repetition.c */
  bool has_parked;              /* a thread for good, while others could move: see trial_found_sharing() */
  bool has_proved;              /* so it was in some run */
  bool left_out;                /* TRACE_LEFT_OUT */
  bool held_back;               /* TRACE_HELD_BACK */
  bool slept;                   /* TRACE_SLEPT */
  bool has_marked;              /* TRACE_MARKED */
  bool has_twins;               /* twins.c */
  struct {
    enum outcome outcome; /* OUTCOME_NONE: nobody has failed */
    site_id site;
    uint64_t address;
    thread_id thread;
    bool hides; /* TRACE_HIDES */
    char message[MESSAGE_BYTES];
  } late; /* who failed first */
  struct spin_attempt attempt;
  struct rehearsal rehearsal;
  struct cycle cycle;
  bool marks_awaits;    /* some place is marked, in what was known when the run began */
  uint32_t n_lifetimes; /* how often memory came to its end, in this run */
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
  uint32_t n_events_slept_through;
  struct event sleepers[MAX_SLEEPERS]; /* what those who sleep would do */
  bool is_let_go;                      /* only threads that rest can move */
  uint64_t n_live;                     /* threads not ended */
  thread_id exiting;                   /* NO_THREAD: nobody does */
  struct process_exit exit;

  /* the trace being written */
  struct event *events;
  uint32_t n_events, n_words_written, max_recorded;
  uint32_t recorded_quickly; /* fewer events than this fit; 0 if that is to be asked, or a debugger may want to stop */
  uint32_t max_terms;        /* 0: none are made */
  const struct block_input *standard_input; /* NULL: its bytes have no terms */
  uint64_t standard_input_at;               /* how much of it was read */
  bool standard_input_ended;                /* somebody reached its end */
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
  struct knowledge *knowledge; /* of the process: struct process_knowledge */
  struct untold *untold;
  uint64_t generation;  /* of the channel */
  uint64_t seed;        /* of this run */
  uint32_t run_of_plan; /* which run of its plan, from 0 */
  void *root_stack_pointer;
  uint64_t root_tls;
  bool root_wanted; /* fiber.c */
  bool has_popcnt;  /* the processor counts bits */
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
  uint32_t newest_shared; /* the latest version in which a byte was found to be shared */
  uint64_t plan_steps, plan_discarded, plan_rounds;
  bool was_loud;                  /* the last run was: plans that depend on that are passed over (PLAN_CONDITIONAL) */
  uint64_t inherited_descriptors; /* bit d: descriptor d < 64 was open at the start of main */

  /* tables */
  uint32_t n_segments, n_granules, n_objects;
  uint32_t first_heap_object; /* 1 + index of one of this run's objects in heap blocks, 0 none */
  uint32_t n_exit_handlers, n_observations, n_keys, n_mappings;
  bool has_handlers; /* some of these were set */
  struct signal_handler handlers[MAX_SIGNALS];
  uint64_t signals_pending; /* of the process: whichever thread can take them */
  uint64_t signals_known;   /* shared memory, as far as runs are concerned, once one has sent a signal (signalling.c) */
  bool signals_sent;        /* in this run */
  struct signal_origin signal_origins[MAX_SIGNALS]; /* of the last one of each that was sent */
  struct timers timers;
  struct children children;
  struct file_locks file_locks;
  struct object file_locks_object;       /* what happens before a lock on a file */
  uint64_t openings_lock;                /* as signals_known: some run locked bytes of a file by F_OFD_SETLK */
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
  struct touch_index touch_index;
  struct races race;
  struct lock_order order;
  struct segment segments[MAX_SEGMENTS];
  struct granule granules[MAX_GRANULES];
  struct object objects[MAX_OBJECTS];
  struct thread threads[HEDDLE_MAX_THREADS];
  /* [t][u]: the last segment of u that is before t's now. Rows do not begin at the same place of a page. */
  uint16_t clocks[HEDDLE_MAX_THREADS][HEDDLE_MAX_THREADS + 32];
};

#define rt ((struct runtime *)RUNTIME_ADDRESS)

static inline struct thread *self(void) {
  return rt->current;
}

/* Nobody but those who stand before an operation can move; see struct runtime. */
static inline bool is_usual(void) {
  return !(rt->unusual[0] | rt->unusual[1] | rt->unusual[2] | rt->unusual[3]);
}

static inline void set_section_owner(thread_id owner) {
  rt->section_owner = owner;
  rt->is_in_section = owner != NO_THREAD;
}

#endif
