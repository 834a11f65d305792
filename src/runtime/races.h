/* SPDX-License-Identifier: MIT
 *
 * State of races.c (data races by happens-before) and lockorder.c (locks that are taken in two orders), and what the
 * models call when their objects synchronise.
 */
#ifndef HEDDLE_RUNTIME_RACES_H
#define HEDDLE_RUNTIME_RACES_H

#include "abi/channel.h"

#include <stdbool.h>

#define CLOCK_WORDS (1u << 25)
#define MAX_RACE_ACCESSES (1u << 21)
#define MAX_RACE_GRANULES (1u << 20) /* one for each of the runtime's granules */
#define MAX_LOCK_SETS (1u << 20)
#define MAX_LOCK_EDGES (1u << 14)
#define MAX_HELD 16

struct object;
struct thread;

/* The vector clock of a thread. */
struct race_row {
  _Alignas(64) uint32_t length; /* entries from here on are zero */
  uint32_t entries[HEDDLE_MAX_THREADS];
};

/* An access that a later one may race with. */
struct race_access {
  uint32_t next;  /* of the same granule, an earlier one; 0 none */
  uint32_t clock; /* of its thread */
  site_id site;
  uint32_t lock_set;
  thread_id thread;
  uint8_t bytes; /* bit k: byte k of the granule */
  uint8_t kind;  /* enum event_kind */
};

struct race_granule {
  uint32_t run;        /* what follows is of this run */
  uint32_t first;      /* the latest access, 0 none */
  uint32_t n_accesses; /* how many are remembered */
  uint32_t clocks;     /* the clocks of atomic variables that start at its bytes, 0 none yet */
};

#define RACE_CLASSES 32u

/* What is known of a granule's accesses in all runs of this process (settled.c). */
struct race_place {
  uint32_t settled; /* the same as races.settling: it is settled */
  uint16_t quiet_runs, next_look;
  bool is_hopeless;               /* it will never be */
  uint64_t classes[RACE_CLASSES]; /* of accesses, 0 none */
};

struct lock_set {
  uint64_t locks[WARNING_LOCKS]; /* 0 none */
  site_id sites[WARNING_LOCKS];  /* where they were taken */
};

struct races {
  bool on;
  uint32_t run;
  uint32_t n_clock_words, n_accesses, n_lock_sets, free_access;
  uint32_t section_clock;
  uint32_t settling, settled_now; /* the latter is that of this run: the same, or NOTHING_SETTLED */
  uint32_t n_repetitions;
  bool again;                        /* the run must be made again */
  uint32_t clock_words[CLOCK_WORDS]; /* clocks of objects and atomic variables */
  struct race_access accesses[MAX_RACE_ACCESSES];
  struct race_granule granules[MAX_RACE_GRANULES];
  struct race_place places[MAX_RACE_GRANULES];
  struct lock_set lock_sets[MAX_LOCK_SETS];
  struct race_row rows[HEDDLE_MAX_THREADS];
};

struct held_lock {
  struct object *lock;
  uint64_t reading; /* 1: shared with other readers. No padding: sets of locks are compared byte by byte */
};

/* A thread took `to` while it held `from`. */
struct lock_edge {
  struct object *from, *to;
  struct held_lock held[MAX_HELD];
  site_id held_sites[MAX_HELD]; /* where they were taken */
  uint32_t next;                /* of the same `from` */
  uint32_t segment;
  site_id site;
  thread_id thread;
  uint8_t n_held;
  bool reading;      /* takes `to` for reading */
  bool held_reading; /* holds `from` for reading */
};

struct known_edge {
  uint32_t run, edge; /* of another run: an empty place */
};

struct lock_order {
  uint32_t n_edges, search_left;
  struct known_edge known[2 * MAX_LOCK_EDGES]; /* by a hash of what an edge is */
  struct lock_edge edges[MAX_LOCK_EDGES];
};

/* ---- races ---- */
void races_begin_run(void);
/* Do accesses of these kinds race, when nothing orders them? */
bool races_conflict(uint8_t kind, uint8_t other_kind);
/* A visible access by the running thread, at its turn; call where races are looked for (rt->race.on). */
void races_check(uint8_t kind, uint64_t address, uint32_t size, site_id site);
void races_glance(uint8_t kind, uint64_t address, uint32_t size,
                  site_id site); /* the same for one that is not performed */
/* What the running thread did before a release happens before what comes after an acquire of the same object. */
void races_acquire(const struct object *object);
void races_release(struct object *object);
/* Readers are not ordered among each other: they acquire, and release with this; who excludes them acquires with
 * this. */
void races_release_as_reader(struct object *object);
void races_acquire_after_readers(const struct object *object);
/* The running thread lets another one, which waits, continue. */
void races_hand_over(const struct thread *to);
void races_new_thread(const struct thread *parent, const struct thread *child); /* parent NULL: main */
void races_join(const struct thread *joiner, const struct thread *ended);
void races_enter_section(void);
void races_leave_section(void);

/* ---- lock order ---- */
void lockorder_begin_run(void);
/* The program ended by itself: warns of locks that are still held. */
void lockorder_end_run(void);
/* The running thread takes the lock, waiting for it as long as it must. */
void lockorder_waits_for(struct object *lock, site_id site, bool reading);
/* It holds the lock now, however it got it; and no longer. */
void lockorder_taken(struct object *lock, bool reading);
site_id lockorder_taken_at(const struct thread *thread, const struct object *lock); /* which it holds */
void lockorder_released(const struct object *lock);

#endif
