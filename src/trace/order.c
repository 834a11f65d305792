/* SPDX-License-Identifier: MIT
 *
 * Everything is kept in stacks that grow with every event and shrink with order_pop: clocks, the chains of the steps
 * that touched eight bytes of memory or an object in them (a hash table has the newest of each chain), and what was
 * changed of the threads. Steps that touch too much for chains (large blocks, and those that depend on everything) are
 * in a list of their own.
 */
#include "base/error.h"
#include "trace/order_internal.h"
#include "trace/tally.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256u
#define OWNER_DIED 130 /* EOWNERDEAD */
#define DEPENDENCE_FLAGS (EVENT_OF_ALL | EVENT_NEEDS_NO_POST | EVENT_PREFERS_WRITERS)
#define PENDING_FLAGS (EVENT_GIVES_UP | EVENT_PARKED | EVENT_OF_ALL | EVENT_VALUE_KNOWN)

/* ---- clocks ---- */

static void reserve_clocks(struct order *order, size_t numbers) {
  while (order->clocks.capacity < numbers)
    order->clocks.items = memory_grow(order->clocks.items, &order->clocks.capacity, sizeof *order->clocks.items);
}

/* More threads: every clock gets longer. */
static void widen(struct order *order, uint32_t n_threads) {
  uint32_t width = order->width ? order->width : 4;
  while (width < n_threads) width *= 2;
  reserve_clocks(order, (size_t)width * (order->n_clocks + 1));
  for (uint32_t i = order->n_clocks; i-- > 0;) {
    memmove(order->clocks.items + (size_t)i * width, order->clocks.items + (size_t)i * order->width,
            order->width * sizeof(uint32_t));
    memset(order->clocks.items + (size_t)i * width + order->width, 0, (width - order->width) * sizeof(uint32_t));
  }
  order->width = width;
}

static void know_thread(struct order *order, thread_id thread) {
  while (order->threads.count <= thread) {
    const struct thread_state none = {0};
    vector_push(&order->threads, none);
    vector_push(&order->steps_of, (step_list){0});
    vector_push(&order->wides_of, (step_list){0});
  }
  if (thread >= order->width) widen(order, thread + 1u);
}

/* A copy of the thread's clock. */
static uint32_t new_clock(struct order *order, thread_id thread) {
  reserve_clocks(order, (size_t)order->width * (order->n_clocks + 1));
  uint32_t *clock = clock_at(order, order->n_clocks);
  const uint32_t old = order->threads.items[thread].clock;
  if (old)
    memcpy(clock, clock_at(order, old - 1), order->width * sizeof *clock);
  else
    memset(clock, 0, order->width * sizeof *clock);
  return order->n_clocks++;
}

static void join(const struct order *order, uint32_t *clock, uint32_t place) {
  const uint32_t *other = clock_at(order, place);
  for (uint32_t i = 0; i < order->width; i++)
    if (clock[i] < other[i]) clock[i] = other[i];
}

static bool knows(const struct order *order, const uint32_t *clock, uint32_t step) {
  return clock[order->steps.items[step].event.thread] > step;
}

static struct thread_state *change_thread(struct order *order, thread_id thread) {
  const struct change change = {order->threads.items[thread], thread};
  vector_push(&order->changes, change);
  return &order->threads.items[thread];
}

/* ---- chains ---- */

static uint32_t slot_of(const struct order *order, uint64_t key) {
  uint32_t place = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (order->n_slots - 1);
  while (order->slots[place].used && order->slots[place].key != key) place = (place + 1) & (order->n_slots - 1);
  return place;
}

static void grow_slots(struct order *order) {
  struct slot *const old = order->slots;
  const uint32_t n_old = order->n_slots;
  order->n_slots = n_old ? n_old * 2 : FIRST_SLOTS;
  order->slots = memory_allocate(order->n_slots * sizeof *order->slots);
  for (uint32_t i = 0; i < n_old; i++) {
    if (!old[i].used) continue;
    const uint32_t place = slot_of(order, old[i].key);
    order->slots[place] = old[i];
    for (uint32_t e = old[i].newest; e; e = order->entries.items[e - 1].previous)
      order->entries.items[e - 1].slot = place;
  }
  free(old);
}

