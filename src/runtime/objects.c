/* SPDX-License-Identifier: MIT
 *
 * Synchronisation objects, found by their address. The state lives here, not in the program's memory, where a wild
 * write could change it. An entry stays at its place from run to run; its state belongs to the run in `run`, and in a
 * later run the object starts as its memory says it was at the start of main.
 *
 * A destroyed object leaves a mark in the program's memory: as long as that is there, using it is a finding. Memory
 * that was written since (a static initialiser on a stack that is used again) is another object.
 */
#include "constructs.h"
#include "ends.h"
#include "frames.h"
#include "include/heddle.h"
#include "memory.h"
#include "schedule.h"
#include "sharing.h"
#include "spin.h"
#include "trace.h"

#include <pthread.h>
#include <semaphore.h>

#define ROBUST_FLAG 16 /* glibc's PTHREAD_MUTEX_ROBUST_NORMAL_NP, in __kind */
#define DESTROYED_MARK 0xd5d5d5d5u
#define BARRIER_COUNT_WORD 2 /* of glibc's struct pthread_barrier */

static const struct {
  const char *name;
  uint32_t size_bytes; /* 0: the program does not see it as memory */
} classes[OBJECT_CLASSES] = {
    [MUTEX_OBJECT] = {"mutex", sizeof(pthread_mutex_t)},
    [CONDITION_OBJECT] = {"condition variable", sizeof(pthread_cond_t)},
    [SEMAPHORE_OBJECT] = {"semaphore", sizeof(sem_t)},
    [RWLOCK_OBJECT] = {"rwlock", sizeof(pthread_rwlock_t)},
    [SPINLOCK_OBJECT] = {"spinlock", sizeof(pthread_spinlock_t)},
    [BARRIER_OBJECT] = {"barrier", sizeof(pthread_barrier_t)},
    [PORT_OBJECT] = {"port", sizeof(heddle_port)},
    [COUNTER_OBJECT] = {"semaphore", sizeof(heddle_semaphore)},
    [MONITOR_OBJECT] = {"monitor", sizeof(heddle_monitor)},
    [MONITOR_CONDITION_OBJECT] = {"monitor's condition", sizeof(heddle_condition)},
};

static uint32_t place_of(uint64_t address) {
  return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15ull >> 46) % MAX_OBJECTS;
}

static uint8_t mutex_type_in_memory(const pthread_mutex_t *mutex) {
  switch (mutex->__data.__kind & 3) {
  case PTHREAD_MUTEX_RECURSIVE: return MUTEX_RECURSIVE;
  case PTHREAD_MUTEX_ERRORCHECK: return MUTEX_ERRORCHECK;
  default: return MUTEX_NORMAL;
  }
}

static void set_initial_state(struct object *object) {
  const void *memory = (const void *)object->address;
  object->run = rt->run;
  object->owner = NO_THREAD;
  object->count = 0;
  object->owner_site = 0;
  object->clock = object->readers_clock = object->edges = 0;
  object->type = object->robustness = 0;
  object->needed = 0;
  object->is_marked = false;
  object->life = AS_IN_MEMORY;
  object->version++;
  if (object->class == MUTEX_OBJECT) {
    object->type = mutex_type_in_memory(memory);
    object->robustness = ((const pthread_mutex_t *)memory)->__data.__kind & ROBUST_FLAG ? ROBUST : NOT_ROBUST;
  }
  if (object->class == RWLOCK_OBJECT)
    object->type = ((const pthread_rwlock_t *)memory)->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  if (object->class == BARRIER_OBJECT) object->needed = ((const uint32_t *)memory)[BARRIER_COUNT_WORD];
  construct_read(memory, object);
  /* glibc keeps the value in the low half of the first 64 bits. */
  if (object->class == SEMAPHORE_OBJECT) object->count = object->needed = *(const uint32_t *)memory;
}

