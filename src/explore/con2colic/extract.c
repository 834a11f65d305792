/* SPDX-License-Identifier: MIT
 *
 * Merging a trace: one pass over its events, with its decisions in between.
 */
#include "explore/con2colic/extract_internal.h"
#include "model/object.h"
#include "trace/tables.h"

#include <stdlib.h>

void extraction_free(struct extraction *self) {
  vector_free(&self->dangling);
  vector_free(&self->realised);
  vector_free(&self->sources);
  vector_free(&self->stamps);
  vector_free(&self->seen);
  vector_free(&self->present);
  vector_free(&self->cut);
  number_map_free(&self->variables);
  vector_free(&self->semaphores);
  vector_free(&self->exchanges);
  vector_free(&self->results);
  vector_free(&self->joins);
}

/* --- nodes --- */

void extraction_stamp(struct extraction *self, node_id node, node_id source) {
  while (self->stamps.count <= node) {
    vector_push(&self->stamps, 0);
    vector_push(&self->seen, 0);
  }
  self->stamps.items[node] = self->stamp;
  self->seen.items[node] = source;
}

bool extraction_came_to(const struct extraction *self, node_id node) {
  return node < self->stamps.count && self->stamps.items[node] == self->stamp;
}

static void add_source(struct extraction *self, node_id node, enum need_kind kind, uint64_t object) {
  vector_push(&self->sources, ((struct need){node, kind, object}));
}

/* What others may need of the node. */
static void list_sources(struct extraction *self, node_id id) {
  const struct node *node = forest_at(self->forest, id);
  if (node->kind == NODE_ACCESS && node->flags & NODE_WRITES) add_source(self, id, NEED_WRITE, node->object);
  if (node->kind == NODE_END) add_source(self, id, NEED_END, node->thread);
  if (node->kind != NODE_EVENT) return;
  const enum lock_use use = node_lock_use(node);
  if (use == LOCK_TAKES || use == LOCK_TAKES_SHARED) add_source(self, id, NEED_HOLDER, node_lock(self->forest, id));
  if (use == LOCK_GIVES) add_source(self, id, NEED_RELEASE, node_lock(self->forest, id));
  if (kind_has(node->event, TRAIT_IS_SIGNAL)) add_source(self, id, NEED_SIGNAL, node->object);
  switch (kind_effect(node->event)) {
  case EFFECT_GIVES_TOKEN: add_source(self, id, NEED_POST, node->object); break;
  case EFFECT_TAKES_TOKEN: add_source(self, id, NEED_TAKER, node->object); break;
  case EFFECT_FINISHES: add_source(self, id, NEED_DONE, node->object); break;
  case EFFECT_ARRIVES: add_source(self, id, NEED_ARRIVAL, node->object); break;
  default: break;
  }
}

/* Pending operations of the same point were this. */
static void close_pending(struct extraction *self, node_id parent, node_id child) {
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling)
    if (forest_at(self->forest, id)->kind == NODE_PENDING) {
      forest_at(self->forest, id)->flags |= NODE_CLOSED;
      forest_at(self->forest, child)->flags |= forest_at(self->forest, id)->flags & NODE_PARKED;
      extraction_stamp(self, id, 0);
    }
}

node_id extraction_add_dangling(struct extraction *self, node_id parent, const struct node *what) {
  bool is_new;
  const node_id id = forest_add(self->forest, parent, what, &is_new);
  struct node *node = forest_at(self->forest, id);
  if (is_new || (node->is_rest && !(node->flags & NODE_REALISED))) vector_push(&self->dangling, id);
  node->is_rest = false;
  return id;
}

/* The other outcome of an attempt to take a lock or a token; EVENT_NONE: none. */
static uint8_t other_outcome(uint8_t event) {
  const uint8_t attempted = kind_attempted(event);
  if (kind_need(attempted) == NEEDS_IDLE) return event; /* with another value */
  const bool is_of_object = kind_class(event) >= CLASS_MUTEX && kind_class(event) <= CLASS_SPINLOCK;
  return is_of_object && !kind_waits(attempted) ? kind_rows[event].other : (uint8_t)EVENT_NONE;
}

