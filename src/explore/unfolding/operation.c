/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/operation.h"

#include "abi/dependence.h"
#include "base/number_set.h"
#include "trace/tables.h"

#include <string.h>

/* ---- kinds ---- */

/* What the thread stood before, whatever came of it. */
static uint8_t attempted(uint8_t kind) {
  switch (kind) {
  case EVENT_ATOMIC_EXCHANGE_FAILED: return EVENT_ATOMIC_EXCHANGE_DONE;
  case EVENT_MUTEX_TRYLOCK_FAILED: return EVENT_MUTEX_TRYLOCK_DONE;
  case EVENT_MUTEX_TIMED_OUT: return EVENT_MUTEX_LOCK;
  case EVENT_CONDITION_TIMED_OUT:
  case EVENT_CONDITION_SPURIOUS: return EVENT_CONDITION_WAKE;
  case EVENT_SEMAPHORE_TRYWAIT_FAILED: return EVENT_SEMAPHORE_TRYWAIT_DONE;
  case EVENT_SEMAPHORE_TIMED_OUT: return EVENT_SEMAPHORE_WAIT;
  case EVENT_RWLOCK_TRYREAD_FAILED: return EVENT_RWLOCK_TRYREAD_DONE;
  case EVENT_RWLOCK_READ_TIMED_OUT: return EVENT_RWLOCK_READ;
  case EVENT_RWLOCK_TRYWRITE_FAILED: return EVENT_RWLOCK_TRYWRITE_DONE;
  case EVENT_RWLOCK_WRITE_TIMED_OUT: return EVENT_RWLOCK_WRITE;
  case EVENT_SPINLOCK_TRYLOCK_FAILED: return EVENT_SPINLOCK_TRYLOCK_DONE;
  case EVENT_QUEUE_FULL: return EVENT_QUEUE_SEND;
  case EVENT_QUEUE_EMPTY: return EVENT_QUEUE_RECEIVE;
  case EVENT_PORT_ELSE:
  case EVENT_PORT_DELAY: return EVENT_PORT_RECEIVE;
  case EVENT_ALLOCATION_FAILED: return EVENT_ALLOCATION;
  default: return kind;
  }
}

static enum object_kind object_kind_of(enum event_class class) {
  switch (class) {
  case CLASS_MEMORY: return OBJECT_MEMORY;
  case CLASS_MUTEX:
  case CLASS_SPINLOCK: return OBJECT_MUTEX;
  case CLASS_SEMAPHORE: return OBJECT_SEMAPHORE;
  case CLASS_RWLOCK: return OBJECT_RWLOCK;
  case CLASS_BARRIER: return OBJECT_BARRIER;
  case CLASS_CONDITION: return OBJECT_CONDITION;
  default: return OBJECT_OTHER;
  }
}

static bool is_global(const struct event *event) {
  return event_dependence_of(event) == DEPENDENCE_GLOBAL;
}

/* ---- objects ---- */

#define PORT_SPACE (1ull << 62) /* ports are told apart by their bits: a receive says no more about where it looks */

static object_id find_object(struct net *net, enum object_kind kind, uint64_t address, uint64_t size) {
  const uint64_t hash = hash_mix(hash_mix(0, kind), address);
  for (uint32_t i = id_table_first(&net->object_table, hash); net->object_table.slots[i].id;
       i = id_table_next(&net->object_table, i)) {
    const struct object *object = &net->objects.items[net->object_table.slots[i].id];
    if (object->kind == kind && object->address == address) return net->object_table.slots[i].id;
  }
  const object_id id = net_add_object(net, kind, address, size, kind == OBJECT_SEMAPHORE ? UNKNOWN_STATE : 0);
  id_table_add(&net->object_table, id, hash);
  return id;
}

