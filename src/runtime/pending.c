/* SPDX-License-Identifier: MIT
 *
 * What the threads that have not ended stood before at the end of a run, and what they waited for.
 */
#include "awaits.h"
#include "rounds.h"
#include "schedule.h"
#include "signalling.h"
#include "spin.h"
#include "trace.h"

static void describe_holder(const struct object *object, struct pending *pending) {
  if (!object || object->owner == NO_THREAD) return;
  pending->holder = object->owner;
  pending->holder_site = object->owner_site;
}

static void describe_reader(const struct object *lock, struct pending *pending) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    for (uint32_t k = 0; thread->state != ABSENT && k < thread->n_read_holds; k++) {
      if (thread->read_holds[k].lock != lock) continue;
      pending->holder = thread->id;
      pending->holder_site = thread->read_holds[k].site;
      return;
    }
  }
}

static void describe_wait(const struct thread *thread, struct pending *pending) {
  const struct object *object = thread->operation.object;
  switch (thread->operation.kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_ONCE_ENTER:
  case EVENT_MONITOR_ENTER:
  case EVENT_SPINLOCK_LOCK: describe_holder(object, pending); break;
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_WRITE:
    describe_holder(object, pending);
    if (object->owner == NO_THREAD) describe_reader(object, pending);
    break;
  case EVENT_CONDITION_WAKE:
    if (thread->signalled) describe_holder(thread->relock, pending);
    break;
  case EVENT_MONITOR_REENTER:
    if (thread->signalled) describe_holder(object, pending);
    break;
  default: break;
  }
}

/* What its event will say besides. */
static void describe_object(const struct thread *thread, struct pending *pending) {
  const struct object *object = thread->operation.object;
  const bool is_wake = pending->kind == EVENT_CONDITION_WAKE;
  if (is_wake || pending->kind == EVENT_CONDITION_WAIT) pending->mutex = thread->relock->address;
  if (is_wake && thread->could_give_up) pending->flags |= EVENT_GIVES_UP;
  if (!object) return;
  if (object->class == RWLOCK_OBJECT && object->type) pending->flags |= EVENT_PREFERS_WRITERS;
  if (object->class != MUTEX_OBJECT || is_wake || object->owner != thread->id) return;
  const bool tries = pending->kind == EVENT_MUTEX_TRYLOCK_DONE;
  const bool again = tries ? object->type == MUTEX_RECURSIVE : object->type != MUTEX_NORMAL;
  if (pending->kind == EVENT_MUTEX_UNLOCK ? object->count > 1 : again) pending->flags |= EVENT_NESTED;
}

/* The memory may be gone: then its value is not known, and nor is what the exchange would do. */
static void describe_exchange(const struct operation *operation, struct pending *pending) {
  if (operation->size > 8) return;
  pending->before = operation->expected;
  if (trace_peek(operation->address, operation->size, &pending->value)) pending->flags |= EVENT_VALUE_KNOWN;
}

/* What it stood before comes later. */
static void describe_arrival(const struct thread *thread, struct pending *pending) {
  pending->kind = EVENT_SIGNAL_ARRIVE;
  pending->object = thread->id;
  pending->site = thread->operation.site;
  pending->flags = signal_arrival_flags(thread);
}

void pending_describe(const struct thread *thread, struct pending *pending) {
  *pending = (struct pending){.thread = thread->id, .holder = NO_THREAD};
  if (thread->state == LOCAL) return;
  if (thread->state == AT_OPERATION && thread->is_signalled) {
    describe_arrival(thread, pending);
    return;
  }
  const struct operation *operation = &thread->operation;
  pending->kind = operation->kind;
  pending->object = operation->address;
  pending->site = operation->site;
  const bool takes_token = operation->kind == EVENT_SEMAPHORE_WAIT || operation->kind == EVENT_SEMAPHORE_TRYWAIT_DONE;
  pending->size = takes_token ? operation->object->count : operation->size;
  pending->flags = schedule_step_flags(thread) | (operation->can_give_up ? EVENT_GIVES_UP : 0);
  if (operation->kind == EVENT_ATOMIC_EXCHANGE_DONE) describe_exchange(operation, pending);
  if (thread->state == AT_OPERATION) describe_object(thread, pending);
  if (thread->state == JOINING) {
    pending->blocked = 1;
    pending->holder = thread->joining;
  } else if (thread->state == AT_BARRIER) {
    pending->blocked = 1;
    pending->missing = (uint16_t)(operation->object->needed - operation->object->count);
  } else if (thread->state == HELD) {
    pending->blocked = 1;
  } else if (thread->spin.parked) {
    pending->blocked = spin_can_continue(thread) ? 0 : 2;
  } else if (thread->state == AT_OPERATION && awaits_wait(thread)) {
    pending->blocked = 2;
  } else if (rounds_hold_back(thread) && schedule_can_move(thread)) {
    pending->blocked = 2;
  } else if (thread->state == AT_OPERATION && operation->can_block && !operation->can_give_up &&
             !schedule_can_move(thread)) {
    pending->blocked = 1;
    describe_wait(thread, pending);
  }
}
