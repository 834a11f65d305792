/* SPDX-License-Identifier: MIT
 *
 * Goes through whole traces of random runs with the state machines of src/model, and compares at every step which
 * threads could move: as the runtime says (event.enabled) and as the model says.
 *
 *     compare-model RUNS EXECUTABLE [SEED [ARGUMENT...]]   prints "runs N steps N answers N unknown N disagreements N"
 *
 * A thread stands before the operation of its next event, or before the one that the trace has as pending. The model
 * does not know what a trace does not say: what is in a pipe, whether a request to cancel a thread is due, which values
 * a thread spins on. These answers are counted as unknown. Besides, what an event says about its object must be what
 * the model has: whether an attempt failed, how many tokens there are, how many threads a signal found. The first
 * disagreements are printed; status 1 when there is one.
 */
#include "base/error.h"
#include "explore/loop/explore.h"
#include "model/object.h"
#include "model/waiters.h"
#include "trace/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRINTED 5
#define TIME_OUTS_IN_A_ROW 3 /* src/runtime/schedule.c */

struct object {
  uint64_t address;
  enum event_class class;
  bool is_robust;
  bool is_shared; /* more threads than one have used it */
  thread_id user; /* the first; NO_THREAD: nobody yet */
  struct object_state state;
};

struct thread {
  bool exists, has_ended, exits, is_cancelled;
  uint32_t time_outs; /* in a row */
  uint64_t asks;      /* the rwlock that it waits to write, after having asked */
  uint64_t relock;    /* the mutex that it takes again after waiting */
};

static struct {
  const struct trace_view *trace;
  uint32_t at; /* the event that comes next */
  VECTOR(struct object) objects;
  VECTOR(struct thread) threads;
  VECTOR(struct waiter_state) waiters; /* by thread */
  VECTOR(uint32_t) next;               /* by event: the next one of its thread, n_events: none */
  VECTOR(uint32_t) next_of;            /* by thread: its next event */
} world;

static struct { uint64_t runs, steps, answers, unknown, disagreements; } counts;

static const struct strategy *wrapped;

/* --- objects --- */

static bool is_of(const struct event *event, const struct object *object) {
  if (event_class_of(event) == object->class) return event->object == object->address;
  return object->class == CLASS_MUTEX && event_mutex(event) == object->address;
}

static bool renews(const struct event *event, const struct object *object) {
  if (event_class_of(event) == object->class && event_effect_of(event) == EFFECT_NAMES) return true;
  const bool has_address = object->class >= CLASS_MUTEX && object->class <= CLASS_BARRIER;
  return event_is_lifetime(event) && has_address && object->address - event->object < event->size;
}

/* What the next event of the object says of it, or the thread that waits for a token at the end. */
static void learn(struct object *object) {
  const struct trace_view *trace = world.trace;
  for (uint32_t i = world.at; i < trace->record->n_events && object->state.is_unknown; i++) {
    if (renews(&trace->events[i], object)) return;
    if (is_of(&trace->events[i], object)) object_learn(&object->state, &trace->events[i]);
  }
  for (uint32_t i = 0; i < trace->record->n_pending && object->state.is_unknown; i++) {
    const struct pending *pending = &trace->pendings[i];
    if (kind_effect(pending->kind) == EFFECT_TAKES_TOKEN && pending->object == object->address)
      object_set_count(&object->state, pending->size);
  }
}

static bool is_robust(const struct object *object) {
  for (uint32_t i = 0; i < world.trace->record->n_events; i++) {
    const struct event *event = &world.trace->events[i];
    if (event_class_of(event) == CLASS_MUTEX && event->object == object->address && event->size == MUTEX_ROBUST)
      return true;
  }
  return false;
}

static struct object *object_at(enum event_class class, uint64_t address) {
  for (size_t i = 0; i < world.objects.count; i++) {
    struct object *object = &world.objects.items[i];
    if (object->class == class && object->address == address) return object;
  }
  struct object object = {.address = address, .class = class, .user = NO_THREAD, .state = object_initial(class)};
  object.is_robust = class == CLASS_MUTEX && is_robust(&object);
  vector_push(&world.objects, object);
  return &world.objects.items[world.objects.count - 1];
}

/* --- threads --- */

static struct thread *thread_at(thread_id id) {
  while (world.threads.count <= id) {
    vector_push(&world.threads, (struct thread){0});
    vector_push(&world.waiters, (struct waiter_state){0});
    vector_push(&world.next_of, world.trace->record->n_events);
  }
  return &world.threads.items[id];
}

static void list_events(void) {
  const uint32_t count = world.trace->record->n_events;
  world.next.count = 0;
  for (uint32_t i = 0; i < count; i++) vector_push(&world.next, count);
  for (uint32_t i = count; i-- > 0;) {
    const thread_id thread = world.trace->events[i].thread;
    thread_at(thread);
    world.next.items[i] = world.next_of.items[thread];
    world.next_of.items[thread] = i;
  }
}

