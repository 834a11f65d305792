/* SPDX-License-Identifier: MIT
 *
 * Synchronisation objects, found by their address. The state lives here, not in the program's memory, where a wild
 * write could change it. An entry stays at its place from run to run; its state belongs to the run in `run`, and in a
 * later run the object starts as its memory says it was at the start of main.
 */
#include "runtime.h"

#include <pthread.h>
#include <semaphore.h>

#define ROBUST_FLAG 16       /* glibc's PTHREAD_MUTEX_ROBUST_NORMAL_NP, in __kind */
#define BARRIER_COUNT_WORD 2 /* of glibc's struct pthread_barrier */

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
  object->version++;
  if (object->class == MUTEX_OBJECT) {
    object->type = mutex_type_in_memory(memory);
    object->robustness = ((const pthread_mutex_t *)memory)->__data.__kind & ROBUST_FLAG ? ROBUST : NOT_ROBUST;
  }
  if (object->class == RWLOCK_OBJECT)
    object->type = ((const pthread_rwlock_t *)memory)->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  if (object->class == BARRIER_OBJECT) object->needed = ((const uint32_t *)memory)[BARRIER_COUNT_WORD];
  /* glibc keeps the value in the low half of the first 64 bits. */
  if (object->class == SEMAPHORE_OBJECT) object->count = *(const uint32_t *)memory;
}

static struct object *find(uint64_t address) {
  uint32_t place = place_of(address);
  while (rt->objects[place].class && rt->objects[place].address != address) place = (place + 1) % MAX_OBJECTS;
  return &rt->objects[place];
}

struct object *object_at(const void *address, enum object_class class) {
  struct object *object = find((uint64_t)address);
  if (object->class == class && object->run == rt->run) return object;
  if (!object->class) {
    if (++rt->n_objects > MAX_OBJECTS / 4 * 3) executor_die("more than 190000 synchronisation objects in one run");
    object->address = (uint64_t)address;
  }
  object->class = class;
  set_initial_state(object);
  return object;
}

struct object *object_reset(const void *address, enum object_class class) {
  struct object *object = object_at(address, class);
  set_initial_state(object);
  return object;
}

bool object_exists(const void *address, enum object_class class) {
  const struct object *object = find((uint64_t)address);
  return object->class == class && object->run == rt->run;
}

void objects_begin_run(void) {
  if (rt->n_objects < MAX_OBJECTS / 2) return;
  memset(rt->objects, 0, sizeof rt->objects);
  rt->n_objects = 0;
}