static bool are_sides(const struct node *a, const struct node *b) {
  if (a->kind != b->kind || a->kind == NODE_ACCESS) return false;
  if (a->kind == NODE_BRANCH) return a->symbol == b->symbol;
  return a->kind != NODE_EVENT || a->event == b->event || other_outcome(a->event) == b->event;
}

/* What a thread does next depends on its way alone. If runs show otherwise, something is passed on that is not
 * followed. */
static void check_siblings(struct extraction *self, node_id parent, const struct node *what) {
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling) {
    const struct node *other = forest_at(self->forest, id);
    if (other->thread != what->thread || !(other->flags & NODE_REALISED) || node_is_hazard(other)) continue;
    if (!are_sides(other, what)) self->not_modelled = "a step that does not follow from what its thread has read";
  }
}

/* The thread does this next. */
node_id extraction_go_on(struct extraction *self, const struct node *what, node_id source) {
  bool is_new;
  const node_id parent = self->present.items[what->thread];
  const node_id id = forest_add(self->forest, parent, what, &is_new);
  struct node *node = forest_at(self->forest, id);
  if (node->size == 0) node->size = what->size;
  node->flags |= what->flags & (NODE_NESTED | NODE_STEP | NODE_READS | NODE_WRITES);
  extraction_stamp(self, id, source);
  close_pending(self, parent, id);
  self->present.items[what->thread] = id;
  if (node->flags & NODE_REALISED) return id;
  check_siblings(self, parent, what);
  node->flags |= NODE_REALISED;
  vector_push(&self->realised, id);
  list_sources(self, id);
  if (!node_is_modelled(node)) self->not_modelled = event_row(node->event)->words;
  return id;
}

static void enter_thread(struct extraction *self, thread_id thread, node_id fork) {
  bool is_new;
  while (self->present.count <= thread) {
    vector_push(&self->present, 0);
    vector_push(&self->cut, false);
  }
  const struct node start = {.kind = NODE_START, .thread = thread};
  const node_id id = forest_add(self->forest, fork, &start, &is_new);
  forest_at(self->forest, id)->flags |= NODE_REALISED;
  extraction_stamp(self, id, 0);
  self->present.items[thread] = id;
  self->cut.items[thread] = false;
}

bool extraction_is_followed(const struct extraction *self, thread_id thread) {
  return thread < self->present.count && self->present.items[thread] && !self->cut.items[thread];
}

/* --- accesses --- */

/* NULL: the run has not written it. */
static struct seen_variable *last_write(struct extraction *self, uint64_t address) {
  struct seen_variable *variable = number_map_find(&self->variables, address);
  return variable && variable->written_in == self->stamp ? variable : NULL;
}

static void note_write(struct extraction *self, uint64_t address, node_id node, thread_id thread) {
  struct seen_variable *variable = number_map_add(&self->variables, address);
  variable->written_in = self->stamp;
  variable->node = node;
  variable->thread = thread;
}

static term_id term_or_value(struct extraction *self, uint32_t term, uint32_t size, uint64_t value) {
  return term ? path_term(self->path, term) : term_constant(inputs_terms(self->inputs), 8 * size, value);
}

static void learn_initial(struct extraction *self, const struct access *access) {
  struct seen_variable *variable = number_map_add(&self->variables, access->address);
  if (variable->touched_in == self->stamp) return;
  variable->touched_in = self->stamp;
  realiser_learn_initial(self->realiser, self->fork, access->address,
                         term_or_value(self, access->found, access->size, access->before));
}

/* The scenario has the read, or the operation that nobody had performed yet, see the write. */
static bool is_foreseen(const struct extraction *self, const struct scenario_parts *expected, node_id parent,
                        node_id read, node_id source) {
  if (!expected || !source) return false;
  if (read && parts_source(expected, read) == source) return true;
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling)
    if (forest_at(self->forest, id)->kind == NODE_PENDING && parts_source(expected, id) == source) return true;
  return false;
}

static bool is_exchange(const struct event *event) {
  return event_is_exchange(event);
}

/* Reads and writes, whatever it finds. */
static bool is_update(const struct event *event) {
  return event_effect_of(event) == EFFECT_UPDATES && !is_exchange(event);
}