static const struct pending *pending_of(thread_id thread) {
  for (uint32_t i = 0; i < world.trace->record->n_pending; i++)
    if (world.trace->pendings[i].thread == thread) return &world.trace->pendings[i];
  return NULL;
}

/* What the thread stands before. False: it is not known. */
static bool operation_of(thread_id thread, struct event *operation) {
  const uint32_t next = world.next_of.items[thread];
  if (next < world.trace->record->n_events) {
    *operation = world.trace->events[next];
    return true;
  }
  const struct pending *pending = pending_of(thread);
  if (!pending || pending->kind == EVENT_NONE || kind_effect(pending->kind) == EFFECT_STOPS) return false;
  *operation = (struct event){.kind = pending->kind,
                              .object = pending->object,
                              .value = pending->mutex,
                              .size = pending->size,
                              .flags = (uint8_t)pending->flags,
                              .thread = thread};
  return true;
}

/* --- what the model says --- */

static struct asker asker_of(const struct object *object, const struct event *operation) {
  const thread_id owner = object->state.owner;
  return (struct asker){.thread = operation->thread,
                        .is_signalled = world.waiters.items[operation->thread].is_signalled,
                        .may_nest = event_class_of(operation) == CLASS_MUTEX && operation->flags & EVENT_NESTED,
                        .owner_ended = object->is_robust && owner != NO_THREAD && thread_at(owner)->has_ended};
}

/* The life of an object that only one thread uses begins and ends without events: it may be another one by now. */
static bool may_be_another(const struct object *object, thread_id thread) {
  return !object->is_shared && object->user == thread;
}

static enum readiness ask(struct object *object, const struct event *operation) {
  const struct asker asker = asker_of(object, operation);
  if (object->state.is_unknown) learn(object);
  const enum readiness readiness = object_enabled(&object->state, kind_attempted(operation->kind), &asker);
  return readiness == READY_NO && may_be_another(object, operation->thread) ? READY_UNKNOWN : readiness;
}

/* One of several open ports, told apart by their bits. */
static enum readiness ask_ports(const struct event *operation) {
  uint32_t seen = 0;
  bool any = false;
  for (size_t i = 0; i < world.objects.count; i++) {
    const struct object *port = &world.objects.items[i];
    if (port->class != CLASS_PORT || !(port_bit(port->address) & operation->size)) continue;
    if (seen & port_bit(port->address)) return READY_UNKNOWN;
    seen |= port_bit(port->address);
    any |= port->state.count > 0;
  }
  return any ? READY_YES : READY_NO;
}

static enum readiness ask_thread(const struct event *operation) {
  if (operation->object >= HEDDLE_MAX_THREADS) return READY_UNKNOWN;
  if (thread_at((thread_id)operation->object)->has_ended) return READY_YES;
  return kind_is_visible(operation->kind) && !(operation->flags & EVENT_GIVES_UP) ? READY_UNKNOWN : READY_NO;
}

static enum readiness ask_object(const struct event *operation) {
  struct thread *thread = thread_at(operation->thread);
  switch (event_class_of(operation)) {
  case CLASS_CONDITION: return ask(object_at(CLASS_MUTEX, thread->relock), operation);
  case CLASS_THREAD: return ask_thread(operation);
  case CLASS_PORT:
    if (event_looks_at_ports(operation)) return ask_ports(operation);
    struct object *port = object_at(CLASS_PORT, operation->object);
    port->state.limit = operation->size;
    return ask(port, operation);
  case CLASS_DESCRIPTOR: /* whether it waits is a property of the descriptor */
    return ask(object_at(CLASS_DESCRIPTOR, operation->object), operation) == READY_YES &&
                   kind_in_vain(kind_attempted(operation->kind))
               ? READY_YES
               : READY_UNKNOWN;
  default: return ask(object_at(event_class_of(operation), operation->object), operation);
  }
}

static bool can_give_up(const struct event *operation) {
  if (!(operation->flags & EVENT_GIVES_UP)) return false;
  return event_class_of(operation) != CLASS_CONDITION || !world.waiters.items[operation->thread].is_signalled;
}

/* A writer that is preferred comes to ask first, which it always can. If the lock is free then, it has it at once, and
 * the trace shows only that. */
static bool comes_to_ask(const struct thread *thread, const struct event *operation) {
  return event_class_of(operation) == CLASS_RWLOCK && operation->flags & EVENT_PREFERS_WRITERS &&
         event_writes(operation) && kind_waits(operation->kind) && thread->asks != operation->object;
}

