/* SPDX-License-Identifier: MIT
 *
 * How the engine and an executor talk: one piece of shared memory (a memfd whose number is in the environment variable
 * HEDDLE_CHANNEL), mapped at CHANNEL_ADDRESS in the executor and anywhere in the engine.
 *
 *     struct channel             settings, the two rings' positions, what the executor is doing right now
 *     struct process_knowledge   what the process knows of earlier runs, and what of that no trace has said yet
 *     coverage                   which coverage bytes of the executable are set, and those that no trace has said yet
 *     plan ring                  engine -> executor, records of struct plan
 *     trace ring                 executor -> engine, records of struct trace
 *
 * A ring is a byte buffer with one writer and one reader. Positions only grow; position % ring size is the place. A
 * record never wraps: when it would, the writer fills the rest with a record whose size_bytes has RING_SKIP set.
 * Records are multiples of 8 bytes. The writer publishes with a release store of `written`, the reader frees with a
 * release store of `read`; each waits on the other's position with a futex on its low 32 bits, and sets the flag that
 * asks to be woken first (sequentially consistent, so that either the waiter sees the new position or the other sees
 * the flag).
 *
 * A program may write anywhere, so everything here can be checked (check.h).
 *
 * What runs learn. Plans and traces name threads by ids, and what is a step depends on which memory is known to be
 * shared. Both come from a struct knowledge. The engine owns it: a value with a version, to which every trace adds what
 * its run has found out (struct addition). A plan says which version it is meant for.
 *
 *   - A process loads the engine's knowledge when it starts. It keeps a copy, to which its own runs add at once.
 *   - So a run starts from the version that its process loaded and all that earlier runs of the same process have
 *     added, in their order; from nothing else. It does not wait for the engine. A thread that nobody has named gets
 *     the next id of the process's copy.
 *   - A trace lists what was added since the trace before it (not every run of a plan of several runs has a trace).
 *     With `version` and `seal` it says what the process knows then. The engine takes additions in the order in which
 *     it receives traces. They fit if its own knowledge, with them, has the trace's version and seal. So the ids are
 *     the engine's: a process that used an id which the engine has given to another name does not fit.
 *   - A trace that does not fit does not answer its plan: a process that loads the engine's knowledge anew performs the
 *     plan again. While one executor works for an exploration, this happens only if the program has written over the
 *     channel.
 *   - What a process has added and no trace has said is lost when the process ends. The exception is the run it dies
 *     in: the engine makes up its trace (lost_run.c), with what was added.
 *
 * Together with that knowledge, a plan or a trace is a value that can be stored or sent elsewhere.
 */
#ifndef HEDDLE_ABI_CHANNEL_H
#define HEDDLE_ABI_CHANNEL_H

#include "check.h"
#include "knowledge.h"
#include "layout.h"
#include "sites.h"
#include "symbolic.h"

#include <stdatomic.h>
#include <stdint.h>

#define HEDDLE_PROTOCOL_VERSION 15u
#define HEDDLE_CHANNEL_MAGIC 0x6c646468u
#define HEDDLE_CHANNEL_VARIABLE "HEDDLE_CHANNEL"
#define HEDDLE_TEST_CASE_VARIABLE "HEDDLE_TEST_CASE" /* the test of cmocka that is to be run */
#define RING_SKIP 0x80000000u

/* The written form of plans and traces: in the rings, in bug directories and in saved states. A record is a multiple of
 * 8 bytes long. It begins with its size, its form and its check; after a fixed part come lists, whose lengths the fixed
 * part says. Who reads a record that somebody else wrote checks it first: plan_is_sound() below, trace_read() of
 * src/trace/trace.h. `check` is record_check() with the generation of the channel, outside a ring with NO_GENERATION.
 */
#define RECORD_PLAN (0x70000000u | HEDDLE_PROTOCOL_VERSION)
#define RECORD_TRACE (0x74000000u | HEDDLE_PROTOCOL_VERSION)
#define NO_GENERATION 0u

/* Of the object of an event of a descriptor: not this descriptor, but what is connected with it. */
#define DESCRIPTOR_PEER (1ull << 20)

