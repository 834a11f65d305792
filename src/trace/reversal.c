/* SPDX-License-Identifier: MIT
 *
 * Reversing a race: which steps come first then, and what the later step of the race will be in its new place
 * (docs/algorithms/dpor.md). The writes of what is left out are taken back, so that a compare-and-exchange is known to
 * succeed or to fail there.
 */
#include "base/error.h"
#include "trace/order_internal.h"
#include "trace/tally.h"

#include <stdlib.h>
#include <string.h>

#define FEW_STEPS 256u

/* Before this step, all steps of the thread come before `earlier` or are reversed; none of the later ones are. What is
 * reversed of a thread's steps after `earlier` is a beginning of them. */
static uint32_t end_of_reversed(const struct order *order, uint32_t earlier, thread_id thread) {
  for (size_t i = order->reversed.count; i-- > 0;)
    if (order->steps.items[order->reversed.items[i]].event.thread == thread) return order->reversed.items[i] + 1;
  return earlier;
}

/* The first step with which a thread took the lock and since which it holds it where the reversal would end; `length`
 * none. What counts is what comes before `earlier`, and the reversed steps. */
static uint32_t find_reader(const struct order *order, const struct event *event, uint32_t earlier) {
  uint32_t reader = (uint32_t)order->steps.count;
  for (thread_id thread = 0; thread < order->threads.count; thread++) {
    const uint32_t end = end_of_reversed(order, earlier, thread);
    const uint32_t since = tallies_find(order->tallies, event->object, thread, end).since;
    if (since && since - 1 < reader) reader = since - 1;
  }
  return reader;
}

/* Takes the step and what happens after it out of the reversal. */
static void leave_out(struct order *order, uint32_t step) {
  size_t kept = 0;
  for (size_t i = 0; i < order->reversed.count; i++) {
    const uint32_t other = order->reversed.items[i];
    if (other != step && !happens_before(order, step, other)) order->reversed.items[kept++] = other;
  }
  order->reversed.count = kept;
}

/* Does the step happen before the step that the later one's thread took before? */
static bool must_come_before(const struct order *order, uint32_t step, uint32_t later, thread_id thread) {
  const step_list *list = &order->steps_of.items[thread];
  const size_t count = order_steps_before(list, later);
  if (count == 0 || list->items[count - 1] < step) return false;
  return list->items[count - 1] == step || happens_before(order, step, list->items[count - 1]);
}

/* Readers keep a writer out: those that began after the earlier step must not. */
static bool leave_out_readers(struct order *order, const struct event *event, uint32_t earlier, uint32_t later) {
  for (;;) {
    const uint32_t reader = find_reader(order, event, earlier);
    if (reader == order->steps.count) return true;
    if (reader < earlier || must_come_before(order, reader, later, event->thread)) return false;
    leave_out(order, reader);
  }
}

uint64_t order_arrived_before(const struct order *order, uint32_t step, const struct event *event) {
  for (uint32_t e = order_newest_before(order, event->object >> 3, step); e; e = order->entries.items[e - 1].previous) {
    const uint32_t other = order->entries.items[e - 1].step;
    const struct event *arrival = &order->steps.items[other].event;
    if (other >= step || !event_arrives(arrival) || arrival->object != event->object) continue;
    return arrival->value >= arrival->size ? 0 : arrival->value;
  }
  return 0;
}

static uint64_t arrivals_in_reversal(const struct order *order, const struct event *event) {
  uint64_t count = 0;
  for (size_t i = 0; i < order->reversed.count; i++) {
    const struct event *other = &order->steps.items[order->reversed.items[i]].event;
    count += event_arrives(other) && other->object == event->object;
  }
  return count;
}

/* ---- what the later step of a race will be in its new place ---- */

/* Takes the event's write back. False: what was there before is not known. */
static bool take_back(const struct event *event, const struct event *exchange, uint8_t *bytes) {
  if (event_effect_of(event) == EFFECT_STOPS) return false; /* it may have been a write */
  if (!event_writes_bytes(event) || !events_overlap(event, exchange)) return true;
  if (event->size > 8 || event_is_lifetime(event)) return false;
  for (uint64_t i = 0; i < event->size; i++) {
    const uint64_t place = event->object + i - exchange->object;
    if (place < exchange->size) bytes[place] = (uint8_t)(event->before >> 8 * i);
  }
  return true;
}

