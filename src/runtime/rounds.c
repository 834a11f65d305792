/* SPDX-License-Identifier: MIT
 *
 * Loops that change something and undo it. A thread comes round a loop: it takes a lock, looks, gives the lock back,
 * sleeps. If nobody else interferes, and afterwards its registers, its stack, all that it has written and all
 * locks are as before, the round is null: the thread would repeat it forever, and a run is the same with the round and
 * without it. The thread rests then. It moves again when another thread has done something that does not commute with
 * the round (it is released), or when nobody else can move. docs/algorithms/fairness.md says why nothing is lost.
 *
 *     watched    from a visit of some place to the next: what it performs is noted, with the bytes before each write,
 * and all of its accesses take the slow path, so that writes to private memory are noted too null       same place,
 * same state, nobody else moved, every byte as before, every lock given back that was taken rests      held back; steps
 * of others that depend on the round release it, unless they turn out to be null rounds too let go     it rests, but
 * nobody else can move: it goes round again, and gives way as soon as somebody can exhausted  it went round like that,
 * and nobody could: the threads that rest do so forever
 *
 * What a state cannot show ends the watch: the clock, inputs, calls of what is not followed (thread->unrepeatable).
 *
 * Where to look is learned like shared memory. Now and then a thread is watched from where it happens to be. If that
 * shows a null round, the place is marked by making its site shared; the exploration starts again, and from then on
 * threads are watched whenever they come to that place. So in all runs of an exploration a loop is looked at alike.
 */
#include "rounds.h"
#include "cycles.h"
#include "model/dependence.h"
#include "sharing.h"
#include "spin.h"
#include "terms.h"
#include "trace.h"

#define LOOK_EVERY 31u /* visits; no divisor of how many places most loops have */

/* ---- places ---- */

static bool is_shared(uint64_t address) {
  const struct granule *granule = sharing_record_at(address);
  return granule && granule->shared >> (address & 7) & 1;
}

/* Is any place marked? */
static bool has_marks(void) {
  return is_shared((uint64_t)&rt->n_attentive);
}

static bool is_marked(site_id site) {
  return is_shared(site);
}

static void mark(site_id site) {
  if (is_marked(site)) return;
  rt->has_marked = true;
  sharing_make_shared((uint64_t)&rt->n_attentive, 1);
  sharing_make_shared(site, 1);
}

static void look_again(struct thread *thread) {
  thread->round.is_at_every_visit = thread->is_watched || has_marks();
  thread->until_look = thread->round.is_at_every_visit ? 1 : LOOK_EVERY;
}

void rounds_begin_thread(struct thread *thread) {
  thread->unrepeatable = 0;
  thread->round.n_looks = 0;
  thread->is_watched = thread->rests = false;
  look_again(thread);
}

/* ---- watching ---- */

static void stop_watching(struct thread *thread) {
  cycles_forget();
  thread->is_watched = false;
  rt->n_attentive--;
  rounds_wake(thread);
  sharing_set_owner(thread);
}

/* From here on. */
static void begin_round(struct thread *thread, const struct visit *visit) {
  struct round *round = &thread->round;
  round->anchor = *visit;
  round->state = spin_state_mark(thread, visit);
  round->unrepeatable = thread->unrepeatable;
  round->n_events = round->n_written = round->n_visits = 0;
  round->changes = false;
  round->done = 0;
}

static void watch(struct thread *thread, const struct visit *visit) {
  begin_round(thread, visit);
  thread->round.patience = 1;
  thread->is_watched = true;
  rt->n_attentive++;
  sharing_set_owner(thread);
}

/* ---- what a round does ---- */

static bool is_waited_for(const struct object *condition) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == AT_OPERATION && thread->operation.kind == EVENT_CONDITION_WAKE &&
        thread->operation.object == condition && !thread->signalled)
      return true;
  }
  return false;
}

static bool is_plain_lock(const struct object *object) {
  switch (object->class) {
  case MUTEX_OBJECT: return object->robustness == NOT_ROBUST;
  case RWLOCK_OBJECT: return !object->type;
  default: return object->class == SPINLOCK_OBJECT;
  }
}

