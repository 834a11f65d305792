/* SPDX-License-Identifier: MIT
 *
 * What runs learn, and all later ones start from: struct knowledge. channel.h says who owns it, and how what a run adds
 * comes to the others; here is what it consists of, and how a trace says what it adds.
 */
#ifndef HEDDLE_ABI_KNOWLEDGE_H
#define HEDDLE_ABI_KNOWLEDGE_H

#include "check.h"
#include "layout.h"
#include "sites.h"

#include <stdatomic.h>
#include <stdint.h>

typedef uint16_t thread_id; /* 0 is main: here 0 is a thread, not "none" */
#define NO_THREAD 0xffffu

enum warning_kind {
  WARNING_NONE,
#define WARNING(name, kind, words) WARNING_##name,
#include "warnings.def"
#undef WARNING
  WARNING_KINDS
};

static inline uint64_t text_hash(const char *text, uint32_t bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ull;
  return hash;
}

/* A thread is named by its parent and its index among the parent's children; its id is its place in knowledge.threads.
 */
struct thread_name {
  thread_id parent; /* NO_THREAD for main */
  uint16_t index;
};

/* Eight bytes of memory, of which those in `mask` (bit k = byte k) are shared: their accesses are visible operations.
 */
struct shared_granule {
  uint64_t address; /* multiple of 8 */
  uint64_t mask;
};

/* A distinct set of values a run recorded with heddle_observe, as text "label=value label=value". */
struct observed {
  uint64_t hash; /* text_hash() */
  uint64_t runs;
  uint32_t text_offset, text_bytes; /* into observations.text */
};

#define WARNING_LOCKS 4

/* Recorded once per kind and pair of places. */
struct warning {
  uint32_t kind; /* enum warning_kind */
  site_id site, other_site;
  thread_id thread, other_thread; /* NO_THREAD: none */
  uint32_t event, other_event;    /* enum event_kind of the accesses, 0 when there is none */
  uint32_t size;
  uint64_t address;                                          /* what it is about; 0 nothing in particular */
  uint64_t other_address;                                    /* LOCK_ORDER: the lock taken at the other place */
  uint64_t seed;                                             /* of the run that showed it first */
  uint64_t locks[WARNING_LOCKS], other_locks[WARNING_LOCKS]; /* held at the two places, 0 none */
  site_id lock_sites[WARNING_LOCKS], other_lock_sites[WARNING_LOCKS]; /* where they were taken */
  char message[128];                                                  /* more words, may be empty */
};

/* Granule `place` of the shared set, as it is now: new if the place is the next one, otherwise it has grown. */
struct granule_addition {
  uint64_t address;
  uint32_t place;
  uint8_t mask, cuts;
  uint16_t reserved; /* 0 */
};

/* So many more runs have observed what the next text_bytes bytes of the trace's observed text say. */
struct observed_addition {
  uint64_t runs;
  uint32_t text_bytes;
  uint32_t reserved; /* 0 */
};

/* Bytes of a granule that a thread has touched, in all runs that compare touches (src/runtime/touches.c). An entry says
 * what earlier ones of the same granule and thread said, and more. */
struct touch {
  uint64_t address; /* multiple of 8 */
  thread_id thread;
  uint16_t segment; /* of the thread's life, the last that touched it; from 1 */
  uint8_t read, written;
  uint16_t reserved; /* 0 */
};

/* In all such runs, `segment` of `other` and those before it end before `thread` is created; 0: none does. Of several
 * entries of the two threads the last one counts. */
struct birth {
  thread_id thread, other;
  uint16_t segment;
  uint16_t reserved; /* 0 */
};

/* What a trace adds to the engine's knowledge: counts of what the record lists. */
struct addition {
  uint64_t observed_sum; /* of sealed_observed() for all of them, kept up to date while they are observed */
  uint32_t n_shared;     /* struct granule_addition, those that have grown first */
  uint32_t n_warnings;   /* struct warning, after those that are known */
  uint32_t n_observed;   /* struct observed_addition */
  uint32_t n_touches;    /* struct touch, after those that are known */
  uint32_t n_births;     /* struct birth, after those that are known */
  uint32_t n_threads;    /* struct thread_name, after those that are known */
  uint32_t n_covered;    /* uint32_t: coverage bytes that no run of the process had set before, in any order */
  uint32_t observed_bytes;
  uint32_t most_threads; /* that a run of this process had */
  uint32_t reserved;     /* 0 */
};

/* Do later runs depend on what it adds? Then the version grows. */
static inline int addition_changes_runs(const struct addition *adds) {
  return (adds->n_threads | adds->n_shared | adds->n_touches | adds->n_births) != 0;
}