/* What inline assembly reads is pinned; what it writes depends on that value. */
static bool is_pinned(const struct trace_view *trace, uint32_t i, uint32_t decision) {
  const struct decision *next = &trace->decisions[decision];
  return is_update(&trace->events[i]) && decision < trace->record->n_decisions && next->event == i + 1 &&
         next->thread == trace->events[i].thread && next->kind == DECISION_PIN && next->why == PIN_ASSEMBLY;
}

/* What `decides`, as a compare-and-exchange, reads, decides, and then writes or not. */
static struct node node_of_access(struct extraction *self, const struct event *event, const struct access *access,
                                  bool is_first, bool decides) {
  struct node what = {.kind = NODE_ACCESS,
                      .thread = event->thread,
                      .event = kind_attempted(event->kind),
                      .alternative = event->alternative,
                      .size = access->size,
                      .site = event->site,
                      .object = access->address};
  if (is_first && event_is_step(event)) what.flags |= NODE_STEP;
  if (access->flags & ACCESS_READS) {
    what.flags |= NODE_READS;
    what.symbol = path_term(self->path, access->symbol);
  }
  if (access->flags & ACCESS_WRITES && !decides) {
    what.flags |= NODE_WRITES;
    what.term = term_or_value(self, access->written, access->size, access->after);
  }
  return what;
}

static struct node node_of_pending_access(const struct event *event, uint32_t size) {
  return (struct node){.kind = NODE_PENDING,
                       .flags = NODE_STEP | (event_effect_of(event) == EFFECT_WRITES ? 0 : NODE_READS),
                       .thread = event->thread,
                       .event = event->kind,
                       .site = event->site,
                       .object = event->object,
                       .size = size};
}

/* An update that the run was stopped at: what it writes is not known, whichever of its cells others wrote. */
static void read_stopped_update(struct extraction *self, const struct event *event) {
  if (!extraction_is_followed(self, event->thread)) return;
  const struct node what = node_of_pending_access(event, event->size);
  extraction_add_dangling(self, self->present.items[event->thread], &what);
  self->cut.items[event->thread] = true;
}

/* The run was made to see what the operation does. It did, and is known by its accesses from now on. */
static void close_sink(struct extraction *self, const struct scenario_parts *expected, node_id parent) {
  if (!expected || forest_at(self->forest, expected->sink)->kind != NODE_PENDING) return;
  if (forest_at(self->forest, expected->sink)->parent == parent) extraction_stamp(self, expected->sink, 0);
}

/* Returns the dangling node if the thread is not followed from here on; otherwise 0. */
static node_id read_access(struct extraction *self, const struct event *event, const struct access *access,
                           bool is_first, bool decides, const struct scenario_parts *expected) {
  const thread_id thread = event->thread;
  learn_initial(self, access);
  if (!extraction_is_followed(self, thread)) {
    if (access->flags & ACCESS_WRITES) note_write(self, access->address, 0, thread);
    return 0;
  }
  const struct node what = node_of_access(self, event, access, is_first, decides);
  const struct seen_variable *write = access->flags & ACCESS_READS ? last_write(self, access->address) : NULL;
  const bool is_foreign = write && write->thread != thread;
  const node_id parent = self->present.items[thread];
  const node_id known = forest_find(self->forest, parent, &what);
  if (is_foreign && !is_foreseen(self, expected, parent, known, write->node)) {
    close_sink(self, expected, parent);
    self->cut.items[thread] = true;
    if (access->flags & ACCESS_WRITES) note_write(self, access->address, 0, thread);
    return extraction_add_dangling(self, parent, &what);
  }
  const node_id id = extraction_go_on(self, &what, is_foreign ? write->node : 0);
  if (!(access->flags & ACCESS_WRITES)) return 0;
  note_write(self, access->address, id, thread);
  if (decides) vector_push(&self->exchanges, *access);
  return 0;
}

/* The step continues after the cell that the thread was followed to: whoever reaches that one comes here as well. */
static node_id add_rest(struct extraction *self, const struct event *event, const struct access *access, bool decides,
                        node_id parent) {
  bool is_new;
  const struct node what = node_of_access(self, event, access, false, decides);
  const node_id id = forest_add(self->forest, parent, &what, &is_new);
  if (is_new) forest_at(self->forest, id)->is_rest = true;
  return id;
}