/* Of what is not access of memory: something that can be undone, or that does nothing? */
static bool can_be_null(const struct event *event, const struct operation *operation) {
  switch (event_effect_of(event)) {
  case EFFECT_TAKES:
  case EFFECT_GIVES:
  case EFFECT_SHARES:
  case EFFECT_UNSHARES:
  case EFFECT_FAILS: return !operation->can_give_up && operation->object && is_plain_lock(operation->object);
  case EFFECT_SIGNALS:
  case EFFECT_SIGNALS_ALL: return event_is_signal(event) && !is_waited_for(operation->object);
  case EFFECT_CHECKS:
  case EFFECT_ISOLATES:
  case EFFECT_REJOINS: return true;
  default: return false;
  }
}

void rounds_note_write(struct thread *thread, uint64_t address, uint64_t size) {
  struct round *round = &thread->round;
  round->changes = true;
  if (rt->cycle.is_on) cycles_note_write(address, size);
  for (uint32_t i = 0; i < round->n_written; i++)
    if (round->written[i].address == address && round->written[i].size == size) return;
  if (size > 8 || round->n_written == MAX_ROUND_WRITES)
    stop_watching(thread);
  else
    round->written[round->n_written++] =
        (struct watched){.address = address, .value = trace_load(address, (uint32_t)size), .size = (uint32_t)size};
}

static void note(struct thread *thread, const struct event *event) {
  struct round *round = &thread->round;
  const bool is_access = kind_has(event->kind, TRAIT_IS_ACCESS);
  if (round->n_events == MAX_ROUND_EVENTS || !(is_access || can_be_null(event, &thread->operation))) {
    stop_watching(thread);
    return;
  }
  cycles_note(thread, event);
  if (round->n_events == 0) {
    round->switches = rt->switches;
    round->first_step = rt->n_steps;
    round->is_disturbed = false;
  }
  round->events[round->n_events] = *event;
  round->events[round->n_events++].flags &= (uint8_t) ~(EVENT_PARKED | EVENT_OF_ALL);
  if (!is_access)
    round->changes = true;
  else if (event_writes_bytes(event))
    rounds_note_write(thread, event->object, event->size);
}

/* ---- null rounds ---- */

static int lock_change(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_TAKES:
  case EFFECT_SHARES: return 1;
  case EFFECT_GIVES:
  case EFFECT_UNSHARES: return -1;
  default: return 0;
  }
}

/* A lock that was held at the beginning is given back in the round: others get it only in the middle. So this is not
 * where to rest; there is another place, where the thread does not have it. */
static bool locks_are_as_before(const struct round *round) {
  for (uint32_t i = 0; i < round->n_events; i++) {
    if (!lock_change(&round->events[i])) continue;
    int held = 0;
    for (uint32_t k = 0; k < round->n_events && held >= 0; k++)
      if (round->events[k].object == round->events[i].object) held += lock_change(&round->events[k]);
    if (held) return false;
  }
  return true;
}

static bool memory_is_as_before(const struct round *round) {
  for (uint32_t i = 0; i < round->n_written; i++) {
    const struct watched *written = &round->written[i];
    uint64_t value;
    if (!trace_peek(written->address, written->size, &value) || value != written->value) return false;
  }
  return true;
}

static bool nobody_else_moved(const struct thread *thread) {
  return rt->switches == thread->round.switches && rt->last_thread == thread->id;
}

/* Rounds that only read are for spin.c, which knows which values end them. */
static bool is_null(const struct thread *thread) {
  const struct round *round = &thread->round;
  return round->changes && round->n_events && !round->is_disturbed && locks_are_as_before(round) &&
         memory_is_as_before(round);
}

/* Whoever was released by this round was released by nothing. */
static void take_releases_back(const struct thread *thread) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    struct round *other = &rt->threads[i].round;
    if (rt->threads[i].state != ABSENT && rt->threads[i].rests && other->is_released &&
        other->released_at >= thread->round.first_step)
      other->is_released = false;
  }
}

