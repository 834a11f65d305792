/* SPDX-License-Identifier: MIT */
#include "explore/bounded/classes.h"

#include "base/error.h"
#include "model/dependence.h"

#include <stdlib.h>
#include <string.h>

#define NOT_REACHED UINT32_MAX
#define MOST_PASSED 64u /* steps, when one is looked for that was known before them */

void classes_init(struct classes *self, uint64_t bound) {
  *self = (struct classes){.bound = bound};
  thread_rows_init(&self->rows);
  vector_push(&self->events, (struct event){0});
  vector_push(&self->classes, (struct step_class){0});
  vector_push(&self->edges, (struct edge){0});
  vector_push(&self->steps, (struct known_step){0});
}

void classes_free(struct classes *self) {
  vector_free(&self->classes);
  vector_free(&self->edges);
  vector_free(&self->steps);
  vector_free(&self->listed);
  vector_free(&self->ways);
  vector_free(&self->cheaper);
  vector_free(&self->events);
  thread_rows_free(&self->rows);
  id_index_free(&self->class_index);
  id_index_free(&self->step_index);
  id_index_free(&self->event_index);
}

static uint64_t bit_of(thread_id thread) {
  return thread < MOST_THREADS ? 1ull << thread : 0;
}

/* ---- fingerprints ---- */

static bool is_same(struct fingerprint a, struct fingerprint b) {
  return a.low == b.low && a.high == b.high;
}

/* A class is a set of steps and decisions: the order in which they are added does not matter. */
static struct fingerprint add(struct fingerprint class, struct fingerprint more) {
  return (struct fingerprint){class.low + more.low, class.high + more.high};
}

static class_id find_class(const struct classes *self, struct fingerprint fingerprint) {
  struct id_search search = id_index_search(&self->class_index, fingerprint.low);
  class_id id;
  while ((id = id_search_next(&search)))
    if (is_same(class_at(self, id)->fingerprint, fingerprint)) return id;
  return 0;
}

static uint64_t hash_of(const struct event *event) {
  const uint64_t words[] = {event->object, event->value, event->before, (uint64_t)event->site << 32 | event->size,
                            (uint64_t)event->thread << 32 | (uint64_t)event->kind << 8 | event->flags};
  uint64_t hash = event->alternative;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    hash = (hash ^ words[i] ^ hash >> 29) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 32;
}

static happening_id know_event(struct classes *self, const struct event *event) {
  struct event wanted = *event;
  wanted.enabled = 0;
  struct id_search search = id_index_search(&self->event_index, hash_of(&wanted));
  happening_id id;
  while ((id = id_search_next(&search)))
    if (memcmp(&self->events.items[id], &wanted, sizeof wanted) == 0) return id;
  id = (happening_id)self->events.count;
  vector_push(&self->events, wanted);
  id_index_add(&self->event_index, id, hash_of(&wanted));
  return id;
}

known_id classes_know_step(struct classes *self, struct fingerprint fingerprint, const struct event *event,
                           bool *is_new) {
  struct id_search search = id_index_search(&self->step_index, fingerprint.low);
  known_id id;
  *is_new = false;
  while ((id = id_search_next(&search)))
    if (is_same(step_at(self, id)->fingerprint, fingerprint)) return id;
  id = (known_id)self->steps.count;
  thread_rows_know_thread(&self->rows, event->thread);
  vector_push(&self->steps, ((struct known_step){.fingerprint = fingerprint, .event = know_event(self, event)}));
  id_index_add(&self->step_index, id, fingerprint.low);
  *is_new = true;
  return id;
}

static class_id add_class(struct classes *self, struct fingerprint fingerprint, uint64_t enabled, uint32_t depth) {
  const class_id id = (class_id)self->classes.count;
  vector_push(&self->classes, ((struct step_class){.fingerprint = fingerprint, .enabled = enabled, .depth = depth}));
  id_index_add(&self->class_index, id, fingerprint.low);
  return id;
}

class_id classes_know_first(struct classes *self, struct fingerprint decided, uint64_t enabled) {
  const class_id id = find_class(self, decided);
  return id ? id : add_class(self, decided, enabled, 0);
}

class_id classes_know_class(struct classes *self, class_id from, known_id step, struct fingerprint decided,
                            uint64_t enabled) {
  const struct fingerprint after = add(class_at(self, from)->fingerprint, step_at(self, step)->fingerprint);
  const struct fingerprint fingerprint = add(after, decided);
  class_id id = find_class(self, fingerprint);
  if (id) return id;
  const row_id counts = class_at(self, from)->counts;
  const thread_id thread = step_event(self, step)->thread;
  id = add_class(self, fingerprint, enabled, class_at(self, from)->depth + 1);
  class_at(self, id)->counts = thread_rows_change(&self->rows, counts, thread, row_at(&self->rows, counts)[thread] + 1);
  return id;
}