enum event_kind {
  EVENT_NONE,
#define EVENT(name, ...) EVENT_##name,
#include "events.def"
#undef EVENT
  EVENT_KINDS
};

enum outcome {
  OUTCOME_NONE,
#define OUTCOME(name, class, kind, words) OUTCOME_##name,
#include "outcomes.def"
#undef OUTCOME
  OUTCOMES
};

/* What to do when the prefix of a plan is used up. */
enum policy {
  POLICY_CONTINUE, /* stay with the running thread while it can move, then the lowest id; alternative 0 */
  POLICY_RANDOM,   /* uniform among the threads that can move, from the seed */
  POLICY_PRIORITY, /* PCT: random priorities, lowered at priority_changes random steps among the first expected_steps */
};

/* What the user asked for beyond the defaults (struct channel). */
enum run_option {
  RUN_MALLOC_MAY_FAIL = 1,   /* every allocation has the alternative to fail */
  RUN_SPURIOUS_WAKES = 2,    /* a waiting thread may wake without a signal */
  RUN_RACES_WARN = 4,        /* data races become warnings */
  RUN_RACES_END = 8,         /* a data race ends the run: OUTCOME_DATA_RACE */
  RUN_LEAKS = 16,            /* blocks still allocated at the end become warnings */
  RUN_SVCOMP = 64,           /* abort() ends a run without a finding */
  RUN_ANY_EXIT_STATUS = 128, /* a run may end with any exit status; otherwise one that is not 0 is OUTCOME_EXIT */
  RUN_REAL_FILES = 256,      /* what a run does to files stays done */
  RUN_SYMMETRY = 512,        /* of threads that are the same, the first goes first (src/runtime/twins.h) */
  RUN_SPINS = 1024,          /* loops that wait for a value go round, and are not operations that wait (awaits.h) */
  RUN_KERNEL_THREADS = 32, /* for a debugger: one run, each thread on a kernel thread of its own, still one at a time */
};

enum isolation { ISOLATION_AUTO, ISOLATION_RESET, ISOLATION_FORK };

/* One choice of the scheduler: this thread moves, and where its operation leaves something open (which waiter a signal
 * wakes), it takes this alternative. */
struct step {
  thread_id thread;
  uint16_t alternative;
};

enum plan_flags {
  PLAN_PUBLISH_ALL = 1,    /* a trace per run; otherwise only for runs that are not FINE, and one that ends the plan */
  PLAN_OUTPUT = 2,         /* let the program's output through (flushed at the end of the run) */
  PLAN_BLOCKS = 4,         /* list heap blocks in the trace */
  PLAN_LENIENT = 8,        /* steps of threads that cannot move are left out, instead of ending the run as diverged */
  PLAN_TRY_LAST = 32,      /* the last step is left out if its thread cannot move */
  PLAN_RANDOM_INPUTS = 16, /* inputs without a value in the plan are drawn from the seed; otherwise they are 0 */
  PLAN_SMALL_INPUTS = 32768, /* and those that are drawn are small */
  PLAN_SYMBOLIC_READS = 64,  /* a visible read is a symbol (abi/symbolic.h); the trace has accesses and coverage */
  PLAN_WAITS = 1024,         /* after the steps threads wait: plan_sleepers() */
  PLAN_LATE_END = 2048,      /* a thread that fails stops; the run ends so when the others have ended or cannot move */
  PLAN_MAY_STOP = 512,       /* when the thread of a step cannot move, the run is SLEEP_BLOCKED and not DIVERGED */
  PLAN_SOLO = 128,           /* after the steps only thread `solo` moves: see struct plan */
  PLAN_ACCESSES = 4096,      /* the trace has accesses, as with symbolic reads, but reads are not symbols */
  PLAN_TOUCHES = 8192, /* what is touched after the steps is compared with such runs of other threads (touches.c) */
  PLAN_OWN_DECISIONS = 256, /* a term is decided once by each thread, or more often, not once in the run */
  PLAN_TAKERS_LAST = 65536, /* after the steps, a thread that waits for a semaphore goes after all that do not */
  PLAN_CONDITIONAL = 16384, /* only if the last run of the plan before it was quiet; otherwise it has no trace */
};