/* Of objects whose states are not followed, whether an operation can happen is not known. */
static object_id find_sync(struct net *net, const struct layout *layout, enum event_class class, uint64_t address) {
  enum object_kind kind = object_kind_of(class);
  if (class == CLASS_PORT) address = PORT_SPACE | (uint64_t)__builtin_ctz(port_bit(address));
  if (class == CLASS_MUTEX && layout_is_robust(layout, address)) kind = OBJECT_OTHER;
  if (class == CLASS_CONDITION && layout->cancels) kind = OBJECT_OTHER;
  return find_object(net, kind, address, 1);
}

static void add_access(struct net *net, struct layout *layout, struct operation *operation, object_id object) {
  if (operation->n_accesses == UINT8_MAX) {
    layout->has_gaps = true;
    return;
  }
  vector_push(&net->operation_objects, object);
  operation->n_accesses++;
}

static void add_sync(struct net *net, struct layout *layout, struct operation *operation, enum event_class class,
                     uint64_t address, bool *is_wrong) {
  *is_wrong |= !layout_add_sync(layout, address, class);
  add_access(net, layout, operation, find_sync(net, layout, class, address));
}

static void add_cells(struct net *net, struct layout *layout, struct operation *operation, uint64_t start,
                      uint64_t end) {
  for (uint32_t i = layout_find(layout, start); i < layout->cells.count && layout->cells.items[i].start < end; i++) {
    const struct cell *cell = &layout->cells.items[i];
    add_access(net, layout, operation, find_object(net, OBJECT_MEMORY, cell->start, cell->end - cell->start));
  }
}

static bool has_object(const struct net *net, const struct operation *operation, object_id object) {
  for (uint8_t i = 0; i < operation->n_accesses; i++)
    if (net->operation_objects.items[operation->objects + i] == object) return true;
  return false;
}

/* Freeing, initialising and destroying touch all that is known to be there. */
static void add_life(struct net *net, struct layout *layout, struct operation *operation) {
  const uint64_t start = operation->address, end = operation->address + operation->size;
  layout_add_life(layout, start, end);
  for (size_t i = 0; i < layout->sync.count; i++) {
    const struct cell *sync = &layout->sync.items[i];
    if (sync->start - start >= operation->size) continue;
    const object_id object = find_sync(net, layout, (enum event_class)sync->end, sync->start);
    if (!has_object(net, operation, object)) add_access(net, layout, operation, object);
  }
  add_cells(net, layout, operation, start, end);
}

static void add_ports(struct net *net, struct layout *layout, struct operation *operation, uint32_t bits) {
  for (; bits; bits &= bits - 1)
    add_access(net, layout, operation, find_object(net, OBJECT_OTHER, PORT_SPACE | (uint64_t)__builtin_ctz(bits), 1));
}

/* The bit means something else for events of other classes. */
static bool is_nested(const struct event *event) {
  return event_class_of(event) == CLASS_MUTEX && event->flags & EVENT_NESTED;
}

static bool prefers_writers(const struct event *event) {
  return event_class_of(event) == CLASS_RWLOCK && event->flags & EVENT_PREFERS_WRITERS;
}

static bool is_own_kind(uint8_t kind) {
  return kind == EVENT_BARRIER_LEAVE || kind == EVENT_PORT_RETURN || kind == EVENT_MONITOR_RESUME ||
         kind == EVENT_MONITOR_SIGNAL_WAIT;
}