/* The cells of the event from `first` on, `decision` is the next one; returns where the next event's cells begin. */
static uint32_t read_accesses(struct extraction *self, const struct trace_view *trace, uint32_t i, uint32_t first,
                              uint32_t decision, const struct scenario_parts *expected) {
  const struct event *event = &trace->events[i];
  uint32_t end = first;
  while (end < trace->record->n_accesses && trace->accesses[end].event == i) end++;
  if (end > first && is_update(event) && !(trace->accesses[first].flags & ACCESS_WRITES)) {
    for (uint32_t k = first; k < end; k++) learn_initial(self, &trace->accesses[k]);
    read_stopped_update(self, event);
    return end;
  }
  const bool decides = is_exchange(event) || is_pinned(trace, i, decision);
  node_id cut = 0;
  for (uint32_t k = first; k < end; k++) {
    const node_id here = read_access(self, event, &trace->accesses[k], k == first, decides, expected);
    cut = cut ? add_rest(self, event, &trace->accesses[k], decides, cut) : here;
  }
  return end;
}

/* What a compare-and-exchange has written, once its thread has decided. */
static void write_exchanged(struct extraction *self, const struct trace_view *trace, thread_id thread) {
  size_t kept = 0;
  for (size_t i = 0; i < self->exchanges.count; i++) {
    const struct access *access = &self->exchanges.items[i];
    const struct event *event = &trace->events[access->event];
    if (event->thread != thread || !extraction_is_followed(self, thread)) {
      self->exchanges.items[kept++] = *access;
      continue;
    }
    const struct node what = {.kind = NODE_ACCESS,
                              .flags = NODE_WRITES,
                              .thread = thread,
                              .event = kind_attempted(event->kind),
                              .size = access->size,
                              .site = event->site,
                              .term = term_or_value(self, access->written, access->size, access->after),
                              .object = access->address};
    const node_id id = extraction_go_on(self, &what, 0);
    struct seen_variable *write = last_write(self, access->address);
    if (write && write->thread == thread) write->node = id;
  }
  self->exchanges.count = kept;
}

/* --- other events --- */

static struct node node_of_event(const struct event *event) {
  struct node what = {
      .kind = NODE_EVENT, .thread = event->thread, .event = event->kind, .site = event->site, .object = event->object};
  switch (event_effect_of(event)) {
  case EFFECT_CREATES: what.kind = NODE_FORK; break;
  case EFFECT_JOINS:
    what.kind = NODE_JOIN;
    what.value = event->value;
    break;
  case EFFECT_ENDS:
    what.kind = NODE_END;
    what.value = event->value;
    break;
  case EFFECT_WAITS: what.value = event->value; break;
  case EFFECT_ENTERS: what.value = event->value != 0; break;
  case EFFECT_RENEWS:
  case EFFECT_ARRIVES: what.size = event->size; break;
  default: break;
  }
  if (event_is_step(event)) what.flags |= NODE_STEP;
  if (event_class_of(event) == CLASS_MUTEX && event->flags & EVENT_NESTED) what.flags |= NODE_NESTED;
  if (event_effect_of(event) != EFFECT_SIGNALS) what.alternative = event->alternative;
  return what;
}

static void add_other_outcome(struct extraction *self, node_id parent, const struct node *taken) {
  struct node what = *taken;
  if (taken->flags & NODE_NESTED) return; /* who has a recursive mutex gets it again */
  what.event = other_outcome(taken->event);
  what.value = kind_effect(taken->event) == EFFECT_ENTERS ? !taken->value : 0;
  what.flags = NODE_STEP;
  if (what.event) extraction_add_dangling(self, parent, &what);
}

/* The first operation on a semaphore in a run shows how many tokens it had. */
static void learn_tokens(struct extraction *self, const struct event *event) {
  for (size_t i = 0; i < self->semaphores.count; i++)
    if (self->semaphores.items[i] == event->object) return;
  vector_push(&self->semaphores, event->object);
  uint64_t tokens;
  if (event_tokens_before(event, &tokens)) realiser_learn_tokens(self->realiser, event->object, tokens);
}

/* --- results of threads: a join gets each of those that are known --- */