struct plan {
  uint32_t size_bytes;       /* of this record with its steps, a multiple of 8 */
  uint32_t form;             /* RECORD_PLAN */
  uint64_t check;            /* record_check() */
  uint64_t ticket;           /* comes back in the trace */
  uint64_t version;          /* of the knowledge that it is meant for; the process has that one or a later one */
  uint64_t seed;             /* run k of this plan uses seed + k */
  uint32_t flags;            /* enum plan_flags */
  uint32_t runs;             /* at least 1; a plan of several runs ends early at one that is not FINE or DISCARDED */
  uint32_t policy;           /* enum policy */
  uint32_t priority_changes; /* PCT's d - 1 */
  uint32_t expected_steps;   /* PCT's k */
  uint32_t max_events;       /* visible operations, then OUTCOME_TOO_MANY_EVENTS */
  uint32_t record_from;      /* events before this step are left out of the trace */
  uint32_t n_steps;
  uint32_t n_inputs;
  uint32_t n_sleepers;
  uint32_t solo; /* PLAN_SOLO: a thread. The run is STOPPED when it does not exist, has ended or cannot move, and when
                  * it has read bytes that another thread wrote last (a visible write). That read is its last event;
                  * what an atomic update would have written there is not known. A thread that spins stops in front of
                  * its second round */
  uint32_t seen; /* 1 + the version of the knowledge that its steps are of; 0: of what the process knows. A step carries
                  * the accesses after it of bytes that were found to be shared after that version: whoever stands
                  * before one while there are steps left moves at once, without a step of the plan. If there are
                  * such bytes, record_from is 0 whatever it says */
  /* then struct step steps[]: plan_steps();
   * then, from the next multiple of 8, struct input_value inputs[], ascending by thread and index: plan_inputs();
   * then struct event sleepers[]: plan_sleepers() */
};

static inline const struct step *plan_steps(const struct plan *plan) {
  return (const struct step *)(plan + 1);
}

static inline uint64_t plan_steps_bytes(uint32_t n_steps) {
  return (n_steps * (uint64_t)sizeof(struct step) + 7) & ~7ull;
}

static inline const struct input_value *plan_inputs(const struct plan *plan) {
  return (const struct input_value *)((const char *)plan_steps(plan) + plan_steps_bytes(plan->n_steps));
}

struct event;

/* Threads that sleep where the last step of the plan is taken, each with the event it would do there; at most
 * MAX_SLEEPERS. From that step on, a thread sleeps until an event that depends on its own (src/model/dependence.h).
 * After the plan's steps, threads that sleep are not chosen, and when only they could move the run is SLEEP_BLOCKED.
 * The events from the last step on must be recorded. */
#define MAX_SLEEPERS HEDDLE_MAX_THREADS
/* With PLAN_WAITS they are not events but what threads wait for after the plan's steps, each until it has happened:
 *   kind NONE           a step of another thread at a place from `object` up to `value` (places of memory, addresses of
 *                       objects; with `value` UINT64_MAX everywhere); with the flag EVENT_IN_SECTION, one that is no
 *                       plain read. One of several places is enough.
 *   kind PORT_RECEIVE   a message that was sent after the plan's steps: it receives no other. */
static inline const struct event *plan_sleepers(const struct plan *plan) {
  return (const struct event *)(plan_inputs(plan) + plan->n_inputs);
}

enum event_flags {
  EVENT_VISIBLE = 1,     /* a step of the schedule */
  EVENT_IN_SECTION = 2,  /* inside an atomic section: performed without a choice, part of the step before it */
  EVENT_VALUE_KNOWN = 4, /* `value` is filled in */
  EVENT_WIDE = 8,        /* `enabled` is an index into the trace's words (threads above 63 exist) */
  EVENT_GIVES_UP = 16,   /* the operation could also have moved without what it waits for: timed, or spuriously */
  EVENT_PARKED = 64,  /* the thread waited for something other than its object says: values it spins on, the others */
  EVENT_OF_ALL = 128, /* whether it could move depends on more than its object: it depends on everything */
  /* These five are the same bit, of events of different classes. */
  EVENT_NESTED = 32,          /* mutex: the thread had it before and after */
  EVENT_NEEDS_NO_POST = 32,   /* semaphore: takes one of the tokens that the semaphore had at first */
  EVENT_SEEN = 32,            /* joining a thread: what it left behind, or its result, was looked at afterwards */
  EVENT_PREFERS_WRITERS = 32, /* rwlock: one whose waiting writers keep readers out, so that readers do not commute */
  EVENT_CARRIED = 32,         /* memory: the step before carries it, which is older (struct plan, seen) */
};