/* The step, and what it did in its atomic section, which is from `*inner` back. */
static bool take_back_step(const struct order *order, uint32_t step, const struct event *exchange, uint8_t *bytes,
                           size_t *inner) {
  while (*inner > 0 && order->inner.items[*inner - 1].step > step) --*inner;
  while (*inner > 0 && order->inner.items[*inner - 1].step == step)
    if (!take_back(&order->inner.items[--*inner].event, exchange, bytes)) return false;
  return take_back(&order->steps.items[step].event, exchange, bytes);
}

static bool is_left_out(const struct order *order, uint32_t earlier, uint32_t step) {
  return step == earlier || happens_before(order, earlier, step);
}

/* Is a step between the two, or the earlier one, that may touch anything left out of the reversal? */
static bool leaves_out_wide(const struct order *order, uint32_t earlier, uint32_t later) {
  for (size_t i = order->wides.count; i-- > 0 && order->wides.items[i] >= earlier;)
    if (order->wides.items[i] < later && is_left_out(order, earlier, order->wides.items[i])) return true;
  return false;
}

static bool take_back_all(const struct order *order, uint32_t earlier, uint32_t later, const struct event *exchange,
                          uint8_t *bytes) {
  size_t inner = order->inner.count;
  for (uint32_t step = later; step-- > earlier;)
    if (is_left_out(order, earlier, step) && !take_back_step(order, step, exchange, bytes, &inner)) return false;
  return true;
}

/* The same where all that touched the bytes is in their chains. */
static bool take_back_chains(const struct order *order, uint32_t earlier, uint32_t later, const struct event *exchange,
                             uint8_t *bytes) {
  struct places places = {0};
  order_memory_places(exchange, &places);
  for (uint32_t i = 0; i < places.count; i++) {
    for (uint32_t e = order_newest_before(order, places.keys[i], later); e; e = order->entries.items[e - 1].previous) {
      const uint32_t step = order->entries.items[e - 1].step;
      if (step < earlier) break;
      if (step < later && is_left_out(order, earlier, step) &&
          !take_back(&order->steps.items[step].event, exchange, bytes))
        return false;
    }
  }
  return true;
}

/* What the compare-and-exchange will find: what it found, without the steps that are not in the reversal. */
static bool find_bytes(const struct order *order, uint32_t earlier, uint32_t later, const struct event *exchange,
                       uint64_t *found) {
  uint8_t bytes[8];
  const uint64_t value = kind_failed(exchange->kind) ? exchange->value : exchange->before;
  memcpy(bytes, &value, sizeof bytes);
  const bool is_known = leaves_out_wide(order, earlier, later)
                            ? take_back_all(order, earlier, later, exchange, bytes)
                            : take_back_chains(order, earlier, later, exchange, bytes);
  memcpy(found, bytes, sizeof bytes);
  return is_known;
}

static void expect_exchange(const struct order *order, uint32_t earlier, uint32_t later,
                            struct reversal_steps *reversal) {
  struct event *exchange = &reversal->last;
  uint64_t found;
  reversal->is_guess |= exchange->size > 8 || !find_bytes(order, earlier, later, exchange, &found);
  const bool fails = !reversal->is_guess && found != exchange->before;
  const uint8_t attempted = kind_attempted(exchange->kind);
  exchange->kind = fails ? kind_in_vain(attempted) : attempted;
}

static void give_token(struct event *event, bool needs_no_post) {
  event->kind = kind_attempted(event->kind);
  event->flags &= (uint8_t)~EVENT_NEEDS_NO_POST;
  if (needs_no_post) event->flags |= EVENT_NEEDS_NO_POST;
}

static bool takes_token_of(const struct event *event, uint64_t semaphore) {
  return event_takes_token(event) && event->object == semaphore;
}

/* Is one of those between the two that take a token left out of the reversal? */
static bool leaves_out_taker(const struct order *order, uint32_t earlier, uint32_t later, uint64_t semaphore) {
  for (uint32_t e = order_newest_before(order, semaphore >> 3, later); e; e = order->entries.items[e - 1].previous) {
    const uint32_t step = order->entries.items[e - 1].step;
    if (step < earlier) return false;
    if (takes_token_of(&order->steps.items[step].event, semaphore) && is_left_out(order, earlier, step)) return true;
  }
  return false;
}

static bool touches_semaphore(const struct event *event, uint64_t semaphore) {
  if (event_class_of(event) == CLASS_SEMAPHORE) return event->object == semaphore;
  return event_is_lifetime(event) && semaphore - event->object < event->size;
}

