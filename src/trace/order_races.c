/* SPDX-License-Identifier: MIT
 *
 * The races of a step with earlier ones, and its clock: which earlier steps it depends on, and which of these could
 * have come after it (docs/algorithms/dpor.md).
 */
#include "trace/order_internal.h"
#include "trace/tally.h"

#include <stdlib.h>

#define DEPENDENCE_FLAGS (EVENT_OF_ALL | EVENT_NEEDS_NO_POST | EVENT_PREFERS_WRITERS)

/* The first step of the thread that is `earlier` or happens after it; the length when there is none. */
static uint32_t first_after(const struct order *order, uint32_t earlier, thread_id thread) {
  const step_list *list = &order->steps_of.items[thread];
  if (order->steps.items[earlier].event.thread == thread) return earlier;
  const size_t i = order_steps_not_after(order, list, earlier);
  return i < list->count ? list->items[i] : (uint32_t)order->steps.count;
}

/* ---- which earlier steps an event depends on ---- */

/* Do the same events depend on both, which one thread performed? Then all that the later one depends on and that came
 * before the earlier one happens before that. */
static bool is_repetition(const struct event *earlier, const struct event *event) {
  return earlier->kind == event->kind && earlier->object == event->object && earlier->size == event->size &&
         !((earlier->flags ^ event->flags) & DEPENDENCE_FLAGS) && event_mutex(earlier) == event_mutex(event) &&
         event_finds_done(earlier) == event_finds_done(event);
}