struct event {
  uint64_t object;  /* address, or thread id */
  uint64_t value;   /* read, or written, or the result; low 64 bits */
  uint64_t before;  /* up to 8 bytes of memory: what was there before a write; what a compare-exchange expected; of a
                     * read by a thread of which there are several the same: 1 + its class (src/runtime/twins.h) */
  uint64_t enabled; /* bit t: thread t could have moved here (this one included); only for steps */
  site_id site;
  uint32_t size; /* bytes touched, for memory; arriving at a barrier: how many threads open it; ports: events.def;
                    mutexes: 0, or MUTEX_ROBUST */
  thread_id thread;
  uint16_t alternative;  /* the one taken */
  uint16_t alternatives; /* how many there were, at least 1 */
  uint8_t kind;          /* enum event_kind */
  uint8_t flags;         /* enum event_flags */
};

#define MUTEX_ROBUST 1u

static inline int sleeper_is_sound(const struct event *sleeper) {
  return sleeper->thread < HEDDLE_MAX_THREADS && sleeper->kind < EVENT_KINDS;
}

/* Are these `size_bytes` bytes a plan that can be performed? Steps may name threads that do not exist: the run diverges
 * there. The bytes lie at a multiple of 8. */
static inline int plan_is_sound(const struct plan *plan, uint64_t size_bytes) {
  if (size_bytes < sizeof *plan || size_bytes % 8 != 0) return 0;
  if (plan->size_bytes != size_bytes || plan->form != RECORD_PLAN) return 0;
  if (plan->runs == 0 || plan->policy > POLICY_PRIORITY || plan->n_sleepers > MAX_SLEEPERS) return 0;
  const uint64_t needed = sizeof *plan + plan_steps_bytes(plan->n_steps) +
                          plan->n_inputs * (uint64_t)sizeof(struct input_value) +
                          plan->n_sleepers * (uint64_t)sizeof(struct event);
  if (needed != size_bytes) return 0;
  for (uint32_t i = 0; i < plan->n_sleepers; i++)
    if (!sleeper_is_sound(&plan_sleepers(plan)[i])) return 0;
  return 1;
}

/* Messages sent to ports (include/heddle.h). */
static inline uint64_t message_number(thread_id sender, uint32_t index) {
  return (uint64_t)sender << 32 | index;
}

static inline thread_id message_sender(uint64_t number) {
  return (thread_id)(number >> 32);
}

/* A bit for a set of ports. Ports beside each other have different bits; when far ones have the same, operations count
 * as dependent that are not. */
#define PORT_BYTES 128u
static inline uint32_t port_bit(uint64_t address) {
  /* Two sections may begin at the same place of a page. */
  const uint64_t place = address / PORT_BYTES, page = place / 32;
  return 1u << (place + 9 * page) % 32;
}

/* Stands for the label of a receive that is marked. */
static inline uint64_t label_hash(const char *label) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *label; label++) hash = (hash ^ (unsigned char)*label) * 0x100000001b3ull;
  return hash;
}

/* A thread that had not ended when the run did. */
struct pending {
  uint64_t object; /* of the operation it stands before; 0 when it stands before none; see pending_loops(). Of kind
                    * RUN_END: the thread failed and stopped (PLAN_LATE_END), with this outcome, at `site` */
  site_id site;
  thread_id thread;
  thread_id holder;    /* who has what it waits for, NO_THREAD when nobody in particular */
  site_id holder_site; /* where the holder got it */
  uint8_t kind;        /* enum event_kind */
  uint8_t blocked;     /* 1: it could not move; 2: it spun on values that did not change */
  uint16_t missing;    /* at a barrier: how many more threads must come */
  uint32_t size;       /* bytes of an access; tokens of a semaphore */
  uint32_t flags;      /* EVENT_GIVES_UP, EVENT_PARKED, EVENT_OF_ALL, EVENT_NESTED, EVENT_PREFERS_WRITERS */
  uint64_t mutex;      /* of a wait on a condition variable */
  uint64_t value;      /* of a compare-exchange of up to 8 bytes: what is there, */
  uint64_t before;     /* and what it expects */
};