/* Is something left out of the reversal that touches the semaphore and is not in its chain: a step that depends on
 * everything, or a part of an atomic section? */
static bool leaves_out_unlisted(const struct order *order, uint32_t earlier, uint32_t later, uint64_t semaphore) {
  for (size_t i = order->wides.count; i-- > 0 && order->wides.items[i] >= earlier;) {
    const uint32_t step = order->wides.items[i];
    if (step < later && is_left_out(order, earlier, step) &&
        touches_semaphore(&order->steps.items[step].event, semaphore))
      return true;
  }
  for (size_t i = order->inner.count; i-- > 0 && order->inner.items[i].step >= earlier;) {
    const uint32_t step = order->inner.items[i].step;
    if (step < later && is_left_out(order, earlier, step) && touches_semaphore(&order->inner.items[i].event, semaphore))
      return true;
  }
  return false;
}

/* Will it be one of those who get a token that the semaphore had at first? There are as many such tokens as takers
 * before it that had one, as it had none itself. */
static bool moves_up(const struct order *order, uint32_t earlier, uint32_t later, uint64_t semaphore) {
  uint64_t tokens = 0, takers = 0;
  for (uint32_t e = order_newest_before(order, semaphore >> 3, later); e; e = order->entries.items[e - 1].previous) {
    const uint32_t step = order->entries.items[e - 1].step;
    const struct event *event = &order->steps.items[step].event;
    if (!takes_token_of(event, semaphore)) continue;
    tokens += (event->flags & EVENT_NEEDS_NO_POST) != 0;
    takers += step < earlier || !is_left_out(order, earlier, step);
  }
  return takers < tokens;
}

/* Where another got a token, there is one. Without others that took one, it may get one of the first. Of pending
 * operations it is not known whether they need a post. */
static void expect_token(const struct order *order, uint32_t earlier, uint32_t later, struct reversal_steps *reversal) {
  const struct event *first = &order->steps.items[earlier].event;
  struct event *event = &reversal->last;
  if (event_takes_token(first))
    give_token(event, first->flags & EVENT_NEEDS_NO_POST);
  else if (later == order->steps.count || event_is_lifetime(first) ||
           leaves_out_unlisted(order, earlier, later, event->object))
    reversal->is_guess = true;
  else if (!(event_takes_token(event) && event->flags & EVENT_NEEDS_NO_POST) &&
           leaves_out_taker(order, earlier, later, event->object) && moves_up(order, earlier, later, event->object))
    give_token(event, true);
}

/* Of a semaphore, whether it got one or not. */
static bool wants_token(const struct event *event) {
  return event_class_of(event) == CLASS_SEMAPHORE && kind_need(kind_attempted(event->kind)) == NEEDS_TOKEN;
}

/* Without a write of the word, it may be as expected, or not. */
static void expect_word(const struct event *earlier, struct reversal_steps *reversal) {
  if (event_class_of(earlier) != CLASS_MEMORY) return;
  reversal->last.kind = kind_attempted(reversal->last.kind);
  reversal->is_guess = true;
}

/* What the later event will be in the place of the earlier one. */
static void expect(const struct order *order, uint32_t earlier_step, uint32_t later_step, const struct event *later,
                   struct reversal_steps *reversal) {
  const struct event *earlier = &order->steps.items[earlier_step].event;
  struct event *event = &reversal->last;
  *event = *later;
  event->alternative = 0;
  event->alternatives = 1;
  reversal->is_guess = event_effect_of(later) == EFFECT_STOPS;
  if (event_is_exchange(later)) expect_exchange(order, earlier_step, later_step, reversal);
  if (wants_token(later)) expect_token(order, earlier_step, later_step, reversal);
  if (kind_effect(kind_attempted(later->kind)) == EFFECT_SLEEPS) expect_word(earlier, reversal);
  switch (event_effect_of(later)) {
  case EFFECT_RELOCKS:
    if (event_is_signal(earlier)) event->kind = kind_in_vain(event->kind);
    if (later->flags & EVENT_PARKED) event->flags |= EVENT_OF_ALL; /* it is cancelled */
    break;
  case EFFECT_ENTERS: event->value = 0; break;
  case EFFECT_HANDLES:
  case EFFECT_CHECKS: /* without the request it is the operation that the thread stood before */
    if (later->flags & EVENT_PARKED) event->flags |= EVENT_OF_ALL;
    break;
  case EFFECT_ARRIVES:
    event->value = order_arrived_before(order, earlier_step, later) + arrivals_in_reversal(order, later) + 1;
    break;
  default: break;
  }
  reversal->is_guess |= event_effect_of(earlier) == EFFECT_MOVES; /* it slept on another word */
  reversal->is_guess |= (event->flags & EVENT_OF_ALL) != 0;
}