static uint32_t use_slot(struct order *order, uint64_t key) {
  if (order->n_used * 2 >= order->n_slots) grow_slots(order);
  const uint32_t place = slot_of(order, key);
  if (!order->slots[place].used) {
    order->slots[place] = (struct slot){.key = key, .used = true};
    order->n_used++;
  }
  return place;
}

#define NUMBERED_KEY(class) ((uint64_t)(class) << 61) /* threads and descriptors have numbers, not addresses */

#define ALL_PORTS_KEY NUMBERED_KEY(3)

static void add_place(struct places *places, uint64_t key, uint8_t mask) {
  places->keys[places->count] = key;
  places->masks[places->count++] = mask;
}

void order_memory_places(const struct event *event, struct places *places) {
  const uint64_t end = event->object + event->size;
  for (uint64_t granule = event->object & ~7ull; granule < end; granule += 8) {
    const uint64_t from = event->object > granule ? event->object - granule : 0;
    const uint64_t to = end < granule + 8 ? end - granule : 8;
    add_place(places, granule >> 3, (uint8_t)((0xffu >> (8 - to)) & (0xffu << from)));
  }
}

static bool is_wide(const struct event *event) {
  if (event_dependence_of(event) == DEPENDENCE_GLOBAL) return true;
  return event_class_of(event) == CLASS_MEMORY && event->size > 8 * (MOST_GRANULES - 1);
}

static void find_places(const struct event *event, struct places *places) {
  places->count = 0;
  if (event_dependence_of(event) == DEPENDENCE_INDEPENDENT || is_wide(event)) return;
  switch (event_class_of(event)) {
  case CLASS_MEMORY: order_memory_places(event, places); return;
  case CLASS_THREAD: add_place(places, NUMBERED_KEY(1) + event->object, 0xff); return;
  case CLASS_DESCRIPTOR: add_place(places, NUMBERED_KEY(2) + event->object, 0xff); return;
  case CLASS_NOTHING: return;
  case CLASS_PORT: add_place(places, ALL_PORTS_KEY, 0xff); /* a selective wait has many */ /* fall through */
  default: add_place(places, event->object >> 3, 0xff);
  }
  const uint64_t mutex = event_mutex(event);
  if (mutex && mutex >> 3 != event->object >> 3) add_place(places, mutex >> 3, 0xff);
}

static void add_entries(struct order *order, const struct places *places, uint32_t step) {
  for (uint32_t i = 0; i < places->count; i++) {
    const uint32_t place = use_slot(order, places->keys[i]);
    const struct entry entry = {step, place, order->slots[place].newest, places->masks[i]};
    vector_push(&order->entries, entry);
    order->slots[place].newest = (uint32_t)order->entries.count;
  }
}

/* 1 + the newest entry of the chain before the step; of the whole chain, when the step is not in it. */
uint32_t order_newest_before(const struct order *order, uint64_t key, uint32_t step) {
  const uint32_t place = slot_of(order, key);
  if (step >= order->steps.count) return order->slots[place].newest;
  for (uint32_t e = order->steps.items[step].entries; e < order->entries.count; e++) {
    const struct entry *entry = &order->entries.items[e];
    if (entry->step != step) break;
    if (entry->slot == place) return entry->previous;
  }
  return order->slots[place].newest;
}