static void add_own_accesses(struct net *net, struct layout *layout, struct operation *operation,
                             const struct event *event, bool *is_wrong) {
  const enum event_class class = event_class_of(event);
  switch (event->kind) {
  case EVENT_FREE:
  case EVENT_FRAME_END:
  case EVENT_INITIALISE:
  case EVENT_DESTROY: add_life(net, layout, operation); return;
  case EVENT_THREAD_JOIN:
  case EVENT_THREAD_END: add_access(net, layout, operation, find_object(net, OBJECT_LIFE, event->object, 1)); return;
  case EVENT_CONDITION_WAIT:
  case EVENT_CONDITION_WAKE:
    add_sync(net, layout, operation, CLASS_CONDITION, event->object, is_wrong);
    add_sync(net, layout, operation, CLASS_MUTEX, event->value, is_wrong);
    return;
  case EVENT_PORT_RECEIVE:
  case EVENT_PORT_ELSE:
  case EVENT_PORT_DELAY: add_ports(net, layout, operation, event->size); return;
  default: break;
  }
  if (is_own_kind(event->kind)) {
    add_sync(net, layout, operation, class, event->object, is_wrong);
    return;
  }
  if (event_dependence_of(event) == DEPENDENCE_INDEPENDENT || is_nested(event)) return;
  if (class == CLASS_NOTHING || class == CLASS_THREAD || (class == CLASS_DESCRIPTOR && is_global(event))) return;
  if (class != CLASS_MEMORY) {
    add_sync(net, layout, operation, prefers_writers(event) ? CLASS_ONCE : class, event->object, is_wrong);
    return;
  }
  *is_wrong |= !layout_add_bytes(layout, event->object, event->object + event->size);
  add_cells(net, layout, operation, event->object, event->object + event->size);
}

/* ---- operations ---- */

static bool is_same(const struct operation *a, const struct operation *b) {
  return a->kind == b->kind && a->address == b->address && a->size == b->size && a->value == b->value &&
         a->site == b->site && a->flags == b->flags && a->is_step == b->is_step;
}

static uint64_t hash_of(const struct operation *operation) {
  uint64_t hash = hash_mix(operation->kind, operation->address);
  hash = hash_mix(hash, operation->size);
  hash = hash_mix(hash, operation->value);
  return hash_mix(hash, (uint64_t)operation->site << 16 | (uint64_t)operation->flags << 8 | operation->is_step);
}

static operation_id find(const struct net *net, const struct operation *operation, uint64_t hash) {
  const struct id_table *table = &net->operation_table;
  for (uint32_t i = id_table_first(table, hash); table->slots[i].id; i = id_table_next(table, i))
    if (is_same(&net->operations.items[table->slots[i].id], operation)) return table->slots[i].id;
  return 0;
}

/* Those of a robust mutex depend on who has ended. */
static bool is_of_robust(const struct layout *layout, const struct event *event) {
  const uint64_t mutex = event_mutex(event);
  return mutex && layout_is_robust(layout, mutex);
}

static uint8_t flags_of(const struct layout *layout, const struct event *event) {
  uint8_t flags = event->flags & (EVENT_GIVES_UP | EVENT_NESTED | EVENT_OF_ALL | EVENT_PARKED);
  if (!is_nested(event) && !prefers_writers(event)) flags &= (uint8_t)~EVENT_NESTED;
  return is_of_robust(layout, event) ? flags | EVENT_OF_ALL : flags;
}

static operation_id intern(struct net *net, struct layout *layout, const struct event *event, bool is_step,
                           bool *is_wrong) {
  struct operation operation = {.address = event->object,
                                .size = event->size,
                                .value = event_mutex(event) ? event->value : 0,
                                .site = event->site,
                                .kind = event->kind,
                                .flags = flags_of(layout, event),
                                .is_step = is_step};
  const uint64_t hash = hash_of(&operation);
  const operation_id known = find(net, &operation, hash);
  if (known) return known;
  const bool is_of_all = is_global(event) || operation.flags & EVENT_OF_ALL;
  operation.objects = (uint32_t)net->operation_objects.count;
  add_own_accesses(net, layout, &operation, event, is_wrong);
  if (is_step && is_of_all && !layout->uses_world) layout->uses_world = *is_wrong = true;
  if (is_step && layout->uses_world) add_access(net, layout, &operation, find_object(net, OBJECT_WORLD, 0, 1));
  vector_push(&net->operations, operation);
  id_table_add(&net->operation_table, (operation_id)net->operations.count - 1, hash);
  return (operation_id)net->operations.count - 1;
}