static int compare_ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

static void find_reversed_by_thread(struct order *order, uint32_t earlier) {
  const thread_id own = order->steps.items[earlier].event.thread;
  bool is_sorted = true;
  for (thread_id thread = 0; thread < order->steps_of.count; thread++) {
    const step_list *list = &order->steps_of.items[thread];
    if (thread == own || list->count == 0 || list->items[list->count - 1] < earlier) continue;
    const size_t first = order_steps_before(list, earlier), end = order_steps_not_after(order, list, earlier);
    if (first < end && order->reversed.count > 0) is_sorted = false;
    for (size_t i = first; i < end; i++) vector_push(&order->reversed, list->items[i]);
  }
  if (!is_sorted) qsort(order->reversed.items, order->reversed.count, sizeof(uint32_t), compare_ascending);
}

/* The steps later than `earlier` that do not happen after it: few steps are looked at one by one, of many the ends are
 * searched for, thread by thread. */
static void find_reversed(struct order *order, uint32_t earlier) {
  order->reversed.count = 0;
  if (order->steps.count - earlier > FEW_STEPS) {
    find_reversed_by_thread(order, earlier);
    return;
  }
  while (order->reversed.capacity < FEW_STEPS)
    order->reversed.items = memory_grow(order->reversed.items, &order->reversed.capacity, sizeof(uint32_t));
  const uint32_t *known = order->clocks.items + order->steps.items[earlier].event.thread; /* of that thread */
  uint32_t *reversed = order->reversed.items;
  for (uint32_t step = earlier + 1; step < order->steps.count; step++) {
    *reversed = step;
    reversed += known[(size_t)order->steps.items[step].clock * order->width] <= earlier;
  }
  order->reversed.count = (size_t)(reversed - order->reversed.items);
}

bool order_reverse(struct order *order, const struct race *race, uint32_t later, const struct event *event,
                   struct reversal_steps *reversal) {
  find_reversed(order, race->earlier);
  if (kind_need(event->kind) == NEEDS_UNUSED && kind_waits(event->kind) && !(event->flags & EVENT_GIVES_UP) &&
      !event->value && !leave_out_readers(order, event, race->earlier, later))
    return false;
  reversal->steps = order->reversed.items;
  reversal->count = order->reversed.count;
  expect(order, race->earlier, later, event, reversal);
  reversal->first = reversal->count ? order->steps.items[reversal->steps[0]].event : reversal->last;
  if (event_arrives(&reversal->first))
    reversal->first.value = order_arrived_before(order, race->earlier, &reversal->first) + 1;
  return true;
}

size_t order_bring_forward(struct order *order, struct reversal_steps *reversal, uint32_t later) {
  const uint32_t *clock = clock_at(order, order->steps.items[later].clock);
  bool is_before = false;
  size_t count = 0;
  order->others.count = 0;
  for (size_t i = 0; i < order->reversed.count; i++) {
    const uint32_t step = order->reversed.items[i];
    const struct event *event = &order->steps.items[step].event;
    if (says_who_could_move(event)) is_before = step < later && clock[event->thread] > step;
    if (is_before)
      order->reversed.items[count++] = step;
    else
      vector_push(&order->others, step);
  }
  if (order->others.count > 0)
    memcpy(&order->reversed.items[count], order->others.items, order->others.count * sizeof(uint32_t));
  reversal->steps = order->reversed.items;
  return count;
}

bool order_is_weak_initial(const struct order *order, const struct event *first,
                           const struct reversal_steps *reversal) {
  struct event moved = *first;
  for (size_t i = 0; i < reversal->count; i++) {
    const struct event *event = &order->steps.items[reversal->steps[i]].event;
    if (event->thread == moved.thread) return event->alternative == moved.alternative;
    if (events_depend(&moved, event)) return false;
    event_pass(&moved, event);
  }
  return reversal->last.thread == moved.thread || !events_depend(&moved, &reversal->last);
}