static void rest(struct thread *thread) {
  struct round *round = &thread->round;
  mark(round->anchor.site);
  cycles_forget();
  if (nobody_else_moved(thread)) take_releases_back(thread);
  round->is_exhausted = thread->rests && nobody_else_moved(thread);
  rt->n_attentive += !thread->rests;
  thread->rests = true;
  round->is_released = false;
  spin_leave_out_round();
  round->n_null = round->n_events;
  memcpy(round->null, round->events, round->n_events * sizeof round->events[0]);
}

void rounds_wake(struct thread *thread) {
  if (!thread->rests) return;
  thread->rests = false;
  rt->n_attentive--;
}

/* ---- coming to a place ---- */

static bool is_at_anchor(const struct thread *thread, const struct visit *visit) {
  const struct visit *anchor = &thread->round.anchor;
  return anchor->site == visit->site && anchor->frame == visit->frame && anchor->read.address == visit->read.address &&
         anchor->read.size == visit->read.size;
}

static bool is_in_same_state(const struct thread *thread, const struct visit *visit) {
  const struct state_mark mark = spin_state_mark(thread, visit);
  return mark.low == thread->round.state.low && mark.high == thread->round.state.high;
}

/* A loop that counts its rounds and starts over has the same state after some of them: the anchor is chosen anew after
 * 1, 2, 4, 8, ... visits (Brent). */
static void come_round(struct thread *thread, const struct visit *visit) {
  struct round *round = &thread->round;
  if (!is_in_same_state(thread, visit)) {
    if (++round->n_visits < round->patience) return;
    round->patience *= 2;
  } else if (is_null(thread)) {
    rest(thread);
  } else if (is_marked(visit->site)) {
    cycles_look(visit);
  } else if (!is_marked(visit->site) && !round->is_disturbed) {
    stop_watching(thread);
    return;
  }
  begin_round(thread, visit);
}

static bool can_be_watched(const struct thread *thread, const struct visit *visit) {
  return visit->site && sharing_is_possible() && rt->section_owner != thread->id && !reads_are_symbolic() &&
         !thread->spin.parked && !rt->trial && thread->stack_top - (uint64_t)visit->frame <= SPIN_STATE_BYTES;
}

static void look(struct thread *thread, const struct visit *visit, bool is_due) {
  if (!can_be_watched(thread, visit)) return;
  if (thread->is_watched && thread->round.unrepeatable != thread->unrepeatable) stop_watching(thread);
  if (thread->is_watched && is_at_anchor(thread, visit))
    come_round(thread, visit);
  else if (!thread->is_watched && (is_due || is_marked(visit->site)))
    watch(thread, visit);
}

void rounds_look(struct thread *thread, const struct visit *visit) {
  look(thread, visit, !thread->round.is_at_every_visit || ++thread->round.n_looks % LOOK_EVERY == 0);
  look_again(thread);
}

/* ---- what others do ---- */

static bool depends_on(const struct event *event, const struct event *events, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (events_depend(&events[i], event)) return true;
  return false;
}

static void release(struct thread *thread) {
  thread->round.is_released = true;
  thread->round.released_at = rt->n_steps;
}

/* What comes after a step of the round and depends on it keeps the round from being one piece. What threads do that are
 * let go is null again: it releases nobody. */
static void tell_others(const struct thread *mover, const struct event *event) {
  const bool releases = !rounds_hold_back(mover) || event->flags & EVENT_IN_SECTION;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    struct thread *thread = &rt->threads[i];
    struct round *round = &thread->round;
    if (thread == mover || thread->state == ABSENT || thread->state == ENDED) continue;
    if (thread->is_watched) round->is_disturbed |= depends_on(event, round->events, round->n_events);
    if (releases && rounds_hold_back(thread) && depends_on(event, round->null, round->n_null)) release(thread);
  }
}

/* The value of the event is not known yet, but for this. */
void rounds_see(struct thread *mover, const struct event *event) {
  struct event copy = *event;
  if (kind_has(event->kind, TRAIT_VALUE_IS_MUTEX)) copy.value = mover->relock->address;
  tell_others(mover, &copy);
  if (mover->is_watched) note(mover, &copy);
}