/* It computes forever, and reaches the same state again and again; `object` is an instruction of what it does. */
static inline int pending_loops(const struct pending *pending) {
  return pending->kind == EVENT_NONE && pending->blocked == 2;
}

struct block {
  uint64_t address, size_bytes;
  uint32_t index; /* among the allocations of its thread, from 1 */
  site_id site;
  thread_id thread;
  uint16_t freed; /* 0: no; otherwise 1 + the thread that freed it */
  site_id freed_site;
};

enum trace_flags {
  TRACE_PLAN_DONE = 1,     /* the last trace of its plan */
  TRACE_SHARED_GREW = 2,   /* more was found to be shared during this run */
  TRACE_NEEDS_FORK = 4,    /* this run did something a reset cannot undo */
  TRACE_EXECUTOR_ENDS = 8, /* the executor ends after this trace: start another */
  TRACE_LEFT_OUT = 16,     /* a thread could have timed out once more, and was not allowed to (schedule.c) */
  TRACE_HIDES = 64,        /* another thread failed as well, which the outcome does not say; or it crashed before all
                            * others had reached an operation */
  TRACE_CUT = 128,         /* --hang-time cut it short, although it ends with a failure from before */
  TRACE_TABLE_FULL = 256,  /* a table of the process was full: what it says from then on is incomplete */
  TRACE_HELD_BACK = 512,   /* a thread was stopped before it created more than --max-threads */
  TRACE_CARRIES = 1024,    /* bytes were shared that the plan's steps know nothing of: the events begin with step 0 */
  TRACE_MARKED =
      2048,           /* a loop was found that threads are watched at from now on: runs before it mean something else */
  TRACE_SLEPT = 4096, /* a thread slept, or waited until a time that was over */
  TRACE_TERMS_FULL = 32, /* the run made more terms, decisions or inputs than fit: some values lost their terms */
};

#define TRACE_STACK 16

struct trace {
  uint32_t size_bytes;
  uint32_t form;  /* RECORD_TRACE */
  uint64_t check; /* record_check() */
  uint64_t ticket;
  uint64_t version;        /* of the process's knowledge with what this trace adds */
  uint64_t seal;           /* of the same */
  uint64_t seed;           /* of this run */
  uint32_t run;            /* which run of its plan, from 0 */
  uint32_t n_steps;        /* visible operations of this run = steps of its schedule */
  uint64_t plan_steps;     /* visible operations of all runs of the plan so far */
  uint64_t plan_discarded; /* runs of the plan so far that ended DISCARDED */
  uint64_t plan_rounds; /* in these runs, after the plan's steps: rounds of loops that a thread could have made, and was
                         * not allowed to because they change nothing */
  uint64_t address;     /* that the outcome speaks of: faulting address, lock */
  uint32_t outcome;     /* enum outcome */
  int32_t status;       /* exit status of the program, number of the signal, site of a race's earlier access */
  site_id site;         /* where the run ended */
  thread_id thread;     /* which thread ended it */
  uint16_t n_threads;
  uint32_t switches;    /* steps whose thread differs from the step before */
  uint32_t instruction; /* code address of a crash, 0 otherwise: more exact than `site`, which may be 0 then */
  uint32_t flags;       /* enum trace_flags */
  site_id last_site;    /* of a crash: where the thread last reached the runtime; it may have called libc there */
  uint32_t stack[TRACE_STACK]; /* COMPUTES: where the thread was, code addresses, innermost first; 0 after the last */
  /* Counts of what follows, in this order. */
  uint32_t n_events, n_words, n_pending, n_blocks, n_terms, n_decisions, n_inputs, n_input_values, n_accesses,
      n_covered, names_bytes, message_bytes;
  struct addition adds;
  /* struct event events[]; uint64_t words[]; struct pending pendings[]; struct block blocks[]; struct term_record
   * terms[]; struct decision decisions[]; struct input_record inputs[]; struct input_value input_values[]; struct
   * access accesses[]; what struct addition counts, in its order; uint32_t covered[]; char names[]; char message[];
   * char observed_text[]; events[0] is the first event of step
   * record_from. The message ends with a zero byte that message_bytes counts. `covered` are the indices of the coverage
   * bytes (abi/sites.h) that this run set, ascending; only with PLAN_SYMBOLIC_READS. */
};