/* Recorded for what it says about other threads only, or about what happened inside a step. */
static bool is_no_operation(const struct event *event) {
  if (event->flags & EVENT_IN_SECTION) return true;
  if (event->flags & EVENT_VISIBLE || is_own_kind(event->kind)) return false;
  return event->kind != EVENT_THREAD_CREATE && event->kind != EVENT_THREAD_JOIN && event->kind != EVENT_THREAD_END &&
         event->kind != EVENT_PROCESS_EXIT;
}

/* Does the net say less about it than has happened? */
static bool leaves_gap(const struct net *net, const struct layout *layout, const struct event *event,
                       operation_id before) {
  const enum event_class class = event_class_of(event);
  if (event->flags & EVENT_IN_SECTION) return class != CLASS_MEMORY && class != CLASS_NOTHING;
  if (event->kind == EVENT_THREAD_CANCELLED) return net->operations.items[before].kind != EVENT_CANCELLATION_POINT;
  if (class != CLASS_CONDITION) return false;
  return event->thread >= WAITER_WORDS * 64 ||
         (layout->cancels && event->kind == EVENT_CONDITION_WAKE && event->flags & EVENT_GIVES_UP);
}

/* What runs show about objects, once and for all. */
static void learn(struct layout *layout, const struct event *event, bool *is_wrong) {
  if (event_class_of(event) == CLASS_MUTEX && event->size == MUTEX_ROBUST)
    *is_wrong |= !layout_add_robust(layout, event->object);
  if (event->kind == EVENT_THREAD_CANCEL && !layout->cancels) layout->cancels = *is_wrong = true;
}

/* A selective wait looks at several ports, and names the one it took from only afterwards. */
static void forget_what_came_of_it(struct event *attempt) {
  switch (event_class_of(attempt)) {
  case CLASS_PORT:
    if (event_looks_at_ports(attempt)) attempt->object = 0;
    attempt->flags &= (uint8_t)~EVENT_GIVES_UP;
    break;
  case CLASS_MONITOR: attempt->size = 0; break;
  default: break;
  }
}

operation_id operation_of_event(struct net *net, struct layout *layout, const struct event *event, operation_id before,
                                bool *is_wrong) {
  struct event attempt = *event;
  learn(layout, event, is_wrong);
  layout->has_gaps |= leaves_gap(net, layout, event, before);
  if (is_no_operation(event)) return 0;
  attempt.kind = attempted(event->kind);
  forget_what_came_of_it(&attempt);
  if (attempt.kind == EVENT_CONDITION_WAKE) attempt.value = net->operations.items[before].value;
  if (attempt.kind == EVENT_THREAD_END) attempt.object = event->thread;
  if (attempt.kind == EVENT_MUTEX_LOCK || attempt.kind == EVENT_MUTEX_UNLOCK) attempt.value = 0;
  return intern(net, layout, &attempt, event->flags & EVENT_VISIBLE, is_wrong);
}

operation_id operation_of_pending(struct net *net, struct layout *layout, const struct pending *pending,
                                  operation_id before, bool *is_wrong) {
  struct event event = {.kind = pending->kind,
                        .object = pending->object,
                        .value = pending->mutex,
                        .site = pending->site,
                        .size = pending->size,
                        .thread = pending->thread,
                        .flags = (uint8_t)pending->flags};
  if (pending->kind == EVENT_NONE || pending->kind == EVENT_PROCESS_EXIT) return 0; /* exiting is an event already */
  if (event_row(event.kind)->visible) event.flags |= EVENT_VISIBLE;
  return operation_of_event(net, layout, &event, before, is_wrong);
}

operation_id operation_of_decision(struct net *net, const struct decision *decision, uint32_t term) {
  bool is_wrong = false;
  struct layout none = {0};
  const struct event event = {.kind = EVENT_NONE, .object = term, .size = 1u + decision->kind, .site = decision->site};
  const operation_id operation = intern(net, &none, &event, false, &is_wrong);
  net->operations.items[operation].decides = true;
  return operation;
}