/* Everything earlier in the chain that depends on `event` depends on `earlier` too. */
static bool closes_chain(const struct event *earlier, uint8_t earlier_mask, const struct event *event, uint8_t mask) {
  const uint64_t mutex = event_mutex(earlier);
  if (mutex && mutex == event_mutex(event)) return true;
  if (event_reads_word(event)) return false; /* wakes and writes of the word know nothing of each other */
  switch (event_class_of(earlier)) {
  case CLASS_MEMORY: return event_writes(earlier) && (mask & ~earlier_mask) == 0;
  case CLASS_MUTEX:
  case CLASS_SPINLOCK:
  case CLASS_BINARY:
  case CLASS_MONITOR:
  case CLASS_DESCRIPTOR:
  case CLASS_THREAD: return true;
  case CLASS_ONCE: return !event_finds_done(earlier);
  case CLASS_RWLOCK: return event_writes(earlier);
  case CLASS_CONDITION: return event_is_signal(earlier);
  case CLASS_SEMAPHORE: return !event_gives_token(earlier) && !event_takes_token(earlier);
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

static void look_at_chain(struct order *order, const struct event *event, const uint32_t *clock, uint32_t slot,
                          uint8_t mask) {
  const bool can_wait = event_can_wait(event);
  for (uint32_t e = order->slots[slot].newest; e; e = order->entries.items[e - 1].previous) {
    const struct entry *entry = &order->entries.items[e - 1];
    const struct event *earlier = &order->steps.items[entry->step].event;
    if (earlier->thread == event->thread && is_repetition(earlier, event)) return;
    if (!events_depend(earlier, event)) continue;
    const bool known = clock[earlier->thread] > entry->step;
    if (!known) add_candidate(order, entry->step);
    const bool ends = known || (!can_wait && is_reversible(earlier, event));
    if (ends && closes_chain(earlier, entry->mask, event, mask)) return;
  }
}

/* Arrivals depend on those of the round before, and through them on all earlier ones. */
static void look_at_arrivals(struct order *order, const struct event *event, const uint32_t *clock, uint32_t slot) {
  uint64_t same_round = event->value - 1, before = event->size;
  const uint32_t newest = order->slots[slot].newest;
  for (uint32_t e = newest; e && before; e = order->entries.items[e - 1].previous) {
    const uint32_t step = order->entries.items[e - 1].step;
    const struct event *earlier = &order->steps.items[step].event;
    const bool is_arrival = event_arrives(earlier) && earlier->object == event->object;
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
  for (uint32_t i = 0; i < places->count; i++)
    if (event_arrives(event))
      look_at_arrivals(order, event, clock, places->slots[i]);
    else
      look_at_chain(order, event, clock, places->slots[i], places->masks[i]);
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

/* Of threads above 63. */
static uint32_t search_enabler(const struct order *order, thread_id thread, uint32_t since) {
  for (uint32_t step = (uint32_t)order->steps.count; step-- > since;)
    if (says_who_could_move(&order->steps.items[step].event) && !could_move(order, step, thread)) return step + 1;
  return 0;
}

/* 1 + the last step at which the thread stood before its operation and could not move, 0 none. */
static uint32_t find_enabler(const struct order *order, thread_id thread) {
  const uint32_t since = ready_since(order, thread);
  if (thread >= 64) return search_enabler(order, thread, since);
  if (order->said <= since) return 0;
  const bool can_move = order->steps.items[order->said - 1].enabled >> thread & 1;
  const uint32_t held = can_move ? order->held[thread] : order->said;
  return held > since ? held : 0;
}

/* ---- whether the reversal lets it move ---- */

#define NOWHERE UINT32_MAX

/* Do all later steps follow that the event depends on? Others come first in a reversal, and may change whether its
 * thread can move. */
static bool all_follow(const struct order *order, uint32_t step, const struct event *event) {
  for (uint32_t later = step + 1; later < order->steps.count; later++)
    if (!happens_before(order, step, later) && events_depend(&order->steps.items[later].event, event)) return false;
  return true;
}

/* Can it change whether a poll can move? */
static bool touches_descriptors(const struct event *event) {
  return event_class_of(event) == CLASS_DESCRIPTOR || event_dependence_of(event) == DEPENDENCE_GLOBAL;
}

/* Where the thread stood before its poll and the descriptors were as they are in the reversal: of the steps that touch
 * them, all that come first there had been, and none that is left out. */
static uint32_t find_same_descriptors(const struct order *order, uint32_t step, thread_id thread) {
  const uint32_t length = (uint32_t)order->steps.count, since = ready_since(order, thread);
  uint32_t place = step > since ? step : since, end = length;
  for (uint32_t i = step; i < length; i++) {
    if (!touches_descriptors(&order->steps.items[i].event)) continue;
    const bool comes_first = i != step && !happens_before(order, step, i);
    if (comes_first && end < i) return NOWHERE;
    if (comes_first && place <= i) place = i + 1;
    if (!comes_first && i < end) end = i;
  }
  while (place < length && !says_who_could_move(&order->steps.items[place].event)) place++;
  return place <= end ? place : NOWHERE;
}

/* Waits for descriptors and for nothing else: a loop that is parked before a poll and watches one value watches that of
 * a descriptor. */
static bool waits_for_descriptors(const struct event *event) {
  return kind_need(event->kind) == NEEDS_READINESS && !(event->flags & EVENT_OF_ALL);
}

/* Does it depend on steps that commute with each other? Those that wait for one object do not, where nothing is
 * counted: what can let them move follows all that they depend on. */
static bool depends_on_others(const struct event *event) {
  return event->flags & EVENT_PARKED || event_dependence_of(event) == DEPENDENCE_GLOBAL;
}

/* The step at which the thread could move if it can in the reversal, and only then. */
static uint32_t find_same_place(const struct order *order, uint32_t step, const struct event *event) {
  if (waits_for_descriptors(event)) {
    const uint32_t place = find_same_descriptors(order, step, event->thread);
    return place == order->steps.count && order->is_pending ? NOWHERE : place;
  }
  const bool stood_there = step >= ready_since(order, event->thread);
  return stood_there && (!depends_on_others(event) || all_follow(order, step, event)) ? step : NOWHERE;
}

/* ---- counting tokens and messages ---- */

/* What the threads did to the object before `earlier`, and behind it without happening after it. */
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
  return kind_need(event->kind) == NEEDS_MESSAGE ? messages > 0 : messages < event->size;
}

/* ---- races ---- */

static void add_race(struct order *order, uint32_t step, bool is_unsure) {
  const struct race race = {step, is_unsure};
  vector_push(&order->races, race);
}

static bool is_race(const struct order *order, uint32_t step, const struct event *event, bool *is_unsure) {
  const struct event *earlier = &order->steps.items[step].event;
  *is_unsure = false;
  switch (events_reversal(earlier, event)) {
  case REVERSAL_NEVER: return false;
  case REVERSAL_ALWAYS: return true;
  case REVERSAL_COUNT:
    if (event_class_of(event) == CLASS_PORT) {
      *is_unsure = order->ports_meet;
      return order->ports_meet || can_pass_message(order, step, event);
    }
    return event_class_of(event) != CLASS_SEMAPHORE || has_token_without(order, step, event);
  case REVERSAL_ASK: break;
  }
  const uint32_t place = find_same_place(order, step, event);
  *is_unsure = place == NOWHERE;
  return *is_unsure || could_move(order, place, event->thread);
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
    if (!is_known && (!kind_waits(event->kind) || event->flags & EVENT_GIVES_UP))
      add_race(order, owner->last - 1, false);
    join(order, clock, owner->clock - 1);
    return;
  }
}

/* The signal that woke the thread: before it, the thread could at most have given up; or, with a request to cancel it,
 * have moved wherever the mutex was free. */
static void follow_signal(struct order *order, const struct event *event, uint32_t *clock) {
  const uint32_t woken = order->threads.items[event->thread].woken;
  if (event_effect_of(event) != EFFECT_RELOCKS || !woken) return;
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
static void find_any_races(struct order *order, const struct event *event, const struct places *places,
                           uint32_t *clock) {
  order->late.count = 0;
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
}

/* Waits for a mutex that was free then, and did not give up. */
static bool waits_for_mutex(const struct event *event) {
  const uint8_t unusual = EVENT_GIVES_UP | EVENT_PARKED | EVENT_NESTED;
  return event_class_of(event) == CLASS_MUTEX && kind_need(event->kind) == NEEDS_FREE && kind_waits(event->kind) &&
         !(event->flags & unusual);
}

/* is_race(), where most pairs are of one mutex, which the later one waits for: it could have come before another that
 * took it, and not before one that gave it back. */
static inline bool is_race_in_chain(const struct order *order, uint32_t step, const struct event *event,
                                    bool waits_for_mutex, bool *is_unsure) {
  const struct event *earlier = &order->steps.items[step].event;
  *is_unsure = false;
  if (waits_for_mutex && event_class_of(earlier) == CLASS_MUTEX) {
    if (event_takes_free_lock(earlier)) return true;
    if (event_effect_of(earlier) == EFFECT_GIVES && !earlier->value) return false;
  }
  return is_race(order, step, event, is_unsure);
}

static inline bool depend_in_chain(const struct event *earlier, const struct event *event) {
  if (event_class_of(event) == CLASS_MUTEX && event_class_of(earlier) == CLASS_MUTEX)
    return earlier->object == event->object;
  return events_depend(earlier, event);
}

/* The same for an event in one chain: the candidates come in their order, and each is judged when it comes. What the
 * thread knew before the event ends the search, not what it learns from its races. */
static void find_chain_races(struct order *order, const struct event *event, uint32_t slot, uint8_t mask,
                             uint32_t *clock) {
  const bool can_wait = event_can_wait(event), takes_mutex = waits_for_mutex(event);
  const uint32_t own = order->threads.items[event->thread].clock;
  const uint32_t *before = own ? clock_at(order, own - 1) : NULL;
  order->late.count = 0;
  for (uint32_t e = order->slots[slot].newest; e; e = order->entries.items[e - 1].previous) {
    const struct entry *entry = &order->entries.items[e - 1];
    const struct step_record *earlier = &order->steps.items[entry->step];
    bool is_unsure;
    if (entry->thread == event->thread && is_repetition(&earlier->event, event)) break;
    if (!depend_in_chain(&earlier->event, event)) continue;
    if (before && before[entry->thread] > entry->step) {
      if (closes_chain(&earlier->event, entry->mask, event, mask)) break;
      continue;
    }
    const bool races = is_race_in_chain(order, entry->step, event, takes_mutex, &is_unsure);
    if (clock[entry->thread] > entry->step) {
      if (can_wait && races && !is_unsure) add_race(order, entry->step, false);
    } else {
      if (races) add_race(order, entry->step, is_unsure);
      if (races && !is_unsure)
        join(order, clock, earlier->clock);
      else
        vector_push(&order->late, entry->step);
    }
    if (!can_wait && is_reversible(&earlier->event, event) && closes_chain(&earlier->event, entry->mask, event, mask))
      break;
  }
  for (size_t i = 0; i < order->late.count; i++) join(order, clock, order->steps.items[order->late.items[i]].clock);
}

/* Is the chain all that its races are found by? */
static bool is_in_one_chain(const struct order *order, const struct event *event, const struct places *places) {
  if (order->wides.count > 0 || places->count != 1) return false;
  if (event_arrives(event) || event_effect_of(event) == EFFECT_RELOCKS) return false;
  return event_class_of(event) != CLASS_MUTEX || event->value != OWNER_DIED;
}

/* The same for a small access: it depends on accesses of the same bytes alone, and races with each of them that it does
 * not know. */
static void find_access_races(struct order *order, const struct event *event, uint32_t slot, uint8_t mask,
                              uint32_t *clock) {
  const bool writes = event_writes(event);
  for (uint32_t e = order->slots[slot].newest; e; e = order->entries.items[e - 1].previous) {
    const struct entry *entry = &order->entries.items[e - 1];
    const struct step_record *earlier = &order->steps.items[entry->step];
    if (entry->thread == event->thread && is_repetition(&earlier->event, event)) return;
    if (entry->access == NOT_MEMORY || !(entry->mask & mask)) continue;
    if (!writes && entry->access != DEPENDENCE_WRITES) continue;
    if (clock[entry->thread] <= entry->step) {
      add_race(order, entry->step, false);
      join(order, clock, earlier->clock);
    }
    if (entry->access == DEPENDENCE_WRITES && !(mask & ~entry->mask)) return;
  }
}

void order_find_races(struct order *order, const struct event *event, const struct places *places, uint32_t *clock) {
  const uint32_t enabler = find_enabler(order, event->thread);
  order->races.count = 0;
  if (order->wides.count == 0 && places->is_small)
    find_access_races(order, event, places->slots[0], places->masks[0], clock);
  else if (is_in_one_chain(order, event, places))
    find_chain_races(order, event, places->slots[0], places->masks[0], clock);
  else
    find_any_races(order, event, places, clock);
  if (enabler) join(order, clock, order->steps.items[enabler - 1].clock);
}
