/* SPDX-License-Identifier: MIT
 *
 * Synchronisation objects, by address (objects.c): their state, and what becomes of it when the program makes, uses and
 * destroys them.
 */
#ifndef HEDDLE_RUNTIME_OBJECTS_H
#define HEDDLE_RUNTIME_OBJECTS_H

#include "abi/channel.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_OBJECTS (1u << 18)

enum object_class {
  NO_OBJECT,
  THREAD_OBJECT,
  PIPE_OBJECT,
  SOCKET_OBJECT,
  FILE_OBJECT,
  QUEUE_OBJECT,
  MUTEX_OBJECT,
  CONDITION_OBJECT,
  SEMAPHORE_OBJECT,
  ONCE_OBJECT,
  RWLOCK_OBJECT,
  SPINLOCK_OBJECT,
  BARRIER_OBJECT,
  FUTEX_OBJECT,
  PORT_OBJECT,
  COUNTER_OBJECT, /* a semaphore of heddle.h */
  MONITOR_OBJECT,
  MONITOR_CONDITION_OBJECT,
  OBJECT_CLASSES
};
enum lifetime { AS_IN_MEMORY, FOUND_IN_MEMORY, INITIALISED, DESTROYED };
enum mutex_type { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
enum robustness { NOT_ROBUST, ROBUST, ROBUST_INCONSISTENT /* its owner ended with it */, ROBUST_LOST };

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

bool mutex_is_available(const struct object *mutex); /* nobody holds it, or a robust one's holder has ended */
bool rwlock_can_read(const struct object *lock);
bool rwlock_can_write(const struct object *lock);

#endif