static struct object *find(uint64_t address) {
  uint32_t place = place_of(address);
  while (rt->objects[place].class && rt->objects[place].address != address) place = (place + 1) % MAX_OBJECTS;
  return &rt->objects[place];
}

static uint32_t *mark_of(const struct object *object) {
  return (uint32_t *)object->address;
}

static bool is_gone(const struct object *object) {
  return object->life == DESTROYED && *mark_of(object) != DESTROYED_MARK;
}

/* What heddle.h has is initialised by assignment too: then the mark that its first use left there is gone. */
static uint64_t *use_mark_of(const struct object *object) {
  return (uint64_t *)(object->address + classes[object->class].size_bytes) - 1;
}

static bool is_construct(const struct object *object) {
  return object->class >= PORT_OBJECT && object->class < OBJECT_CLASSES;
}

static bool is_renewed(const struct object *object) {
  return object->is_marked && object->life != DESTROYED && *use_mark_of(object) == 0;
}

struct object *object_at(const void *address, enum object_class class) {
  struct object *object = find((uint64_t)address);
  if (object->class == class && object->run == rt->run && !is_gone(object) && !is_renewed(object)) return object;
  if (!object->class) {
    if (++rt->n_objects > MAX_OBJECTS / 4 * 3) finish_at_limit("more than 196608 synchronisation objects");
    object->address = (uint64_t)address;
  }
  if (object->run != rt->run && memory_is_heap((uint64_t)address)) {
    object->next = rt->first_heap_object;
    rt->first_heap_object = (uint32_t)(object - rt->objects) + 1;
  }
  object->class = class;
  set_initial_state(object);
  return object;
}

struct object *object_reset(const void *address, enum object_class class) {
  struct object *object = object_at(address, class);
  set_initial_state(object);
  object->life = INITIALISED;
  return object;
}

bool object_exists(const void *address, enum object_class class) {
  const struct object *object = find((uint64_t)address);
  return object->class == class && object->run == rt->run;
}

void objects_begin_run(void) {
  rt->first_heap_object = 0;
  if (rt->n_objects < MAX_OBJECTS / 2) return;
  memset(rt->objects, 0, sizeof rt->objects);
  rt->n_objects = 0;
}

/* ---- lifetimes ---- */

static char *append(char *at, const char *words) {
  const size_t length = string_length(words);
  memcpy(at, words, length + 1);
  return at + length;
}

static _Noreturn void misuse(const struct object *object, site_id site, const char *before, const char *behind) {
  char message[128];
  append(append(append(message, before), classes[object->class].name), behind);
  finish_run_with_message(OUTCOME_LOCK_MISUSE, site, object->address, message);
}

/* Of a condition variable, a semaphore, or what heddle.h has. */
static bool waits_on(const struct thread *thread, const struct object *object) {
  if (thread->state != ABSENT && thread->queue == object) return true;
  if (thread->state == HELD && thread->operation.object == object) return true;
  if (thread->state != AT_OPERATION || thread->operation.object != object) return false;
  if (thread->operation.kind == EVENT_CONDITION_WAKE) return !thread->signalled;
  if (object->class == PORT_OBJECT || object->class == COUNTER_OBJECT) return construct_is_waited_for(thread);
  return thread->operation.kind == EVENT_SEMAPHORE_WAIT && object->count == 0;
}

static bool somebody_waits_on(const struct object *object) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (waits_on(&rt->threads[i], object)) return true;
  return false;
}

/* What makes it wrong to destroy it, NULL nothing. */
static const char *use_of(const struct object *object) {
  switch (object->class) {
  case MUTEX_OBJECT:
  case SPINLOCK_OBJECT: return object->owner != NO_THREAD ? " that is locked" : NULL;
  case RWLOCK_OBJECT: return object->owner != NO_THREAD || object->count ? " that is locked" : NULL;
  case BARRIER_OBJECT: return object->count ? " while threads wait at it" : NULL;
  case MONITOR_OBJECT: return object->owner != NO_THREAD ? " that a thread is in" : NULL;
  case PORT_OBJECT:
  case COUNTER_OBJECT:
  case MONITOR_CONDITION_OBJECT:
  case SEMAPHORE_OBJECT:
  case CONDITION_OBJECT: return somebody_waits_on(object) ? " while threads wait on it" : NULL;
  default: return NULL;
  }
}