operation_id operation_of_start(struct net *net, thread_id thread) {
  bool is_wrong = false;
  struct layout none = {0};
  return intern(net, &none, &(struct event){.kind = EVENT_NONE, .object = thread}, false, &is_wrong);
}

/* ---- what they do ---- */

#define LOOKS ((struct possibility){.mode = ACCESS_LOOK})
#define CHANGES ((struct possibility){.mode = ACCESS_CHANGE})
#define CANNOT ((struct possibility){.mode = ACCESS_NONE})

/* One whose time may be over. */
static struct possibility waits(const struct operation *operation, enum access_mode giving_up) {
  if (!(operation->flags & EVENT_GIVES_UP)) return CANNOT;
  return (struct possibility){.mode = giving_up, .is_unsure = true, .gives_up = true};
}

static struct possibility of_mutex(const struct operation *operation, thread_id thread, uint32_t state) {
  switch (operation->kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_SPINLOCK_LOCK: return state == 0 ? CHANGES : waits(operation, ACCESS_LOOK);
  case EVENT_CONDITION_WAKE: return state == 0 ? CHANGES : CANNOT;
  case EVENT_MUTEX_TRYLOCK_DONE:
  case EVENT_SPINLOCK_TRYLOCK_DONE: return state == 0 ? CHANGES : LOOKS;
  default: return CHANGES;
  }
}

static struct possibility of_semaphore(const struct operation *operation, uint32_t state) {
  switch (operation->kind) {
  case EVENT_SEMAPHORE_WAIT:
    if (state == UNKNOWN_STATE) return (struct possibility){.mode = ACCESS_CHANGE, .is_unsure = true};
    return state > 0 ? CHANGES : waits(operation, ACCESS_LOOK);
  case EVENT_SEMAPHORE_TRYWAIT_DONE: return state == 0 ? LOOKS : CHANGES;
  case EVENT_SEMAPHORE_GETVALUE: return LOOKS;
  default: return CHANGES;
  }
}

/* A writer that locks once more gets an error. */
static struct possibility of_rwlock(const struct operation *operation, thread_id thread, uint32_t state) {
  const bool is_read = operation->kind == EVENT_RWLOCK_READ, is_write = operation->kind == EVENT_RWLOCK_WRITE;
  if (state == WRITER_STATE + thread && (is_read || is_write)) return LOOKS;
  switch (operation->kind) {
  case EVENT_RWLOCK_READ: return state < WRITER_STATE ? CHANGES : waits(operation, ACCESS_LOOK);
  case EVENT_RWLOCK_WRITE: return state == 0 ? CHANGES : waits(operation, ACCESS_LOOK);
  case EVENT_RWLOCK_TRYREAD_DONE: return state < WRITER_STATE ? CHANGES : LOOKS;
  case EVENT_RWLOCK_TRYWRITE_DONE: return state == 0 ? CHANGES : LOOKS;
  default: return CHANGES;
  }
}

static bool has_thread(const uint64_t *set, thread_id thread) {
  return set[thread / 64 % WAITER_WORDS] >> thread % 64 & 1;
}

static struct possibility of_condition(const struct net *net, const struct operation *operation, thread_id thread,
                                       uint32_t state) {
  if (operation->kind != EVENT_CONDITION_WAKE) return CHANGES;
  if (has_thread(net->waiters.items[state].woken, thread)) return (struct possibility){.mode = ACCESS_PAST};
  return waits(operation, ACCESS_CHANGE);
}

static struct possibility of_memory(const struct operation *operation) {
  const struct event event = {.kind = operation->kind};
  return event_writes(&event) ? CHANGES : LOOKS;
}

/* Where a thread that has been cancelled may end instead. */
static bool is_cancellable(uint8_t kind) {
  switch (kind) {
  case EVENT_CONDITION_WAIT:
  case EVENT_CONDITION_WAKE:
  case EVENT_SEMAPHORE_WAIT:
  case EVENT_PIPE_READ:
  case EVENT_PIPE_WRITE:
  case EVENT_PIPE_POLL:
  case EVENT_QUEUE_SEND:
  case EVENT_QUEUE_RECEIVE: return true;
  default: return false;
  }
}