/* How many steps of the list come before `end`. */
size_t order_steps_before(const step_list *list, uint32_t end) {
  size_t low = 0, high = list->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (list->items[middle] < end)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Where the steps of a thread happen after `earlier`, all later ones do. */
size_t order_steps_not_after(const struct order *order, const step_list *list, uint32_t earlier) {
  size_t low = order_steps_before(list, earlier + 1), high = list->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (happens_before(order, earlier, list->items[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The first step of the thread that is `earlier` or happens after it; the length when there is none. */
static uint32_t first_after(const struct order *order, uint32_t earlier, thread_id thread) {
  const step_list *list = &order->steps_of.items[thread];
  if (order->steps.items[earlier].event.thread == thread) return earlier;
  const size_t i = order_steps_not_after(order, list, earlier);
  return i < list->count ? list->items[i] : (uint32_t)order->steps.count;
}

/* ---- which earlier steps an event depends on ---- */

/* Do the same events depend on both, performed by one thread? Then all that the later one depends on and that came
 * before the earlier one happens before that. */
static bool is_repetition(const struct event *earlier, const struct event *event) {
  return earlier->thread == event->thread && earlier->kind == event->kind && earlier->object == event->object &&
         earlier->size == event->size && !((earlier->flags ^ event->flags) & DEPENDENCE_FLAGS) &&
         event_mutex(earlier) == event_mutex(event) &&
         (event->kind != EVENT_ONCE_ENTER || !earlier->value == !event->value);
}

/* Everything earlier in the chain that depends on `event` depends on `earlier` too. */
static bool closes_chain(const struct event *earlier, uint8_t earlier_mask, const struct event *event, uint8_t mask) {
  const uint64_t mutex = event_mutex(earlier);
  if (mutex && mutex == event_mutex(event)) return true;
  switch (event_class_of(earlier)) {
  case CLASS_MEMORY: return event_writes(earlier) && (mask & ~earlier_mask) == 0;
  case CLASS_MUTEX:
  case CLASS_SPINLOCK:
  case CLASS_BINARY:
  case CLASS_MONITOR:
  case CLASS_DESCRIPTOR:
  case CLASS_THREAD: return true;
  case CLASS_ONCE: return earlier->kind == EVENT_ONCE_LEAVE || !earlier->value;
  case CLASS_RWLOCK: return event_writes(earlier);
  case CLASS_CONDITION: return event_is_signal(earlier);
  case CLASS_SEMAPHORE: return earlier->kind != EVENT_SEMAPHORE_POST && !event_takes_token(earlier);
  default: return false;
  }
}

/* Surely a race: a step that only orders does not end the search, as what it orders may still race. */
static bool is_reversible(const struct event *earlier, const struct event *event) {
  return events_reversal(earlier, event) == REVERSAL_ALWAYS;
}

static void add_candidate(struct order *order, uint32_t step) {
  vector_push(&order->candidates, step);
}

static void look_at_chain(struct order *order, const struct event *event, const uint32_t *clock, uint64_t key,
                          uint8_t mask) {
  const uint32_t newest = order->slots[slot_of(order, key)].newest;
  for (uint32_t e = newest; e; e = order->entries.items[e - 1].previous) {
    const struct entry *entry = &order->entries.items[e - 1];
    const struct event *earlier = &order->steps.items[entry->step].event;
    if (is_repetition(earlier, event)) return;
    if (!events_depend(earlier, event)) continue;
    const bool known = knows(order, clock, entry->step);
    if (!known) add_candidate(order, entry->step);
    const bool ends = known || (is_reversible(earlier, event) && !event_can_wait(event));
    if (ends && closes_chain(earlier, entry->mask, event, mask)) return;
  }
}

/* Arrivals depend on those of the round before, and through them on all earlier ones. */
static void look_at_arrivals(struct order *order, const struct event *event, const uint32_t *clock, uint64_t key) {
  uint64_t same_round = event->value - 1, before = event->size;
  const uint32_t newest = order->slots[slot_of(order, key)].newest;
  for (uint32_t e = newest; e && before; e = order->entries.items[e - 1].previous) {
    const uint32_t step = order->entries.items[e - 1].step;
    const struct event *earlier = &order->steps.items[step].event;
    const bool is_arrival = earlier->kind == EVENT_BARRIER_ARRIVE && earlier->object == event->object;
    if (is_arrival && same_round) {
      same_round--;
      continue;
    }
    if (is_arrival) before--;
    if (!is_arrival && (earlier->thread == event->thread || !events_depend(earlier, event))) continue;
    if (!knows(order, clock, step)) add_candidate(order, step);
  }
}

/* What the thread knows of another is a beginning of its steps: the others, from this step on. */
static void look_at_unknown(struct order *order, const struct event *event, const uint32_t *clock, uint32_t first,
                            const step_list *lists) {
  for (thread_id thread = 0; thread < order->threads.count; thread++) {
    const step_list *list = &lists[thread];
    const uint32_t end = clock[thread] > first ? clock[thread] : first;
    for (size_t i = list->count; i-- > 0 && list->items[i] >= end;)
      if (events_depend(&order->steps.items[list->items[i]].event, event)) add_candidate(order, list->items[i]);
  }
}

/* The last one that depends on everything comes after all those before it. */
static void look_at_wides(struct order *order, const struct event *event, const uint32_t *clock) {
  if (order->wides.count == 0) return;
  const uint32_t first = order->globals.count > 0 ? order->globals.items[order->globals.count - 1] : 0;
  look_at_unknown(order, event, clock, first, order->wides_of.items);
}

static int compare_descending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void sort_candidates(struct order *order) {
  if (order->candidates.count < 2) return;
  qsort(order->candidates.items, order->candidates.count, sizeof(uint32_t), compare_descending);
}

static void find_candidates(struct order *order, const struct event *event, const uint32_t *clock,
                            const struct places *places) {
  order->candidates.count = 0;
  if (event_dependence_of(event) == DEPENDENCE_INDEPENDENT) return;
  if (is_wide(event)) {
    look_at_unknown(order, event, clock, 0, order->steps_of.items);
    sort_candidates(order);
    return;
  }
  for (uint32_t i = 0; i < places->count && order->n_slots; i++)
    if (event->kind == EVENT_BARRIER_ARRIVE)
      look_at_arrivals(order, event, clock, places->keys[i]);
    else
      look_at_chain(order, event, clock, places->keys[i], places->masks[i]);
  look_at_wides(order, event, clock);
  if (places->count > 1 || order->wides.count > 0) sort_candidates(order);
}

/* ---- who could move ---- */

static bool could_move(const struct order *order, uint32_t step, thread_id thread) {
  const struct step_record *record = &order->steps.items[step];
  if (thread < 64 && !record->n_wide) return record->enabled >> thread & 1;
  if (thread / 64u >= record->n_wide) return false;
  return order->words.items[record->wide + thread / 64u] >> (thread % 64u) & 1;
}

/* The first step at which the thread stood where it stands now. */
static uint32_t ready_since(const struct order *order, thread_id thread) {
  const struct thread_state *state = &order->threads.items[thread];
  return state->last > state->ready ? state->last : state->ready;
}

static bool says_who_could_move(const struct event *event) {
  return event_dependence_of(event) != DEPENDENCE_INDEPENDENT;
}

/* 1 + the last step at which the thread stood before its operation and could not move, 0 none. */
static uint32_t find_enabler(const struct order *order, thread_id thread) {
  const uint32_t since = ready_since(order, thread);
  for (uint32_t step = (uint32_t)order->steps.count; step-- > since;)
    if (says_who_could_move(&order->steps.items[step].event) && !could_move(order, step, thread)) return step + 1;
  return 0;
}

/* ---- counting tokens and messages ---- */

/* What the threads did to the object before `earlier`, and later without happening after it. */
static int64_t amount_without(const struct order *order, uint32_t earlier, uint64_t object) {
  int64_t amount = 0;
  for (thread_id thread = 0; thread < order->steps_of.count; thread++)
    amount += tallies_find(order->tallies, object, thread, first_after(order, earlier, thread)).amount;
  return amount;
}

static int64_t amount_before(const struct order *order, uint32_t step, uint64_t object) {
  int64_t amount = 0;
  for (thread_id thread = 0; thread < order->steps_of.count; thread++)
    amount += tallies_find(order->tallies, object, thread, step).amount;
  return amount;
}

/* Are there tokens of the semaphore where `post` stands, when what does not happen after it comes first? */
static bool has_token_without(const struct order *order, uint32_t post, const struct event *event) {
  const int64_t tokens = (int64_t)order->steps.items[post].event.value - 1;
  return tokens + amount_without(order, post, event->object) - amount_before(order, post, event->object) > 0;
}

/* Messages in the ports where `earlier` stands, when what does not happen after it comes first. */
static int64_t messages_without(const struct order *order, uint32_t earlier, uint32_t bits) {
  int64_t messages = 0;
  for (uint32_t i = 0; i < 32; i++)
    if (bits >> i & 1 && order->ports[i]) messages += amount_without(order, earlier, order->ports[i]);
  return messages;
}

/* `event` is a receive, or a send to a port that may be full. */
static bool can_pass_message(const struct order *order, uint32_t earlier, const struct event *event) {
  const int64_t messages = messages_without(order, earlier, event_ports(event));
  return event->kind == EVENT_PORT_RECEIVE ? messages > 0 : messages < event->size;
}

static void note_port(struct order *order, const struct event *event) {
  if (event_class_of(event) != CLASS_PORT || !event->object) return;
  uint64_t *port = &order->ports[event->object / PORT_BYTES % 32];
  order->ports_meet |= *port && *port != event->object;
  *port = event->object;
}

/* ---- races ---- */

static void add_race(struct order *order, uint32_t step, bool is_unsure) {
  const struct race race = {step, is_unsure};
  vector_push(&order->races, race);
}

/* Where not all do, those that do not come first in a reversal, and may change whether the thread can move. */
static bool all_follow(const struct order *order, uint32_t step) {
  for (uint32_t later = step + 1; later < order->steps.count; later++)
    if (!happens_before(order, step, later)) return false;
  return true;
}

static bool is_race(const struct order *order, uint32_t step, const struct event *event, bool *is_unsure) {
  const struct event *earlier = &order->steps.items[step].event;
  const bool stood_there = step >= ready_since(order, event->thread);
  *is_unsure = false;
  switch (events_reversal(earlier, event)) {
  case REVERSAL_NEVER: return false;
  case REVERSAL_ALWAYS: return true;
  case REVERSAL_COUNT:
    if (event_class_of(event) == CLASS_PORT) {
      *is_unsure = order->ports_meet;
      return order->ports_meet || can_pass_message(order, step, event);
    }
    return event->kind != EVENT_SEMAPHORE_WAIT || has_token_without(order, step, event);
  case REVERSAL_ASK: break;
  }
  *is_unsure = !stood_there || (event->flags & EVENT_OF_ALL && !all_follow(order, step));
  return *is_unsure || could_move(order, step, event->thread);
}

/* A robust mutex whose owner has ended: the last step of the owner made it available. */
static void follow_owner(struct order *order, const struct event *event, uint32_t *clock) {
  if (event_class_of(event) != CLASS_MUTEX || event->value != OWNER_DIED) return;
  for (uint32_t e = order->slots[slot_of(order, event->object >> 3)].newest; e;
       e = order->entries.items[e - 1].previous) {
    const struct event *earlier = &order->steps.items[order->entries.items[e - 1].step].event;
    if (event_mutex(earlier) != event->object || !event_takes_free_lock(earlier)) continue;
    const struct thread_state *owner = &order->threads.items[earlier->thread];
    const bool is_known = knows(order, clock, owner->last - 1);
    if (!is_known && (event->kind != EVENT_MUTEX_LOCK || event->flags & EVENT_GIVES_UP))
      add_race(order, owner->last - 1, false);
    join(order, clock, owner->clock - 1);
    return;
  }
}

/* The signal that woke the thread: before it, the thread could at most have given up; or, with a request to cancel it,
 * have moved wherever the mutex was free. */
static void follow_signal(struct order *order, const struct event *event, uint32_t *clock) {
  const uint32_t woken = order->threads.items[event->thread].woken;
  if (event->kind != EVENT_CONDITION_WAKE || !woken) return;
  if (!knows(order, clock, woken - 1) && event->flags & EVENT_GIVES_UP) add_race(order, woken - 1, false);
  if (event->flags & EVENT_PARKED)
    vector_push(&order->late, woken - 1);
  else
    join(order, clock, order->steps.items[woken - 1].clock);
}

/* Several others may have taken a lock, one after the other, while the thread waited for it: it could have come before
 * each of them. The reversal of the last of these races leads to the one before, but only where nothing that sleeps
 * covers it, which may not be so where all that happened meanwhile is in its way. */
static bool is_race_while_waiting(const struct order *order, uint32_t step, const struct event *event) {
  bool is_unsure;
  return event_can_wait(event) && is_race(order, step, event, &is_unsure) && !is_unsure;
}

/* Finds the races of the event and makes its clock. Steps that only order it, or perhaps do, count after all races are
 * found: what happens before a release may still race with the acquire. */
static void find_races(struct order *order, const struct event *event, const struct places *places, uint32_t *clock) {
  const uint32_t enabler = find_enabler(order, event->thread);
  order->races.count = order->late.count = 0;
  follow_signal(order, event, clock);
  find_candidates(order, event, clock, places);
  for (size_t i = 0; i < order->candidates.count; i++) {
    const uint32_t step = order->candidates.items[i];
    bool is_unsure;
    if (knows(order, clock, step)) {
      if (is_race_while_waiting(order, step, event)) add_race(order, step, false);
      continue;
    }
    if (!is_race(order, step, event, &is_unsure)) {
      vector_push(&order->late, step);
      continue;
    }
    add_race(order, step, is_unsure);
    if (is_unsure)
      vector_push(&order->late, step);
    else
      join(order, clock, order->steps.items[step].clock);
  }
  follow_owner(order, event, clock);
  for (size_t i = 0; i < order->late.count; i++) join(order, clock, order->steps.items[order->late.items[i]].clock);
  if (enabler) join(order, clock, order->steps.items[enabler - 1].clock);
}

/* ---- condition variables: who is woken ---- */

static void wake(struct order *order, const struct event *signal, uint32_t step) {
  uint32_t skip = signal->kind == EVENT_CONDITION_SIGNAL ? signal->alternative : 0;
  for (thread_id i = 0; i < order->threads.count; i++) {
    const struct thread_state *thread = &order->threads.items[i];
    if (thread->waits != signal->object || thread->woken) continue;
    if (skip-- > 0 && signal->kind == EVENT_CONDITION_SIGNAL) continue;
    change_thread(order, i)->woken = step + 1;
    if (signal->kind == EVENT_CONDITION_SIGNAL) return;
  }
}

static void follow_condition(struct order *order, const struct event *event, uint32_t step) {
  if (event_class_of(event) != CLASS_CONDITION) return;
  if (event_is_signal(event)) {
    wake(order, event, step);
    return;
  }
  struct thread_state *state = change_thread(order, event->thread);
  state->waits = event->kind == EVENT_CONDITION_WAIT ? event->object : 0;
  state->woken = 0;
  if (event->kind == EVENT_CONDITION_WAIT) state->relock = event->value;
}

/* ---- pushing ---- */

static void add_wide(struct order *order, const struct event *event, uint32_t step) {
  vector_push(&order->wides, step);
  vector_push(&order->wides_of.items[event->thread], step);
  if (event_dependence_of(event) == DEPENDENCE_GLOBAL) vector_push(&order->globals, step);
}

static void push_step(struct order *order, const struct event *event, const uint64_t *enabled, size_t n_words) {
  const uint32_t step = (uint32_t)order->steps.count;
  struct step_record record = {
      .event = *event,
      .enabled = n_words ? enabled[0] : 0,
      .wide = (uint32_t)order->words.count,
      .n_wide = n_words > 1 ? (uint32_t)n_words : 0,
      .changes = (uint32_t)order->changes.count,
      .clocks = order->n_clocks,
      .entries = (uint32_t)order->entries.count,
      .wides = (uint32_t)order->wides.count,
      .words = (uint32_t)order->words.count,
      .inner = (uint32_t)order->inner.count,
  };
  struct places places;
  find_places(event, &places);
  note_port(order, event);
  record.clock = new_clock(order, event->thread);
  uint32_t *clock = clock_at(order, record.clock);
  find_races(order, event, &places, clock);
  clock[event->thread] = step + 1;
  for (size_t i = 0; i < record.n_wide; i++) vector_push(&order->words, enabled[i]);
  struct thread_state *state = change_thread(order, event->thread);
  state->clock = record.clock + 1;
  state->last = step + 1;
  vector_push(&order->steps, record);
  vector_push(&order->steps_of.items[event->thread], step);
  if (tally_counts(event)) tallies_push(order->tallies, event, step);
  add_entries(order, &places, step);
  if (is_wide(event)) add_wide(order, event, step);
  follow_condition(order, event, step);
}

static void join_thread(struct order *order, thread_id thread, uint32_t clock) {
  if (!clock) return;
  const uint32_t joined = new_clock(order, thread);
  join(order, clock_at(order, joined), clock - 1);
  change_thread(order, thread)->clock = joined + 1;
}

/* All arrivals of the round happen before leaving. */
static void leave_barrier(struct order *order, const struct event *event) {
  uint64_t left = UINT64_MAX;
  for (uint32_t e = order->slots[slot_of(order, event->object >> 3)].newest; e && left;
       e = order->entries.items[e - 1].previous) {
    const struct step_record *earlier = &order->steps.items[order->entries.items[e - 1].step];
    if (earlier->event.kind != EVENT_BARRIER_ARRIVE || earlier->event.object != event->object) continue;
    if (left == UINT64_MAX) left = earlier->event.size;
    left--;
    join_thread(order, event->thread, earlier->clock + 1);
  }
}

/* The receive of a message happens before its synchronous send is over. */
static void return_from_send(struct order *order, const struct event *event) {
  for (uint32_t e = order->slots[slot_of(order, ALL_PORTS_KEY)].newest; e; e = order->entries.items[e - 1].previous) {
    const struct step_record *earlier = &order->steps.items[order->entries.items[e - 1].step];
    if (earlier->event.kind != EVENT_PORT_RECEIVE || earlier->event.value != event->value) continue;
    join_thread(order, event->thread, earlier->clock + 1);
    return;
  }
}

/* The request may have woken it from joining, which is not a step. */
static void follow_request(struct order *order, thread_id thread) {
  for (size_t i = order->wides.count; i-- > 0;) {
    const struct step_record *record = &order->steps.items[order->wides.items[i]];
    if (record->event.kind != EVENT_THREAD_CANCEL || record->event.object != thread) continue;
    join_thread(order, thread, record->clock + 1);
    return;
  }
}

static void push_inner(struct order *order, const struct event *event, uint32_t step) {
  follow_condition(order, event, step);
  if (event_class_of(event) == CLASS_MEMORY) vector_push(&order->inner, ((struct inner){*event, step}));
}

static void push_other(struct order *order, const struct event *event) {
  const uint32_t length = (uint32_t)order->steps.count;
  if (length == 0) return; /* before the first choice everything is in the order of one thread */
  switch (event->kind) {
  case EVENT_THREAD_CREATE: {
    know_thread(order, (thread_id)event->object);
    struct thread_state *child = change_thread(order, (thread_id)event->object);
    *child = (struct thread_state){.clock = order->threads.items[event->thread].clock, .ready = length};
    return;
  }
  case EVENT_THREAD_JOIN:
    know_thread(order, (thread_id)event->object);
    join_thread(order, event->thread, order->threads.items[event->object].clock);
    break;
  case EVENT_BARRIER_LEAVE: leave_barrier(order, event); break;
  case EVENT_PORT_RETURN: return_from_send(order, event); break;
  case EVENT_MONITOR_RESUME: join_thread(order, event->thread, order->threads.items[event->value].clock); break;
  case EVENT_THREAD_CANCELLED: follow_request(order, event->thread); break;
  default:
    if (event->flags & EVENT_IN_SECTION) push_inner(order, event, length - 1);
    return;
  }
  change_thread(order, event->thread)->ready = length;
}

void order_push(struct order *order, const struct event *event, const uint64_t *enabled, size_t n_words) {
  know_thread(order, event->thread);
  if (event_is_step(event))
    push_step(order, event, enabled, n_words);
  else
    push_other(order, event);
}

void order_push_trace(struct order *order, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event_is_step(event))
      order_push(order, event, trace_enabled_set(trace, event), trace_enabled_words(trace, event));
    else
      order_push(order, event, NULL, 0);
  }
}

void order_pop(struct order *order, uint32_t n_steps) {
  if (n_steps >= order->steps.count) return;
  const struct step_record record = order->steps.items[n_steps];
  for (size_t step = order->steps.count; step-- > n_steps;) {
    const struct event *event = &order->steps.items[step].event;
    order->steps_of.items[event->thread].count--;
    if (is_wide(event)) {
      order->wides_of.items[event->thread].count--;
      order->globals.count -= event_dependence_of(event) == DEPENDENCE_GLOBAL;
    }
    if (tally_counts(event)) tallies_pop(order->tallies, event);
  }
  while (order->changes.count > record.changes) {
    const struct change *change = &order->changes.items[--order->changes.count];
    order->threads.items[change->thread] = change->before;
  }
  while (order->entries.count > record.entries) {
    const struct entry *entry = &order->entries.items[--order->entries.count];
    order->slots[entry->slot].newest = entry->previous;
  }
  order->wides.count = record.wides;
  order->words.count = record.words;
  order->inner.count = record.inner;
  order->n_clocks = record.clocks;
  order->steps.count = n_steps;
  order->races.count = 0;
}

/* ---- asking ---- */

struct order *order_create(void) {
  struct order *order = memory_allocate(sizeof *order);
  order->tallies = tallies_create();
  grow_slots(order);
  return order;
}

void order_destroy(struct order *order) {
  vector_free(&order->steps);
  vector_free(&order->changes);
  vector_free(&order->entries);
  vector_free(&order->wides);
  vector_free(&order->words);
  vector_free(&order->inner);
  vector_free(&order->globals);
  for (size_t i = 0; i < order->threads.count; i++) {
    vector_free(&order->steps_of.items[i]);
    vector_free(&order->wides_of.items[i]);
  }
  vector_free(&order->steps_of);
  vector_free(&order->wides_of);
  vector_free(&order->threads);
  vector_free(&order->clocks);
  vector_free(&order->races);
  vector_free(&order->candidates);
  vector_free(&order->late);
  vector_free(&order->reversed);
  tallies_destroy(order->tallies);
  free(order->slots);
  free(order);
}

uint32_t order_length(const struct order *order) {
  return (uint32_t)order->steps.count;
}

const struct event *order_event(const struct order *order, uint32_t step) {
  return &order->steps.items[step].event;
}

bool order_happens_before(const struct order *order, uint32_t step, uint32_t later) {
  return happens_before(order, step, later);
}

thread_id order_threads(const struct order *order) {
  return (thread_id)order->threads.count;
}

uint32_t order_last_step_of(const struct order *order, thread_id thread) {
  return thread < order->threads.count ? order->threads.items[thread].last : 0;
}

const struct race *order_races(const struct order *order, size_t *count) {
  *count = order->races.count;
  return order->races.items;
}

static bool is_visible(uint8_t kind) {
  static const bool visible[EVENT_KINDS] = {
#define EVENT(name, words, class, visible, dependence) [EVENT_##name] = visible,
#include "abi/events.def"
#undef EVENT
  };
  return visible[kind];
}

bool order_find_pending_races(struct order *order, const struct pending *pending, struct event *event) {
  order->races.count = 0;
  if (!is_visible(pending->kind)) return false;
  know_thread(order, pending->thread);
  *event = (struct event){.kind = pending->kind,
                          .object = pending->object,
                          .value = pending->value,
                          .before = pending->before,
                          .size = pending->size,
                          .thread = pending->thread,
                          .site = pending->site,
                          .alternatives = 1,
                          .flags = (uint8_t)(EVENT_VISIBLE | (pending->flags & PENDING_FLAGS))};
  const struct thread_state *state = &order->threads.items[pending->thread];
  if (pending->kind == EVENT_CONDITION_WAIT) event->value = pending->mutex;
  if (pending->kind == EVENT_CONDITION_WAKE) {
    const bool is_signalled = !state->waits || state->woken;
    if (!is_signalled && !(pending->flags & EVENT_GIVES_UP)) return false;
    if (!is_signalled) event->kind = EVENT_CONDITION_TIMED_OUT;
    event->value = state->relock;
  }
  if (pending->kind == EVENT_ATOMIC_EXCHANGE_DONE && event->flags & EVENT_VALUE_KNOWN && event->value != event->before)
    event->kind = EVENT_ATOMIC_EXCHANGE_FAILED;
  struct places places;
  find_places(event, &places);
  for (uint32_t i = 0; i < places.count; i++) use_slot(order, places.keys[i]);
  const uint32_t place = new_clock(order, pending->thread);
  find_races(order, event, &places, clock_at(order, place));
  order->n_clocks--;
  return order->races.count > 0;
}