/* ---- preemptions ---- */

/* How few are enough to take a step of the thread at the class after the edge was taken last. */
static uint32_t cost_after(const struct classes *self, const struct edge *last, thread_id thread) {
  const bool could_go_on = class_at(self, last->to)->enabled & bit_of(last->thread);
  return last->cost + (last->thread != thread && could_go_on);
}

static bool is_first(const struct classes *self, class_id class) {
  return class_at(self, class)->depth == 0;
}

/* The cheapest way to come to the class and take the thread there; 0 where nothing was taken yet. */
static edge_id cheapest_way(const struct classes *self, class_id class, thread_id thread, uint32_t *cost) {
  edge_id best = 0;
  *cost = is_first(self, class) ? 0 : NOT_REACHED;
  for (edge_id i = class_at(self, class)->in; i; i = edge_at(self, i)->next_to) {
    const uint32_t its_cost = cost_after(self, edge_at(self, i), thread);
    if (its_cost >= *cost) continue;
    *cost = its_cost;
    best = i;
  }
  return best;
}

static bool is_allowed(const struct classes *self, class_id class, thread_id thread) {
  uint32_t cost;
  cheapest_way(self, class, thread, &cost);
  return cost <= self->bound;
}

void classes_append_path(const struct classes *self, class_id class, thread_id thread, struct schedule *schedule) {
  struct step *steps = schedule_extend(schedule, class_at(self, class)->depth);
  for (uint32_t i = class_at(self, class)->depth; i-- > 0;) {
    uint32_t cost;
    const struct edge *last = edge_at(self, cheapest_way(self, class, thread, &cost));
    thread = last->thread;
    class = last->from;
    steps[i] = (struct step){thread, step_event(self, last->step)->alternative};
  }
}

/* ---- what is wanted ---- */

/* Can a block of the thread begin here: did another one come here last? */
static bool begins_block(const struct classes *self, class_id class, thread_id thread) {
  if (is_first(self, class)) return true;
  for (edge_id i = class_at(self, class)->in; i; i = edge_at(self, i)->next_to)
    if (edge_at(self, i)->thread != thread) return true;
  return false;
}

/* Of a step at the class: those who race with it later, if the class does not have their racing steps already. Whoever
 * cannot move here may need any of the others first. */
static uint64_t those_asked(const struct classes *self, class_id id, row_id row, bool asks_everybody) {
  const uint64_t enabled = class_at(self, id)->enabled;
  const uint32_t *counts = row_at(&self->rows, class_at(self, id)->counts), *numbers = row_at(&self->rows, row);
  uint64_t asked = 0;
  for (thread_id i = 0; i < self->rows.width; i++)
    if (numbers[i] > counts[i]) asked |= bit_of(i);
  return asks_everybody || asked & ~enabled ? enabled : asked;
}

static uint64_t find_wanted(const struct classes *self, class_id id) {
  const struct step_class *class = class_at(self, id);
  uint64_t wanted = 0;
  for (edge_id i = class->in; i; i = edge_at(self, i)->next_to) /* a thread goes on */
    wanted |= bit_of(edge_at(self, i)->thread) & class->enabled;
  for (edge_id i = class->out; i; i = edge_at(self, i)->next_from) {
    const struct edge *edge = edge_at(self, i);
    const bool begins = begins_block(self, id, edge->thread);
    const struct known_step *step = step_at(self, edge->step);
    if (begins)
      wanted |= those_asked(self, id, edge->demands, edge->asks_everybody);
    else
      wanted |= those_asked(self, id, step->raced, step->ends_run);
  }
  return wanted;
}

/* Of these threads, those that the bound allows. */
static uint64_t find_allowed(const struct classes *self, class_id id, uint64_t threads) {
  uint64_t allowed = 0;
  for (uint64_t rest = threads; rest; rest &= rest - 1) {
    const thread_id thread = (thread_id)__builtin_ctzll(rest);
    if (is_allowed(self, id, thread)) allowed |= bit_of(thread);
  }
  return allowed;
}

static uint64_t find_work(const struct classes *self, class_id id, bool *is_short) {
  const uint64_t wanted = find_wanted(self, id) & ~class_at(self, id)->started;
  const uint64_t allowed = find_allowed(self, id, wanted);
  *is_short = allowed != wanted;
  return allowed;
}

uint64_t classes_work(const struct classes *self, class_id class) {
  bool is_short;
  return find_work(self, class, &is_short);
}

static void look_at_class(struct classes *self, class_id id) {
  bool is_short;
  const uint64_t work = find_work(self, id, &is_short);
  struct step_class *class = class_at(self, id);
  self->n_short += (uint64_t)is_short - class->is_short;
  class->is_short = is_short;
  if (!work || class->is_listed) return;
  class->is_listed = true;
  vector_push(&self->listed, id);
}