static enum readiness can_move(thread_id id) {
  const struct thread *thread = thread_at(id);
  struct event operation;
  if (thread->has_ended || thread->exits) return READY_NO;
  if (!operation_of(id, &operation) || operation.flags & EVENT_PARKED) return READY_UNKNOWN;
  if (!kind_is_visible(operation.kind)) return kind_waits(operation.kind) ? READY_NO : READY_UNKNOWN;
  const uint8_t attempted = kind_attempted(operation.kind);
  if (thread->is_cancelled && (kind_is_cancellable(attempted) || kind_class(attempted) == CLASS_THREAD))
    return READY_UNKNOWN;
  const bool tries = kind_failed(operation.kind) && !(operation.flags & EVENT_GIVES_UP);
  if (!kind_waits(attempted) || tries || comes_to_ask(thread, &operation)) return READY_YES;
  const enum readiness readiness = ask_object(&operation);
  if (readiness == READY_YES || !can_give_up(&operation)) return readiness;
  return thread->time_outs < TIME_OUTS_IN_A_ROW ? READY_YES : READY_UNKNOWN;
}

/* --- comparing --- */

static void differs(const char *what, thread_id thread, uint64_t runtime, uint64_t model) {
  struct event operation;
  if (counts.disagreements++ >= MOST_PRINTED) return;
  printf("run %llu, event %u of %u: %s of thread %u is %llu, the model says %llu\n", (unsigned long long)counts.runs,
         world.at, world.trace->record->n_events, what, thread, (unsigned long long)runtime, (unsigned long long)model);
  if (operation_of(thread, &operation))
    printf("    it stands before: %s %#llx, flags %u\n", event_row(operation.kind)->words,
           (unsigned long long)operation.object, operation.flags);
}

static void compare_threads(const struct event *step) {
  counts.steps++;
  for (size_t i = 0; i < world.threads.count; i++) {
    if (!world.threads.items[i].exists) continue;
    const bool could = trace_was_enabled(world.trace, step, (thread_id)i);
    const enum readiness readiness = can_move((thread_id)i);
    counts.answers++;
    counts.unknown += readiness == READY_UNKNOWN;
    if (readiness != READY_UNKNOWN && could != (readiness == READY_YES))
      differs("readiness", (thread_id)i, could, readiness);
  }
}

/* Where the run ended because nobody could move. */
static void compare_deadlock(void) {
  for (size_t i = 0; i < world.threads.count; i++) {
    if (!world.threads.items[i].exists) continue;
    const enum readiness readiness = can_move((thread_id)i);
    counts.answers++;
    counts.unknown += readiness == READY_UNKNOWN;
    if (readiness == READY_YES) differs("readiness at the end", (thread_id)i, false, true);
  }
}

/* Did it fail exactly when the model says that it cannot be? */
static void compare_attempt(const struct event *event) {
  const uint8_t attempted = kind_attempted(event->kind);
  const enum event_class class = event_class_of(event);
  if (!event_has_address(event) || class == CLASS_PORT || class == CLASS_CONDITION) return;
  if (kind_need(attempted) == NEEDS_NOTHING || !kind_is_visible(event->kind)) return;
  const enum readiness readiness = ask(object_at(class, event->object), event);
  if (readiness != READY_UNKNOWN && kind_failed(event->kind) == (readiness == READY_YES))
    differs("success", event->thread, !kind_failed(event->kind), readiness);
}

static void compare_tokens(const struct event *event) {
  uint64_t tokens;
  if (!event_tokens_before(event, &tokens)) return;
  const struct object *object = object_at(event_class_of(event), event->object);
  if (!object->state.is_unknown && object->state.count != tokens && !may_be_another(object, event->thread))
    differs("count before the operation", event->thread, tokens, object->state.count);
}

static void compare_waiters(const struct event *event) {
  const bool is_wake = event_effect_of(event) == EFFECT_WAKES;
  if (!event_is_signal(event) && !is_wake) return;
  uint64_t waiting = is_wake ? waiters_count_asleep(world.waiters.items, (uint32_t)world.waiters.count, event) : 0;
  for (size_t i = 0; i < world.waiters.count && !is_wake; i++)
    waiting += world.waiters.items[i].condition == event->object;
  if (waiting != event->value) differs("number of threads that wait", event->thread, event->value, waiting);
}

/* --- applying --- */

static void renew_objects(const struct event *event) {
  for (size_t i = 0; i < world.objects.count; i++) {
    struct object *object = &world.objects.items[i];
    if (renews(event, object)) object->state = object_initial(object->class);
  }
}

/* Writers of a lock that prefers them ask first, unless they get it at once. */
static void follow_writer(struct thread *thread, const struct event *event) {
  struct object_state *lock = &object_at(CLASS_RWLOCK, event->object)->state;
  if (event_effect_of(event) == EFFECT_ASKS) {
    thread->asks = event->object;
    lock->asking++;
  } else if (thread->asks == event->object) {
    thread->asks = 0;
    lock->asking--;
  }
}