static void note_result(struct extraction *self, thread_id thread, uint64_t value) {
  for (size_t i = 0; i < self->results.count; i++)
    if (self->results.items[i].thread == thread && self->results.items[i].value == value) return;
  vector_push(&self->results, ((struct thread_result){thread, value}));
  for (size_t i = 0; i < self->joins.count; i++) {
    struct join join = self->joins.items[i];
    join.what.value = value;
    if (join.what.object == thread) extraction_add_dangling(self, join.parent, &join.what);
  }
}

static void await_results(struct extraction *self, node_id parent, const struct node *join) {
  for (size_t i = 0; i < self->joins.count; i++)
    if (self->joins.items[i].parent == parent) return;
  struct node what = *join;
  what.flags = 0;
  vector_push(&self->joins, ((struct join){parent, what}));
  for (size_t i = 0; i < self->results.count; i++) {
    what.value = self->results.items[i].value;
    if (self->results.items[i].thread == what.object) extraction_add_dangling(self, parent, &what);
  }
}

/* What the kind of an event does not say. */
static void look_at_flags(struct extraction *self, uint8_t kind, uint32_t flags) {
  const struct event event = {.kind = kind};
  if (flags & EVENT_GIVES_UP) self->not_modelled = "waiting that can end by itself: with a time-out, or spuriously";
  if (event_class_of(&event) == CLASS_RWLOCK && flags & EVENT_PREFERS_WRITERS)
    self->not_modelled = "a reader-writer lock that prefers writers";
}

static void read_event(struct extraction *self, const struct event *event) {
  const bool is_followed_here = extraction_is_followed(self, event->thread);
  look_at_flags(self, event->kind, event->flags);
  if (event_gives_token(event) || event_takes_token(event)) learn_tokens(self, event);
  if (!is_followed_here) return;
  const node_id parent = self->present.items[event->thread];
  const struct node what = node_of_event(event);
  const node_id id = extraction_go_on(self, &what, 0);
  add_other_outcome(self, parent, &what);
  if (what.kind == NODE_JOIN) await_results(self, parent, &what);
  if (what.kind == NODE_END) note_result(self, event->thread, event->value);
  if (what.kind != NODE_FORK) return;
  if (event->thread == 0 && !self->fork) self->fork = id;
  enter_thread(self, (thread_id)event->object, id);
}

/* --- what threads stand before --- */

static bool has_child(const struct extraction *self, node_id parent, thread_id thread) {
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling)
    if (forest_at(self->forest, id)->thread == thread && !(forest_at(self->forest, id)->flags & NODE_CLOSED) &&
        !node_is_hazard(forest_at(self->forest, id)))
      return true;
  return false;
}

static struct node node_of_pending(const struct extraction *self, const struct pending *pending) {
  struct event event = {.kind = pending->kind,
                        .thread = pending->thread,
                        .object = pending->object,
                        .size = pending->size,
                        .site = pending->site,
                        .flags = EVENT_VISIBLE | (pending->flags & EVENT_NESTED)};
  const struct node *present = forest_at(self->forest, self->present.items[pending->thread]);
  if (kind_effect(pending->kind) == EFFECT_JOINS) {
    event.object = pending->holder;
    event.flags = 0;
  }
  if (present->kind == NODE_EVENT && kind_effect(present->event) == EFFECT_ARRIVES && pending->blocked &&
      pending->object == present->object) {
    event.kind = EVENT_BARRIER_LEAVE;
    event.flags = 0;
  }
  if (event_class_of(&event) != CLASS_MEMORY || event_is_lifetime(&event)) return node_of_event(&event);
  struct node what = node_of_pending_access(&event, pending->size);
  if (pending->blocked == 2) what.flags |= NODE_PARKED;
  return what;
}

static bool is_end_of_process(uint8_t kind) {
  return kind == EVENT_NONE || kind_effect(kind) == EFFECT_EXITS || kind_effect(kind) == EFFECT_STOPS;
}

/* What the semaphore has now, without what the run gave and took. */
static void learn_tokens_left(struct extraction *self, const struct trace_view *trace, const struct pending *pending) {
  uint64_t tokens = pending->size;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    if (trace->events[i].object != pending->object) continue;
    if (event_gives_token(&trace->events[i])) tokens--;
    if (event_takes_token(&trace->events[i])) tokens++;
  }
  realiser_learn_tokens(self->realiser, pending->object, tokens);
}