static inline int outcome_is_quiet(uint32_t outcome) {
  return outcome == OUTCOME_FINISHED || outcome == OUTCOME_ASSUMPTION_FAILED || outcome == OUTCOME_SLEEP_BLOCKED ||
         outcome == OUTCOME_STOPPED;
}

/* There is nothing in it that ends a plan of several runs, or that keeps a PLAN_CONDITIONAL one from being run. */
static inline int trace_is_quiet(const struct trace *trace) {
  return outcome_is_quiet(trace->outcome) && !(trace->flags & (TRACE_SHARED_GREW | TRACE_NEEDS_FORK));
}

/* The check of a plan or a trace of `size_bytes` bytes: of its first word and of what follows `check`. */
static inline uint64_t record_check(const void *record, uint32_t size_bytes, uint64_t generation) {
  const check_word *words = (const check_word *)record;
  return check_words(words + 2, size_bytes / 8 - 2, check_add(generation, words[0]));
}

struct ring {
  _Alignas(64) _Atomic uint64_t written;
  _Atomic uint32_t reader_waits;
  _Alignas(64) _Atomic uint64_t read;
  _Atomic uint32_t writer_waits;
};

struct channel {
  uint32_t magic, version;
  uint64_t generation; /* how many processes have had this channel */
  uint64_t size_bytes;
  uint64_t knowledge_offset;
  uint64_t coverage_offset, coverage_bytes; /* how much is noted; room for coverage_room() */
  uint64_t plan_ring_offset, plan_ring_bytes;
  uint64_t trace_ring_offset, trace_ring_bytes;
  /* Settings, written by the engine before the executor starts. */
  uint32_t isolation;     /* enum isolation; AUTO resets and sets TRACE_NEEDS_FORK where that is not enough */
  uint32_t hang_signal;   /* the engine sends this signal to a run without progress */
  uint32_t largest_run;   /* no plan has more max_events than this */
  uint32_t options;       /* enum run_option, or-ed */
  uint32_t max_memory_mb; /* of heap and mappings in a run; 0: no bound */
  uint32_t max_inputs;    /* that a thread may ask for one by one; 0: no bound */
  uint32_t max_threads;   /* that one thread may have created and not joined; it stops before the next. 0: no bound */
  uint32_t max_terms;     /* of a run, and at most as many decisions and inputs */
  uint32_t symbolic_arguments, symbolic_argument_bytes; /* more arguments of main, each of that many bytes */
  uint32_t symbolic_stdin_bytes;                        /* what the program reads from standard input */
  /* What the executor is doing, for the engine's watch and for what is left of a run that vanished. */
  _Alignas(64) _Atomic uint64_t heartbeat; /* grows with every visible operation and every run */
  uint64_t ticket, seed;
  uint32_t run;
  _Atomic uint32_t running;  /* 1 while the program under test runs */
  _Atomic uint32_t stopping; /* set by the engine: end after the current run */
  uint32_t live_events;      /* events written so far at trace ring position live_at, before they are published */
  uint64_t live_at;
  struct ring plans, traces;
};

static inline void *channel_at(struct channel *channel, uint64_t offset) {
  return (char *)channel + offset;
}

static inline uint64_t round_up_8(uint64_t n) {
  return (n + 7) & ~7ull;
}

/* The coverage bytes, then the list of those that no trace has said yet. */
static inline uint64_t coverage_room(uint64_t coverage_bytes) {
  return round_up_8(coverage_bytes) + coverage_bytes * sizeof(uint32_t);
}

static inline uint32_t *coverage_untold(struct channel *channel) {
  return (uint32_t *)channel_at(channel, channel->coverage_offset + round_up_8(channel->coverage_bytes));
}

#endif