void classes_raise_bound(struct classes *self, uint64_t bound) {
  self->bound = bound;
  for (class_id id = (class_id)self->classes.count; id-- > 1;)
    if (class_at(self, id)->is_short) look_at_class(self, id);
}

/* ---- edges ---- */

/* The edge by which the thread came to the class last: there is at most one, as what was there before is the class
 * without that step. */
static edge_id arrival_of(const struct classes *self, class_id class, thread_id thread) {
  edge_id i = class_at(self, class)->in;
  while (i && edge_at(self, i)->thread != thread) i = edge_at(self, i)->next_to;
  return i;
}

/* What is asked for after `later`, or by its step when it is 0, is asked for by the edge. */
static bool take_over(struct classes *self, edge_id id, edge_id later) {
  struct edge *edge = edge_at(self, id);
  const bool everybody = later ? edge_at(self, later)->asks_everybody : step_at(self, edge->step)->ends_run;
  const row_id others = later ? edge_at(self, later)->demands : step_at(self, edge->step)->raced;
  const row_id demands = thread_rows_join(&self->rows, edge->demands, others);
  const bool has_grown = demands != edge->demands || (everybody && !edge->asks_everybody);
  edge->demands = demands;
  edge->asks_everybody |= everybody;
  return has_grown;
}

/* Back along the steps with which the thread came here without a break. */
static void tell_back(struct classes *self, edge_id id) {
  look_at_class(self, edge_at(self, id)->from);
  for (edge_id later = id;; later = id) {
    id = arrival_of(self, edge_at(self, later)->from, edge_at(self, later)->thread);
    if (!id || !take_over(self, id, later)) return;
    look_at_class(self, edge_at(self, id)->from);
  }
}

static void tell_edges(struct classes *self, known_id step) {
  for (edge_id i = step_at(self, step)->edges; i; i = edge_at(self, i)->next_of_step) {
    take_over(self, i, 0);
    tell_back(self, i);
  }
}

void classes_race(struct classes *self, known_id step, thread_id thread, uint32_t number) {
  thread_rows_know_thread(&self->rows, thread);
  const row_id raced = step_at(self, step)->raced;
  if (number < row_at(&self->rows, raced)[thread]) return;
  step_at(self, step)->raced = thread_rows_change(&self->rows, raced, thread, number + 1);
  tell_edges(self, step);
}

void classes_end_run(struct classes *self, known_id step) {
  if (step_at(self, step)->ends_run) return;
  step_at(self, step)->ends_run = true;
  tell_edges(self, step);
}

static bool has_edge(const struct classes *self, class_id from, known_id step, class_id to) {
  for (edge_id i = class_at(self, from)->out; i; i = edge_at(self, i)->next_from)
    if (edge_at(self, i)->step == step && edge_at(self, i)->to == to) return true;
  return false;
}

/* What the thread goes on with after the edge asks for something, too. */
static void find_demands(struct classes *self, edge_id id) {
  const struct edge *edge = edge_at(self, id);
  take_over(self, id, 0);
  for (edge_id i = class_at(self, edge->to)->out; i; i = edge_at(self, i)->next_from)
    if (edge_at(self, i)->thread == edge->thread) take_over(self, id, i);
  tell_back(self, id);
}

/* Its edges, and those that follow them, may have become cheaper. */
static void lower_costs(struct classes *self, class_id first) {
  self->cheaper.count = 0;
  vector_push(&self->cheaper, first);
  while (self->cheaper.count > 0) {
    const class_id class = self->cheaper.items[--self->cheaper.count];
    for (edge_id i = class_at(self, class)->out; i; i = edge_at(self, i)->next_from) {
      struct edge *edge = edge_at(self, i);
      uint32_t cost;
      cheapest_way(self, class, edge->thread, &cost);
      if (cost >= edge->cost) continue;
      edge->cost = cost;
      vector_push(&self->cheaper, edge->to);
    }
    look_at_class(self, class);
  }
}

/* How else the step could have gone is as cheap. */
static void want_alternatives(struct classes *self, class_id class, const struct event *event) {
  for (uint16_t i = 0; i < event->alternatives; i++)
    if (i != event->alternative) vector_push(&self->ways, ((struct other_way){class, {event->thread, i}}));
}

bool classes_has_step_of(const struct classes *self, class_id class, thread_id thread) {
  edge_id i = class_at(self, class)->out;
  while (i && edge_at(self, i)->thread != thread) i = edge_at(self, i)->next_from;
  return i;
}

