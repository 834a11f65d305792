/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/operation.h"

#include "base/hash.h"
#include "model/object.h"
#include "trace/tables.h"

#include <string.h>

/* ---- kinds ---- */

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
  struct id_search search = id_index_search(&net->object_index, hash);
  for (object_id known; (known = id_search_next(&search));) {
    const struct object *object = &net->objects.items[known];
    if (object->kind == kind && object->address == address) return known;
  }
  const object_id id = net_add_object(net, kind, address, size, kind == OBJECT_SEMAPHORE ? UNKNOWN_STATE : 0);
  id_index_add(&net->object_index, id, hash);
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
  return kind_need(kind) == NEEDS_OPENING || kind_need(kind) == NEEDS_ANSWER || kind_effect(kind) == EFFECT_HANDS_OVER;
}

static void add_own_accesses(struct net *net, struct layout *layout, struct operation *operation,
                             const struct event *event, bool *is_wrong) {
  const enum event_class class = event_class_of(event);
  if (event_is_lifetime(event)) {
    add_life(net, layout, operation);
    return;
  }
  if (event_effect_of(event) == EFFECT_JOINS || event_effect_of(event) == EFFECT_ENDS) {
    add_access(net, layout, operation, find_object(net, OBJECT_LIFE, event->object, 1));
    return;
  }
  if (kind_has(event->kind, TRAIT_VALUE_IS_MUTEX)) {
    add_sync(net, layout, operation, CLASS_CONDITION, event->object, is_wrong);
    add_sync(net, layout, operation, CLASS_MUTEX, event->value, is_wrong);
    return;
  }
  if (event_looks_at_ports(event)) {
    add_ports(net, layout, operation, event->size);
    return;
  }
  if (is_own_kind(event->kind)) {
    add_sync(net, layout, operation, class, event->object, is_wrong);
    return;
  }
  if (event_dependence_of(event) == DEPENDENCE_INDEPENDENT || is_nested(event)) return;
  if (class == CLASS_NOTHING || class == CLASS_THREAD || (class == CLASS_DESCRIPTOR && is_global(event))) return;
  if (class != CLASS_MEMORY)
    add_sync(net, layout, operation, prefers_writers(event) ? CLASS_ONCE : class, event->object, is_wrong);
  if (class != CLASS_MEMORY && !event_reads_word(event)) return;
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
  struct id_search search = id_index_search(&net->operation_index, hash);
  operation_id id;
  while ((id = id_search_next(&search)) && !is_same(&net->operations.items[id], operation)) continue;
  return id;
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
  id_index_add(&net->operation_index, (operation_id)net->operations.count - 1, hash);
  return (operation_id)net->operations.count - 1;
}

/* Recorded for what it says about other threads only, or about what happened inside a step. */
static bool is_no_operation(const struct event *event) {
  if (event->flags & EVENT_IN_SECTION) return true;
  if (event->flags & EVENT_VISIBLE || is_own_kind(event->kind)) return false;
  const enum event_effect effect = event_effect_of(event);
  return effect != EFFECT_CREATES && effect != EFFECT_JOINS && !event_ends_thread(event);
}

/* Does the net say less about it than has happened? */
static bool leaves_gap(const struct net *net, const struct layout *layout, const struct event *event,
                       operation_id before) {
  const enum event_class class = event_class_of(event);
  if (event_effect_of(event) == EFFECT_INTERRUPTS || event_effect_of(event) == EFFECT_MOVES) return true;
  if (event->flags & EVENT_IN_SECTION) return class != CLASS_MEMORY && class != CLASS_NOTHING;
  if (event_effect_of(event) == EFFECT_OBEYS) return kind_effect(net->operations.items[before].kind) != EFFECT_CHECKS;
  if (class != CLASS_CONDITION) return false;
  return event->thread >= WAITER_WORDS * 64 ||
         (layout->cancels && event_effect_of(event) == EFFECT_RELOCKS && event->flags & EVENT_GIVES_UP);
}

