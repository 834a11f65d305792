/* SPDX-License-Identifier: MIT
 *
 * Places where a data race cannot be new. For each eight bytes the classes of their accesses are remembered from run to
 * run: which thread, at which site, of which kind, which bytes. When no run has added a class for a while, and a
 * warning is known for every two of them that could race, the place is settled: an access of a class that is known is
 * not compared with earlier ones any more, since whatever it races with has been warned of. The same holds where no two
 * classes can race, as when all accesses are atomic.
 *
 * An access of a new class to a settled place would have to be compared with accesses that nobody has remembered. Then
 * the run is made again, with no place settled. That is rare, and bounded: after MOST_REPETITIONS nothing is settled.
 */
#include "settled.h"
#include "ends.h"
#include "warnings.h"

#define FIRST_LOOK 16u
#define LOOK_FACTOR 16u
#define LAST_LOOK 4096u
#define MOST_REPETITIONS 8u

void settled_begin_run(void) {
  struct races *race = &rt->race;
  race->again = false;
  if (!race->settling) race->settling = 1;
  /* What a run prints can be seen, and a debugger sees all of it: neither is repeated. */
  const bool may_settle =
      race->n_repetitions < MOST_REPETITIONS && !(rt->plan->flags & PLAN_OUTPUT) && !rt->kernel_threads;
  race->settled_now = may_settle ? race->settling : NOTHING_SETTLED;
}

static struct race_access access_of(uint64_t class) {
  return (struct race_access){.site = (site_id) class,
                              .thread = (thread_id)(class >> 32),
                              .kind = (uint8_t)(class >> 48),
                              .bytes = class >> 56};
}

/* A race of the two would be a new warning; one that ends the run is never known. */
static bool is_open(uint64_t first, uint64_t second) {
  const struct race_access a = access_of(first), b = access_of(second);
  if (a.thread == b.thread || !(a.bytes & b.bytes) || !races_conflict(a.kind, b.kind)) return false;
  return rt->channel->options & RUN_RACES_END || !warnings_has(WARNING_DATA_RACE, a.site, b.site);
}

static bool is_any_open(const struct race_place *place) {
  for (unsigned i = 0; i < RACE_CLASSES; i++)
    for (unsigned j = 0; j < i; j++)
      if (place->classes[i] && place->classes[j] && is_open(place->classes[i], place->classes[j])) return true;
  return false;
}

void settled_look_at(struct race_place *place) {
  if (rt->race.settled_now == NOTHING_SETTLED || place->is_hopeless || place->settled == rt->race.settling) return;
  if (place->settled || !place->next_look) { /* some place was settled too early, or this is the first run */
    place->settled = place->quiet_runs = 0;
    place->next_look = FIRST_LOOK;
  }
  if (++place->quiet_runs < place->next_look) return;
  if (!is_any_open(place))
    place->settled = rt->race.settling;
  else if (place->next_look >= LAST_LOOK)
    place->is_hopeless = true;
  else
    place->next_look *= LOOK_FACTOR;
}

/* An attempt or a trial that is cut short here has shown nothing. */
static _Noreturn void repeat_run(void) {
  rt->race.settling++;
  rt->race.n_repetitions++;
  rt->race.again = true;
  rt->attempt = (struct spin_attempt){0};
  rt->trial = false;
  finish_run(OUTCOME_STOPPED, 0, 0);
}

static unsigned probe(uint64_t class, unsigned i) {
  return (race_class_slot(class) + i) % RACE_CLASSES;
}

bool race_place_has_elsewhere(const struct race_place *place, uint64_t class) {
  for (unsigned i = 1; i < RACE_PROBES; i++)
    if (place->classes[probe(class, i)] == class) return true;
  return false;
}

static void add_class(struct race_place *place, uint64_t class) {
  unsigned i = 0;
  while (i + 1 < RACE_PROBES && place->classes[probe(class, i)]) i++;
  uint64_t *slot = &place->classes[probe(class, i)];
  place->is_hopeless = *slot; /* too many */
  if (!*slot) *slot = class;
  place->quiet_runs = 0;
}

bool settled_notes(struct race_place *place, uint64_t class) {
  if (place->is_hopeless) return false;
  const bool is_known = race_place_has(place, class);
  if (place->settled == rt->race.settled_now) {
    if (!is_known) repeat_run();
    return true;
  }
  if (!is_known) add_class(place, class);
  return false;
}