static struct possibility tried(struct possibility possibility) {
  if (possibility.mode == ACCESS_NONE) possibility.mode = ACCESS_LOOK;
  possibility.is_unsure = true;
  return possibility;
}

struct possibility operation_possibility(const struct net *net, operation_id id, uint8_t i, thread_id thread,
                                         uint32_t state) {
  const struct operation *operation = &net->operations.items[id];
  struct possibility possibility = CANNOT;
  if (operation->kind == EVENT_PORT_RETURN || operation->kind == EVENT_MONITOR_RESUME)
    return (struct possibility){.mode = ACCESS_PAST};
  switch (net->objects.items[operation_object(net, id, i)].kind) {
  case OBJECT_MEMORY: possibility = of_memory(operation); break;
  case OBJECT_MUTEX: possibility = of_mutex(operation, thread, state); break;
  case OBJECT_SEMAPHORE: possibility = of_semaphore(operation, state); break;
  case OBJECT_RWLOCK: possibility = of_rwlock(operation, thread, state); break;
  case OBJECT_CONDITION: possibility = of_condition(net, operation, thread, state); break;
  case OBJECT_BARRIER:
    if (operation->kind != EVENT_BARRIER_LEAVE) return CHANGES;
    return state == 0 ? (struct possibility){.mode = ACCESS_PAST} : CANNOT;
  case OBJECT_LIFE:
    if (operation->kind != EVENT_THREAD_JOIN) return CHANGES;
    return state == 1 ? (struct possibility){.mode = ACCESS_PAST} : CANNOT;
  case OBJECT_WORLD: {
    const struct event event = {.kind = operation->kind, .flags = operation->flags};
    possibility = is_global(&event) ? CHANGES : LOOKS;
    possibility.is_unsure = possibility.mode == ACCESS_CHANGE && event.kind != EVENT_SECTION_ENTER;
    break;
  }
  case OBJECT_OTHER: possibility = (struct possibility){.mode = ACCESS_CHANGE, .is_unsure = true}; break;
  }
  possibility.is_unsure |= (operation->flags & EVENT_PARKED) != 0;
  return net->cancels && is_cancellable(operation->kind) ? tried(possibility) : possibility;
}

condition_id operation_past(const struct net *net, operation_id operation, uint8_t i, thread_id thread,
                            condition_id condition) {
  condition_id found = condition;
  const uint8_t kind = net->operations.items[operation].kind;
  if (kind == EVENT_PORT_RETURN || kind == EVENT_MONITOR_RESUME) return condition; /* what happened just now */
  for (; condition; condition = net->conditions.items[condition].parent) {
    const uint32_t state = net->conditions.items[condition].state;
    if (operation_possibility(net, operation, i, thread, state).mode != ACCESS_PAST) break;
    found = condition;
  }
  return found;
}

/* Failing changed nothing: in the contextual unfolding that is a look. In the ordinary one it counts as a change, since
 * which looks come before it must be known when the event is thought of. */
struct possibility operation_done(const struct net *net, operation_id id, uint8_t i, const struct event *event,
                                  uint32_t state) {
  struct possibility done = operation_possibility(net, id, i, event->thread, state);
  if (event->kind == EVENT_ATOMIC_EXCHANGE_FAILED && net->is_contextual && done.mode == ACCESS_CHANGE) return LOOKS;
  if (done.mode == ACCESS_NONE) done.mode = ACCESS_CHANGE;
  return done;
}

/* ---- states after them ---- */