static edge_id add_edge(struct classes *self, class_id from, known_id step, class_id to) {
  const edge_id id = (edge_id)self->edges.count;
  struct known_step *known = step_at(self, step);
  const struct event *event = step_event(self, step);
  const thread_id thread = event->thread;
  vector_push(&self->edges, ((struct edge){.from = from,
                                           .to = to,
                                           .step = step,
                                           .next_from = class_at(self, from)->out,
                                           .next_to = class_at(self, to)->in,
                                           .next_of_step = known->edges,
                                           .cost = NOT_REACHED,
                                           .thread = thread}));
  if (event->alternatives > 1 && !classes_has_step_of(self, from, thread)) want_alternatives(self, from, event);
  class_at(self, from)->out = class_at(self, to)->in = known->edges = id;
  class_at(self, from)->started |= bit_of(thread);
  return id;
}

void classes_link(struct classes *self, class_id from, known_id step, class_id to) {
  if (has_edge(self, from, step, to)) return;
  const edge_id id = add_edge(self, from, step, to);
  find_demands(self, id);
  lower_costs(self, from);
  look_at_class(self, to);
}

/* ---- what to run ---- */

static bool commute(const struct event *waiting, const struct event *passed) {
  return !events_depend(waiting, passed) && !events_depend(passed, waiting) && !event_is_changed_by(waiting, passed);
}

static bool decides(const struct classes *self, const struct edge *edge) {
  const struct fingerprint from = class_at(self, edge->from)->fingerprint;
  return !is_same(add(from, step_at(self, edge->step)->fingerprint), class_at(self, edge->to)->fingerprint);
}

/* The thread's step at the class, where it has only one outcome. */
static known_id sole_step_of(const struct classes *self, class_id class, thread_id thread) {
  known_id step = 0;
  for (edge_id i = class_at(self, class)->out; i; i = edge_at(self, i)->next_from) {
    const struct edge *edge = edge_at(self, i);
    if (edge->thread != thread) continue;
    if (step_event(self, edge->step)->alternatives > 1 || decides(self, edge)) return 0;
    step = edge->step;
  }
  return step;
}

/* Does the step commute with all that came between `before` and `class`, on the way that was found first? */
static bool commutes_since(const struct classes *self, class_id before, class_id class, known_id step) {
  while (class != before) {
    const struct edge *last = edge_at(self, class_at(self, class)->in);
    if (!commute(step_event(self, step), step_event(self, last->step))) return false;
    class = last->from;
  }
  return true;
}

/* The thread's step at the class, if it is the same as one that was taken before steps that it commutes with; 0: not
 * known. */
static known_id predict(const struct classes *self, class_id class, thread_id thread) {
  class_id before = class;
  for (unsigned i = 0; i < MOST_PASSED && !is_first(self, before); i++) {
    const struct edge *last = edge_at(self, class_at(self, before)->in);
    if (last->thread == thread) return 0;
    before = last->from;
    const known_id step = sole_step_of(self, before, thread);
    if (step) return commutes_since(self, before, class, step) ? step : 0;
    if (classes_has_step_of(self, before, thread)) return 0;
  }
  return 0;
}

/* True: it leads to a class that is known, and no run is needed. */
static bool is_known_already(struct classes *self, class_id from, thread_id thread) {
  const known_id step = predict(self, from, thread);
  if (!step) return false;
  const class_id to = find_class(self, add(class_at(self, from)->fingerprint, step_at(self, step)->fingerprint));
  if (to) classes_link(self, from, step, to);
  return to;
}

static bool has_taken(const struct classes *self, const struct other_way *way) {
  for (edge_id i = class_at(self, way->class)->out; i; i = edge_at(self, i)->next_from) {
    const struct event *event = step_event(self, edge_at(self, i)->step);
    if (event->thread == way->step.thread && event->alternative == way->step.alternative) return true;
  }
  return false;
}

static bool take_other_way(struct classes *self, class_id *class, struct step *step) {
  while (self->ways.count > 0) {
    const struct other_way way = self->ways.items[--self->ways.count];
    if (has_taken(self, &way)) continue;
    *class = way.class;
    *step = way.step;
    return true;
  }
  return false;
}

bool classes_take(struct classes *self, class_id *class, struct step *step) {
  if (take_other_way(self, class, step)) return true;
  while (self->listed.count > 0) {
    const class_id id = self->listed.items[self->listed.count - 1];
    bool is_short;
    const uint64_t work = find_work(self, id, &is_short);
    if (!work) {
      class_at(self, id)->is_listed = false;
      self->listed.count--;
      continue;
    }
    const thread_id thread = (thread_id)__builtin_ctzll(work);
    class_at(self, id)->started |= bit_of(thread);
    if (is_known_already(self, id, thread)) continue;
    *class = id;
    *step = (struct step){thread, 0};
    return true;
  }
  return false;
}

uint64_t classes_left(const struct classes *self) {
  return self->listed.count + self->ways.count;
}