#define MAX_WARNINGS 1024u
#define MAX_SHARED 65536u
#define MAX_OBSERVED 16384u
#define MAX_OBSERVED_TEXT (2u << 20)
#define MAX_TOUCHES 131072u
#define MAX_BIRTHS 16384u

struct knowledge {
  uint64_t seal; /* the sum of what its entries contribute, see below; kept up to date by who writes to them */
  uint64_t
      version; /* grows by one with every trace that adds threads, touches or births, or adds or changes granules */
  _Atomic uint32_t n_threads, n_shared;
  uint32_t overflow;     /* a table was full: what follows is incomplete */
  uint32_t most_threads; /* that a run had */
  _Atomic uint32_t n_warnings;
  uint32_t n_touches, n_births;
  uint32_t newest_shared; /* the engine's: the latest version in `since` */
  struct thread_name threads[HEDDLE_MAX_THREADS];
  struct shared_granule shared[MAX_SHARED];
  uint8_t cuts[MAX_SHARED];      /* bit k: a visible access of shared[i] begins or ends before its byte k */
  uint32_t since[MAX_SHARED][8]; /* the version in which byte k of shared[i] was found to be shared; 0: long ago */
  struct warning warnings[MAX_WARNINGS];
  struct touch touches[MAX_TOUCHES];
  struct birth births[MAX_BIRTHS];
};

/* What runs observed, each with the number of runs that did. */
struct observations {
  uint32_t n_observed, text_bytes;
  struct observed observed[MAX_OBSERVED];
  char text[MAX_OBSERVED_TEXT];
};

/* What a process has added and no trace has said yet. Of a table that only grows: what lies from this place on. */
struct untold {
  uint64_t observed_sum;
  uint32_t threads, shared, warnings, touches, births;
  uint32_t n_changed; /* granules before `shared` that have grown; `changed` has their places */
  uint32_t n_covered; /* the list is coverage_untold() */
  uint32_t changed[MAX_SHARED];
  struct observations observations;
};

struct process_knowledge {
  struct knowledge known;
  struct untold untold;
};

/* What entries of the knowledge contribute to its seal; what was observed has a sum of its own. Not covered:
 * `overflow`, which is only ever set and makes the result incomplete; `since`, which a process reads when it starts;
 * coverage. */
enum sealed_table {
  SEALED_THREADS = 1,
  SEALED_SHARED,
  SEALED_OBSERVED,
  SEALED_WARNINGS,
  SEALED_MOST_THREADS,
  SEALED_TOUCHES,
  SEALED_BIRTHS
};

static inline uint64_t sealed_thread(uint32_t i, struct thread_name name) {
  return check_entry(SEALED_THREADS, i, name.parent, name.index);
}

static inline uint64_t sealed_shared(uint32_t i, struct shared_granule granule, uint8_t cuts) {
  return check_entry(SEALED_SHARED, i, granule.address, check_add(granule.mask, cuts));
}

static inline uint64_t sealed_observed(uint32_t i, uint64_t text_hash, uint32_t text_bytes, uint64_t runs) {
  return check_entry(SEALED_OBSERVED, i, text_hash, check_add(text_bytes, runs));
}

_Static_assert(sizeof(struct warning) % 8 == 0, "a warning is whole words");

static inline uint64_t sealed_warning(uint32_t i, const struct warning *warning) {
  return check_entry(SEALED_WARNINGS, i, check_words(warning, sizeof *warning / 8, 0), 0);
}

static inline uint64_t sealed_most_threads(uint32_t most_threads) {
  return most_threads ? check_entry(SEALED_MOST_THREADS, 0, most_threads, 0) : 0;
}

static inline uint64_t sealed_touch(uint32_t i, const struct touch *touch) {
  return check_entry(SEALED_TOUCHES, i, touch->address,
                     (uint64_t)touch->reserved << 48 | (uint64_t)touch->thread << 32 | (uint64_t)touch->segment << 16 |
                         (uint64_t)touch->read << 8 | touch->written);
}

static inline uint64_t sealed_birth(uint32_t i, struct birth birth) {
  return check_entry(SEALED_BIRTHS, i, (uint64_t)birth.thread << 16 | birth.other,
                     (uint64_t)birth.reserved << 16 | birth.segment);
}

/* The most that the lists of struct addition take in a trace, without those of coverage. */
#define ADDITION_BYTES                                                                                                 \
  (MAX_SHARED * sizeof(struct granule_addition) + MAX_WARNINGS * sizeof(struct warning) +                              \
   MAX_OBSERVED * sizeof(struct observed_addition) + MAX_TOUCHES * sizeof(struct touch) +                              \
   MAX_BIRTHS * sizeof(struct birth) + HEDDLE_MAX_THREADS * sizeof(struct thread_name) + MAX_OBSERVED_TEXT)

#endif
