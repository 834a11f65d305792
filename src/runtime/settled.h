/* SPDX-License-Identifier: MIT
 *
 * Places where a data race cannot be new.
 */
#ifndef HEDDLE_RUNTIME_SETTLED_H
#define HEDDLE_RUNTIME_SETTLED_H

#include "runtime.h"

/* What two accesses have in common whose races are the same warning. */
static inline uint64_t race_class(uint8_t kind, uint8_t bytes, thread_id thread, site_id site) {
  return (uint64_t)bytes << 56 | (uint64_t)kind << 48 | (uint64_t)thread << 32 | site;
}

/* A class is at the place that its bits say, mostly, or soon after it. */
#define RACE_PROBES 8u

#define NOTHING_SETTLED UINT32_MAX /* races.settled_now in a run in which nothing is */

static inline unsigned race_class_slot(uint64_t class) {
  return (unsigned)(class * 0x9e3779b97f4a7c15ull >> 48) % RACE_CLASSES;
}

bool race_place_has_elsewhere(const struct race_place *place, uint64_t class);
static inline bool race_place_has(const struct race_place *place, uint64_t class) {
  return place->classes[race_class_slot(class)] == class || race_place_has_elsewhere(place, class);
}

/* Nothing is to be done about the running thread's plain access of these bytes, which lie in one granule with a
 * record. */
static inline bool settled_has(uint8_t kind, uint64_t address, uint64_t size, site_id site) {
  const struct race_place *place = &rt->race.places[*shadow_of(address) & ~SHADOW_RECORD];
  const uint8_t bytes = (uint8_t)(((1u << size) - 1) << (address & 7));
  return place->settled == rt->race.settled_now && race_place_has(place, race_class(kind, bytes, self()->id, site));
}

void settled_begin_run(void);
/* The first access of a run to the place. */
void settled_look_at(struct race_place *place);
/* Notes an access; true if it need not be compared with others. The run may end here, to be made again. */
bool settled_notes(struct race_place *place, uint64_t class);

#endif