static void read_pending(struct extraction *self, const struct trace_view *trace, const struct pending *pending) {
  if (is_end_of_process(pending->kind) || !extraction_is_followed(self, pending->thread)) return;
  const node_id parent = self->present.items[pending->thread];
  look_at_flags(self, pending->kind, pending->flags);
  if (has_child(self, parent, pending->thread)) return;
  const struct node what = node_of_pending(self, pending);
  if (!node_is_modelled(&what)) self->not_modelled = event_row(what.event)->words;
  if (what.kind == NODE_JOIN) {
    await_results(self, parent, &what);
    return;
  }
  if (kind_effect(pending->kind) == EFFECT_TAKES_TOKEN) learn_tokens_left(self, trace, pending);
  extraction_add_dangling(self, parent, &what);
  add_other_outcome(self, parent, &what);
}

/* --- the whole --- */

static void start(struct extraction *self) {
  self->stamp++;
  self->dangling.count = self->realised.count = self->sources.count = 0;
  self->present.count = self->cut.count = 0;
  self->semaphores.count = self->exchanges.count = 0;
  self->fork = 0;
  enter_thread(self, 0, 0);
}

/* --- ends --- */

static bool has_step_behind(const struct extraction *self, node_id parent) {
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling)
    if (forest_at(self->forest, id)->flags & NODE_STEP) return true;
  return false;
}

/* A thread that fails, or whose assumption does not hold, takes the others with it as soon as it gets there. */
static void read_end(struct extraction *self, const struct trace *record) {
  const enum outcome_class class = outcome_row(record->outcome)->class;
  const bool is_of_thread =
      class == OUTCOME_DISCARDED || (class == OUTCOME_BUG && !outcome_is_at_rest(record->outcome));
  self->found_fatal = false;
  if (!is_of_thread || !extraction_is_followed(self, record->thread)) return;
  const node_id id = self->present.items[record->thread];
  if (has_step_behind(self, id) || forest_at(self->forest, id)->is_fatal) return;
  forest_at(self->forest, id)->is_fatal = true;
  self->forest->has_fatal = self->found_fatal = true;
}

void extraction_read(struct extraction *self, const struct trace_view *trace, const struct path *path,
                     const struct scenario_parts *expected) {
  self->path = path;
  uint32_t decision = 0, access = 0;
  start(self);
  for (uint32_t i = 0; i <= trace->record->n_events; i++) {
    for (; decision < trace->record->n_decisions && trace->decisions[decision].event <= i; decision++) {
      extraction_read_decision(self, trace, decision);
      write_exchanged(self, trace, trace->decisions[decision].thread);
    }
    if (i == trace->record->n_events) break;
    const struct event *event = &trace->events[i];
    const uint32_t first = access;
    write_exchanged(self, trace, event->thread);
    access = read_accesses(self, trace, i, first, decision, expected);
    if (access == first) read_event(self, event);
  }
  for (thread_id i = 0; i < self->present.count; i++) write_exchanged(self, trace, i);
  read_end(self, trace->record);
  for (uint32_t i = 0; i < trace->record->n_pending; i++) read_pending(self, trace, &trace->pendings[i]);
}

/* --- the end of the exploration --- */

static bool is_last_of_way(const struct node *node) {
  return node->kind == NODE_END || node->is_fatal || (node->kind == NODE_EVENT && is_end_of_process(node->event));
}

static bool has_next(const struct extraction *self, node_id parent) {
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling) {
    const struct node *child = forest_at(self->forest, id);
    if (child->thread == forest_at(self->forest, parent)->thread && !node_is_hazard(child)) return true;
  }
  for (size_t i = 0; i < self->joins.count; i++)
    if (self->joins.items[i].parent == parent) return true;
  return false;
}

node_id extraction_find_lost(const struct extraction *self) {
  for (node_id id = 1; id <= forest_count(self->forest); id++) {
    const struct node *node = forest_at(self->forest, id);
    if (node->flags & NODE_REALISED && !is_last_of_way(node) && !has_next(self, id)) return id;
  }
  return 0;
}