/* Stacks are used again by objects of later calls, and nobody has to destroy what goes with its stack frame. */
static bool is_on_stack(const struct object *object) {
  return object->address >= STACKS_ADDRESS && object->address < STACKS_END;
}

/* Initialising and destroying write the object's memory, and every use reads it: so sharing.c learns which of them
 * another thread could come before, and only those are operations of their own. */
static void take_turn(uint8_t kind, uint64_t address, uint32_t size_bytes, site_id site) {
  if (!sharing_touch(address, 1, true)) return;
  spin_end(self());
  schedule_operation((struct operation){.kind = kind, .address = address, .size = size_bytes, .site = site});
  trace_record(kind, address, size_bytes, site);
}

void object_before_initialise(const void *address, enum object_class class, site_id site) {
  take_turn(EVENT_INITIALISE, (uint64_t)address, classes[class].size_bytes, site);
  memory_check((uint64_t)address, classes[class].size_bytes, true, site);
  if (!object_exists(address, class)) return;
  const struct object *object = object_at(address, class);
  if (object->life == DESTROYED || is_on_stack(object)) return;
  if (use_of(object)) misuse(object, site, "initialisation of a ", use_of(object));
  if (object->life == INITIALISED) misuse(object, site, "initialisation of a ", " that is initialised already");
}

/* glibc's spinlocks are 1 when they are free. */
static bool looks_uninitialised(const struct object *object) {
  if (object->class == SPINLOCK_OBJECT && *(const uint32_t *)object->address == 0) return true;
  if (!construct_is_initialised((const void *)object->address, object->class)) return true;
  const uint32_t size_bytes = classes[object->class].size_bytes;
  return frames_is_fresh(object->address, size_bytes) || memory_is_undefined(object->address, size_bytes);
}

void object_check(struct object *object, site_id site) {
  const uint32_t size_bytes = classes[object->class].size_bytes;
  if (!size_bytes) return;
  memory_check(object->address, size_bytes, false, site);
  sharing_touch(object->address, 1, false);
  if (object->life == DESTROYED) misuse(object, site, "use of a ", " that was destroyed");
  if (is_construct(object) && !object->is_marked) {
    *use_mark_of(object) = 1;
    object->is_marked = true;
  }
  if (object->life != AS_IN_MEMORY) return;
  if (looks_uninitialised(object)) misuse(object, site, "use of a ", " that was never initialised");
  object->life = FOUND_IN_MEMORY;
}

void object_destroy(struct object *object, site_id site) {
  take_turn(EVENT_DESTROY, object->address, classes[object->class].size_bytes, site);
  object_check(object, site);
  if (use_of(object)) misuse(object, site, "destroy of a ", use_of(object));
  *mark_of(object) = DESTROYED_MARK;
  object->life = DESTROYED;
}

void objects_forget(uint64_t address, uint64_t size_bytes) {
  for (uint64_t at = (address + 3) & ~3ull; at < address + size_bytes; at += 4) {
    struct object *object = find(at);
    if (object->class) object->run = 0;
  }
}

void objects_before_free(uint64_t address, uint64_t size_bytes, site_id site) {
  for (uint32_t i = rt->first_heap_object; i; i = rt->objects[i - 1].next) {
    const struct object *object = &rt->objects[i - 1];
    if (object->address < address || object->address >= address + size_bytes || object->life == DESTROYED) continue;
    if (use_of(object)) misuse(object, site, "free of a heap block with a ", use_of(object));
  }
}