static void follow_time_outs(struct thread *thread, const struct event *event) {
  const bool timed_out = kind_failed(event->kind) || (event_effect_of(event) == EFFECT_LOOKS && event->value != 0);
  if (!(event->flags & EVENT_GIVES_UP) || event_effect_of(event) == EFFECT_WAITS) return;
  if (event_effect_of(event) == EFFECT_RELOCKS && thread->time_outs > 0) return; /* may be the end of one */
  thread->time_outs = timed_out ? thread->time_outs + 1 : 0;
}

static void apply_to(enum event_class class, uint64_t address, const struct event *event) {
  struct object *object = object_at(class, address);
  object->is_shared |= object->user != NO_THREAD && object->user != event->thread;
  if (object->user == NO_THREAD) object->user = event->thread;
  object_apply(&object->state, event);
}

static void apply(const struct event *event) {
  struct thread *thread = thread_at(event->thread);
  thread->exists = true;
  follow_time_outs(thread, event);
  renew_objects(event);
  switch (event_effect_of(event)) {
  case EFFECT_CREATES: thread_at((thread_id)event->object)->exists = true; break;
  case EFFECT_ENDS: thread->has_ended = true; break;
  case EFFECT_EXITS: thread->exits = true; break;
  case EFFECT_CANCELS: thread_at((thread_id)event->object)->is_cancelled = true; break;
  case EFFECT_WAITS: thread->relock = event->value; break;
  default: break;
  }
  waiters_apply(world.waiters.items, (uint32_t)world.waiters.count, event, world.at);
  if (event_class_of(event) == CLASS_RWLOCK) follow_writer(thread_at(event->thread), event);
  const enum event_class class = event_class_of(event);
  if (event_mutex(event)) apply_to(CLASS_MUTEX, event_mutex(event), event);
  if (event_has_address(event) && class != CLASS_MUTEX && class != CLASS_CONDITION)
    apply_to(class, event->object, event);
  if (class == CLASS_DESCRIPTOR) apply_to(class, event->object, event);
}

/* Where only the running thread is asked, the set says nothing about the others. */
static bool says_who_could_move(const struct event *event) {
  return event_is_step(event) && kind_dependence(event->kind) != DEPENDENCE_INDEPENDENT;
}

static void go_through(const struct trace_view *trace) {
  world.trace = trace;
  world.objects.count = world.threads.count = world.waiters.count = world.next_of.count = 0;
  counts.runs++;
  list_events();
  thread_at(0)->exists = true;
  for (world.at = 0; world.at < trace->record->n_events; world.at++) {
    const struct event *event = &trace->events[world.at];
    if (says_who_could_move(event)) compare_threads(event);
    compare_attempt(event);
    compare_tokens(event);
    compare_waiters(event);
    apply(event);
    world.next_of.items[event->thread] = world.next.items[world.at];
  }
  if (trace->record->outcome == OUTCOME_DEADLOCK) compare_deadlock();
}

/* --- the strategy around the strategy --- */

static bool next(void *self, struct target *target) {
  if (!wrapped->next(self, target)) return false;
  target->plan.record_from = 0;
  target->plan.runs = 1;
  return true;
}

static void absorb(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs) {
  go_through(trace);
  wrapped->absorb(self, cookie, trace, path, runs);
}

int main(int argc, char **argv) {
  static const volatile sig_atomic_t never;
  struct error error = {0};
  struct explore_result result;
  if (argc < 3) return fputs("usage: compare-model RUNS EXECUTABLE [SEED [ARGUMENT...]]\n", stderr), 2;
  wrapped = strategy_find("random");
  struct strategy comparing = *wrapped;
  comparing.next = next, comparing.absorb = absorb;
  const char *arguments[16] = {argv[2]};
  for (int i = 4; i < argc && i < 18; i++) arguments[i - 3] = argv[i];
  const struct explore_settings settings = {
      .executor = {.executable = argv[2],
                   .arguments = arguments,
                   .max_events = 3000,
                   .max_terms = 10000,
                   .hang_seconds = 1,
                   .output = -1},
      .strategy = &comparing,
      .seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
      .max_runs = strtoull(argv[1], NULL, 10),
      .max_seconds = 10,
      .solver_timeout_milliseconds = 5000,
      .max_address_targets = 256,
      .keep_going = true,
      .interrupted = &never,
  };
  if (!explore(&settings, NULL, 0, &result, &error)) return fprintf(stderr, "compare-model: %s\n", error.message), 2;
  printf("runs %llu steps %llu answers %llu unknown %llu disagreements %llu\n", (unsigned long long)counts.runs,
         (unsigned long long)counts.steps, (unsigned long long)counts.answers, (unsigned long long)counts.unknown,
         (unsigned long long)counts.disagreements);
  return counts.disagreements != 0;
}