/* What runs show about objects, once and for all. */
static void learn(struct layout *layout, const struct event *event, bool *is_wrong) {
  if (event_class_of(event) == CLASS_MUTEX && event->size == MUTEX_ROBUST)
    *is_wrong |= !layout_add_robust(layout, event->object);
  if (event_effect_of(event) == EFFECT_CANCELS && !layout->cancels) layout->cancels = *is_wrong = true;
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
  attempt.kind = kind_attempted(event->kind);
  forget_what_came_of_it(&attempt);
  const enum event_effect effect = event_effect_of(&attempt);
  if (effect == EFFECT_RELOCKS) attempt.value = net->operations.items[before].value;
  if (effect == EFFECT_ENDS) attempt.object = event->thread;
  if (event_class_of(&attempt) == CLASS_MUTEX && (kind_waits(attempt.kind) || effect == EFFECT_GIVES))
    attempt.value = 0;
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
  if (pending->kind == EVENT_NONE || kind_effect(pending->kind) == EFFECT_EXITS)
    return 0; /* exiting is an event already */
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

/* The state of an object, as src/model has it. */
static struct object_state unpack(enum object_kind kind, uint32_t state) {
  struct object_state object = {.owner = NO_THREAD};
  switch (kind) {
  case OBJECT_MUTEX:
    if (state) object.owner = (thread_id)(state - 1);
    break;
  case OBJECT_RWLOCK:
    if (state >= WRITER_STATE)
      object.owner = (thread_id)(state - WRITER_STATE);
    else
      object.count = state;
    break;
  default: object.count = state; object.is_unknown = state == UNKNOWN_STATE;
  }
  return object;
}

static uint32_t pack(enum object_kind kind, const struct object_state *object) {
  const uint32_t owner = object->owner;
  switch (kind) {
  case OBJECT_MUTEX: return owner == NO_THREAD ? 0 : owner + 1;
  case OBJECT_RWLOCK: return owner == NO_THREAD ? object->count : WRITER_STATE + owner;
  default: return object->is_unknown ? UNKNOWN_STATE : object->count;
  }
}

/* A mutex, an rwlock or a semaphore. Who writes and locks once more gets an error: that changes nothing. */
static struct possibility of_lock(const struct operation *operation, enum object_kind kind, thread_id thread,
                                  uint32_t state) {
  const enum event_need need = kind_need(operation->kind);
  if (need == NEEDS_NOTHING) return kind_effect(operation->kind) == EFFECT_LOOKS ? LOOKS : CHANGES;
  const struct object_state object = unpack(kind, state);
  const struct asker asker = {.thread = thread, .is_signalled = true};
  switch (object_enabled(&object, operation->kind, &asker)) {
  case READY_YES: return object.owner == thread ? LOOKS : CHANGES;
  case READY_UNKNOWN: return (struct possibility){.mode = ACCESS_CHANGE, .is_unsure = kind_waits(operation->kind)};
  case READY_NO: break;
  }
  if (need == NEEDS_RELOCK) return CANNOT;
  return kind_waits(operation->kind) ? waits(operation, ACCESS_LOOK) : LOOKS;
}

static bool has_thread(const uint64_t *set, thread_id thread) {
  return set[thread / 64 % WAITER_WORDS] >> thread % 64 & 1;
}

static struct possibility of_condition(const struct net *net, const struct operation *operation, thread_id thread,
                                       uint32_t state) {
  if (kind_effect(operation->kind) != EFFECT_RELOCKS) return CHANGES;
  if (has_thread(net->waiters.items[state].woken, thread)) return (struct possibility){.mode = ACCESS_PAST};
  return waits(operation, ACCESS_CHANGE);
}

static struct possibility of_memory(const struct operation *operation) {
  const struct event event = {.kind = operation->kind};
  return event_writes(&event) ? CHANGES : LOOKS;
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
  if (kind_need(operation->kind) == NEEDS_ANSWER) return (struct possibility){.mode = ACCESS_PAST};
  const enum object_kind kind = net->objects.items[operation_object(net, id, i)].kind;
  switch (kind) {
  case OBJECT_MEMORY: possibility = of_memory(operation); break;
  case OBJECT_MUTEX:
  case OBJECT_SEMAPHORE:
  case OBJECT_RWLOCK: possibility = of_lock(operation, kind, thread, state); break;
  case OBJECT_CONDITION: possibility = of_condition(net, operation, thread, state); break;
  case OBJECT_BARRIER:
    if (kind_effect(operation->kind) != EFFECT_LEAVES) return CHANGES;
    return state == 0 ? (struct possibility){.mode = ACCESS_PAST} : CANNOT;
  case OBJECT_LIFE:
    if (kind_effect(operation->kind) != EFFECT_JOINS) return CHANGES;
    return state == 1 ? (struct possibility){.mode = ACCESS_PAST} : CANNOT;
  case OBJECT_WORLD: {
    const struct event event = {.kind = operation->kind, .flags = operation->flags};
    possibility = is_global(&event) ? CHANGES : LOOKS;
    possibility.is_unsure = possibility.mode == ACCESS_CHANGE && kind_effect(event.kind) != EFFECT_ISOLATES;
    break;
  }
  case OBJECT_OTHER: possibility = (struct possibility){.mode = ACCESS_CHANGE, .is_unsure = true}; break;
  }
  possibility.is_unsure |= (operation->flags & EVENT_PARKED) != 0;
  return net->cancels && kind_is_cancellable(operation->kind) ? tried(possibility) : possibility;
}

condition_id operation_past(const struct net *net, operation_id operation, uint8_t i, thread_id thread,
                            condition_id condition) {
  condition_id found = condition;
  const uint8_t kind = net->operations.items[operation].kind;
  if (kind_need(kind) == NEEDS_ANSWER) return condition; /* what happened just now */
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
  if (event_is_exchange(event) && kind_failed(event->kind) && net->is_contextual && done.mode == ACCESS_CHANGE)
    return LOOKS;
  if (done.mode == ACCESS_NONE) done.mode = ACCESS_CHANGE;
  return done;
}

/* ---- states after them ---- */

/* Place 0 is that nobody waits. */
static uint32_t intern_waiters(struct net *net, const struct waiters *waiters) {
  uint64_t hash = 0;
  for (int i = 0; i < WAITER_WORDS; i++) hash = hash_mix(hash_mix(hash, waiters->waiting[i]), waiters->woken[i]);
  if (memcmp(waiters, &net->waiters.items[0], sizeof *waiters) == 0) return 0;
  struct id_search search = id_index_search(&net->waiters_index, hash);
  for (uint32_t known; (known = id_search_next(&search));)
    if (memcmp(&net->waiters.items[known], waiters, sizeof *waiters) == 0) return known;
  vector_push(&net->waiters, *waiters);
  id_index_add(&net->waiters_index, (uint32_t)net->waiters.count - 1, hash);
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
  switch (event_effect_of(event)) {
  case EFFECT_WAITS:
    waiters.waiting[word] |= self;
    waiters.woken[word] &= ~self;
    break;
  case EFFECT_SIGNALS: wake_nth(&waiters, event->alternative); break;
  case EFFECT_SIGNALS_ALL:
    for (int i = 0; i < WAITER_WORDS; i++) wake(&waiters, i, waiters.waiting[i]);
    break;
  case EFFECT_QUITS: wake(&waiters, word, self); break;
  default: return state;
  }
  return intern_waiters(net, &waiters);
}

static uint32_t lock_after(enum object_kind kind, const struct event *event, uint32_t state) {
  const bool is_renewed = event_is_lifetime(event);
  struct object_state object = unpack(kind, is_renewed ? kind == OBJECT_SEMAPHORE ? UNKNOWN_STATE : 0 : state);
  if (!is_renewed) object_apply(&object, event);
  return pack(kind, &object);
}

uint32_t operation_state_after(struct net *net, operation_id operation, uint8_t i, const struct event *event,
                               uint32_t state) {
  const enum object_kind kind = net->objects.items[operation_object(net, operation, i)].kind;
  switch (kind) {
  case OBJECT_MUTEX:
  case OBJECT_SEMAPHORE:
  case OBJECT_RWLOCK: return lock_after(kind, event, state);
  case OBJECT_BARRIER: return event->value >= event->size ? 0 : (uint32_t)event->value;
  case OBJECT_CONDITION: return condition_after(net, event, state);
  case OBJECT_LIFE: return 1;
  default: return 0;
  }
}
