/* SPDX-License-Identifier: MIT
 *
 * The last event that gave what an event takes, if it was another thread's. What an event gives and takes follows from
 * its effect (src/model/kinds.h).
 */
#include "report/page/page.h"

#include "base/number_map.h"
#include "model/kinds.h"

#define LOOK_BACK 20

typedef NUMBER_MAP(uint32_t) last_events; /* by object and kind of gift: 1 + the event */

enum gift { GIFT_NONE, GIFT_VALUE, GIFT_LOCK, GIFT_SIGNAL, GIFT_TOKEN, GIFT_END };

static const char *const words[] = {"",         "reads what was written",  "gets the lock",
                                    "is woken", "gets what was put there", "waited for the end"};

static enum gift given_by(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_WRITES:
  case EFFECT_UPDATES: return GIFT_VALUE;
  case EFFECT_GIVES:
  case EFFECT_UNSHARES: return GIFT_LOCK;
  case EFFECT_SIGNALS:
  case EFFECT_SIGNALS_ALL:
  case EFFECT_SIGNALS_AND_GIVES:
  case EFFECT_HANDS_OVER:
  case EFFECT_WAKES: return GIFT_SIGNAL;
  case EFFECT_GIVES_TOKEN:
  case EFFECT_RAISES:
  case EFFECT_SENDS:
  case EFFECT_FILLS:
  case EFFECT_ARRIVES: return GIFT_TOKEN;
  default: return GIFT_NONE;
  }
}

static enum gift taken_by(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_READS:
  case EFFECT_UPDATES: return GIFT_VALUE;
  case EFFECT_TAKES:
  case EFFECT_SHARES: return GIFT_LOCK;
  case EFFECT_RELOCKS:
  case EFFECT_RESUMES:
  case EFFECT_AWAKES: return GIFT_SIGNAL;
  case EFFECT_TAKES_TOKEN:
  case EFFECT_LOWERS:
  case EFFECT_RECEIVES:
  case EFFECT_DRAINS:
  case EFFECT_LEAVES: return GIFT_TOKEN;
  case EFFECT_JOINS: return GIFT_END;
  default: return GIFT_NONE;
  }
}

static uint64_t key_of(uint64_t object, enum gift gift) {
  return hash_mix(object, gift) | 1;
}

/* Reading the same again is no news. */
static bool has_it_already(const handover_list *list, const struct trace_view *trace, uint32_t from, uint32_t to) {
  for (size_t i = list->count; i > 0 && i + LOOK_BACK > list->count; i--) {
    const struct handover *before = &list->items[i - 1];
    if (before->from == from && trace->events[before->to].thread == trace->events[to].thread) return true;
  }
  return false;
}

static void take(handover_list *list, last_events *last, const struct trace_view *trace, uint32_t i) {
  const struct event *event = &trace->events[i];
  const enum gift gift = taken_by(event);
  if (gift == GIFT_NONE) return;
  const uint32_t *giver = number_map_find(last, key_of(event->object, gift));
  if (giver && trace->events[*giver - 1].thread != event->thread && !has_it_already(list, trace, *giver - 1, i))
    vector_push(list, ((struct handover){*giver - 1, i, words[gift]}));
}

/* A thread's first event comes from its creation. */
static void begin(handover_list *list, last_events *creations, const struct trace_view *trace, uint32_t i) {
  uint32_t *creation = number_map_find(creations, trace->events[i].thread + 1u);
  if (!creation || *creation == 0) return;
  vector_push(list, ((struct handover){*creation - 1, i, "is created"}));
  *creation = 0;
}

void handovers_find(handover_list *list, const struct trace_view *trace) {
  last_events last = {0}, creations = {0};
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    begin(list, &creations, trace, i);
    take(list, &last, trace, i);
    if (given_by(event)) *number_map_add(&last, key_of(event->object, given_by(event))) = i + 1;
    if (event_effect_of(event) == EFFECT_CREATES) *number_map_add(&creations, event->object + 1) = i + 1;
    if (event_effect_of(event) == EFFECT_ENDS) *number_map_add(&last, key_of(event->thread, GIFT_END)) = i + 1;
  }
  number_map_free(&last);
  number_map_free(&creations);
}