/* Place 0 is that nobody waits. */
static uint32_t intern_waiters(struct net *net, const struct waiters *waiters) {
  uint64_t hash = 0;
  for (int i = 0; i < WAITER_WORDS; i++) hash = hash_mix(hash_mix(hash, waiters->waiting[i]), waiters->woken[i]);
  if (memcmp(waiters, &net->waiters.items[0], sizeof *waiters) == 0) return 0;
  const struct id_table *table = &net->waiters_table;
  for (uint32_t i = id_table_first(table, hash); table->slots[i].id; i = id_table_next(table, i))
    if (memcmp(&net->waiters.items[table->slots[i].id], waiters, sizeof *waiters) == 0) return table->slots[i].id;
  vector_push(&net->waiters, *waiters);
  id_table_add(&net->waiters_table, (uint32_t)net->waiters.count - 1, hash);
  return (uint32_t)net->waiters.count - 1;
}

static void wake(struct waiters *waiters, int word, uint64_t bits) {
  waiters->waiting[word] &= ~bits;
  waiters->woken[word] |= bits;
}

/* Those who wait are numbered by thread. */
static void wake_nth(struct waiters *waiters, uint16_t n) {
  for (int word = 0; word < WAITER_WORDS; word++)
    for (uint64_t rest = waiters->waiting[word]; rest; rest &= rest - 1)
      if (n-- == 0) {
        wake(waiters, word, rest & -rest);
        return;
      }
}

static uint32_t condition_after(struct net *net, const struct event *event, uint32_t state) {
  struct waiters waiters = net->waiters.items[state];
  const int word = event->thread / 64 % WAITER_WORDS;
  const uint64_t self = 1ull << event->thread % 64;
  switch (event->kind) {
  case EVENT_CONDITION_WAIT:
    waiters.waiting[word] |= self;
    waiters.woken[word] &= ~self;
    break;
  case EVENT_CONDITION_SIGNAL: wake_nth(&waiters, event->alternative); break;
  case EVENT_CONDITION_BROADCAST:
    for (int i = 0; i < WAITER_WORDS; i++) wake(&waiters, i, waiters.waiting[i]);
    break;
  case EVENT_CONDITION_TIMED_OUT:
  case EVENT_CONDITION_SPURIOUS: wake(&waiters, word, self); break;
  default: return state;
  }
  return intern_waiters(net, &waiters);
}

static uint32_t mutex_after(const struct event *event, uint32_t state) {
  if (event->kind == EVENT_MUTEX_UNLOCK && event->value) return state; /* it is not the owner */
  switch (event->kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_MUTEX_TRYLOCK_DONE:
  case EVENT_SPINLOCK_LOCK:
  case EVENT_SPINLOCK_TRYLOCK_DONE:
  case EVENT_CONDITION_WAKE: return 1u + event->thread;
  default: return 0;
  }
}

static uint32_t semaphore_after(const struct event *event) {
  if (event_class_of(event) == CLASS_SEMAPHORE && event->kind < EVENT_SEMAPHORE_OPEN) return (uint32_t)event->value;
  return UNKNOWN_STATE;
}

static uint32_t rwlock_after(const struct event *event, uint32_t state) {
  if (event_class_of(event) == CLASS_RWLOCK && event->value) return state; /* an error */
  switch (event->kind) {
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_TRYREAD_DONE: return state + 1;
  case EVENT_RWLOCK_READ_UNLOCK: return state > 0 ? state - 1 : 0;
  case EVENT_RWLOCK_WRITE:
  case EVENT_RWLOCK_TRYWRITE_DONE: return WRITER_STATE + event->thread;
  case EVENT_RWLOCK_WRITE_QUEUE: return state;
  default: return 0;
  }
}

uint32_t operation_state_after(struct net *net, operation_id operation, uint8_t i, const struct event *event,
                               uint32_t state) {
  switch (net->objects.items[operation_object(net, operation, i)].kind) {
  case OBJECT_MUTEX: return mutex_after(event, state);
  case OBJECT_SEMAPHORE: return semaphore_after(event);
  case OBJECT_RWLOCK: return rwlock_after(event, state);
  case OBJECT_BARRIER: return event->value >= event->size ? 0 : (uint32_t)event->value;
  case OBJECT_CONDITION: return condition_after(net, event, state);
  case OBJECT_LIFE: return 1;
  default: return 0;
  }
}
