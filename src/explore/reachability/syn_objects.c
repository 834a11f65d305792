/* SPDX-License-Identifier: MIT */
#include "explore/reachability/syn_objects.h"

#include "base/error.h"
#include "model/dependence.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

void syn_objects_free(struct syn_objects *objects) {
  vector_free(&objects->extents);
  vector_free(&objects->parents);
  vector_free(&objects->is_ordered);
}

/* ---- groups ---- */

static uint32_t root_of(const struct syn_objects *objects, uint32_t group) {
  while (objects->parents.items[group] != group) group = objects->parents.items[group];
  return group;
}

static uint32_t add_group(struct syn_objects *objects) {
  const uint32_t group = (uint32_t)objects->parents.count;
  vector_push(&objects->parents, group);
  vector_push(&objects->is_ordered, 0);
  return group;
}

static bool unite(struct syn_objects *objects, uint32_t a, uint32_t b) {
  a = root_of(objects, a), b = root_of(objects, b);
  if (a == b) return false;
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  objects->parents.items[high] = low;
  objects->is_ordered.items[low] |= objects->is_ordered.items[high];
  return true;
}

static bool make_ordered(struct syn_objects *objects, uint32_t group) {
  uint8_t *is_ordered = &objects->is_ordered.items[root_of(objects, group)];
  const bool changed = !*is_ordered;
  *is_ordered = 1;
  return changed;
}

/* ---- places ---- */

static enum event_class class_of_kind(uint32_t kind) {
  return event_class_of(&(struct event){.kind = (uint8_t)kind});
}

struct syn_place syn_place_of(uint32_t kind, uint64_t object, uint64_t size) {
  const enum event_class class = class_of_kind(kind);
  if (class == CLASS_MEMORY) return (struct syn_place){object, object + (size ? size : 1)};
  if (class == CLASS_THREAD || class == CLASS_DESCRIPTOR || class == CLASS_NOTHING) {
    const uint64_t start = (uint64_t)(class + 1) << 56 | (class == CLASS_NOTHING ? 0 : object);
    return (struct syn_place){start, start + 1};
  }
  return (struct syn_place){object, object + (class == CLASS_FUTEX ? FUTEX_BYTES : 1)};
}

/* The first extent that ends after `start`. */
static size_t first_behind(const struct syn_objects *objects, uint64_t start) {
  size_t low = 0, high = objects->extents.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (objects->extents.items[middle].end <= start)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool touches(const struct syn_objects *objects, size_t i, struct syn_place place) {
  return i < objects->extents.count && objects->extents.items[i].start < place.end;
}

uint32_t syn_objects_find(const struct syn_objects *objects, struct syn_place place) {
  const size_t i = first_behind(objects, place.start);
  return touches(objects, i, place) ? root_of(objects, objects->extents.items[i].group) : SYN_NO_GROUP;
}

bool syn_objects_is_ordered(const struct syn_objects *objects, uint32_t group) {
  return objects->is_ordered.items[group];
}

static void insert(struct syn_objects *objects, size_t at, struct syn_extent extent) {
  vector_push(&objects->extents, extent);
  memmove(&objects->extents.items[at + 1], &objects->extents.items[at],
          (objects->extents.count - 1 - at) * sizeof extent);
  objects->extents.items[at] = extent;
}

/* The place becomes part of one extent. */
static bool add_place(struct syn_objects *objects, struct syn_place place, uint32_t *group) {
  const size_t at = first_behind(objects, place.start);
  bool changed = false;
  if (!touches(objects, at, place)) {
    *group = add_group(objects);
    insert(objects, at, (struct syn_extent){place.start, place.end, *group});
    return false;
  }
  struct syn_extent *extent = &objects->extents.items[at];
  size_t end = at + 1;
  if (place.start < extent->start) extent->start = place.start;
  for (; touches(objects, end, place); end++) {
    changed |= unite(objects, extent->group, objects->extents.items[end].group);
    extent->end = objects->extents.items[end].end;
  }
  if (place.end > extent->end) extent->end = place.end;
  if (end > at + 1)
    memmove(&objects->extents.items[at + 1], &objects->extents.items[end],
            (objects->extents.count - end) * sizeof *extent);
  objects->extents.count -= end - at - 1;
  *group = extent->group;
  return changed;
}

/* ---- learning ---- */

void syn_alone_pass(struct syn_alone *alone, const struct event *event) {
  if (event_effect_of(event) == EFFECT_CREATES) alone->unjoined++;
  if (event_effect_of(event) == EFFECT_JOINS && alone->unjoined > 0) alone->unjoined--;
}

bool syn_event_is_alone(const struct syn_alone *alone, const struct event *event) {
  return alone->unjoined == 0 && event_is_lifetime(event);
}

/* All ports of a selective wait, whose list follows the event, are one object. */
static bool learn_open_ports(struct syn_objects *objects, const struct trace_view *trace, uint32_t i, uint32_t first,
                             bool is_ordered) {
  const thread_id thread = trace->events[i].thread;
  bool changed = false;
  for (i++; i < trace->record->n_events && event_effect_of(&trace->events[i]) == EFFECT_LISTS; i++) {
    uint32_t group;
    if (trace->events[i].thread != thread) break;
    changed |= add_place(objects, syn_place_of(trace->events[i].kind, trace->events[i].object, 0), &group);
    if (first == SYN_NO_GROUP) first = group;
    if (is_ordered || objects->is_ordered.items[root_of(objects, group)] ||
        objects->is_ordered.items[root_of(objects, first)]) {
      changed |= make_ordered(objects, group);
      changed |= unite(objects, first, group);
      changed |= make_ordered(objects, group);
    }
  }
  return changed;
}

static bool learn_event(struct syn_objects *objects, const struct trace_view *trace, uint32_t i) {
  const struct event *event = &trace->events[i];
  uint32_t group, other;
  if (event_dependence_of(event) == DEPENDENCE_GLOBAL) {
    const bool changed = !objects->is_one;
    objects->is_one = true;
    return changed;
  }
  if (event_dependence_of(event) == DEPENDENCE_INDEPENDENT || !event_is_step(event)) return false;
  const bool is_otherwise = event_looks_at_ports(event) && kind_failed(event->kind);
  if (is_otherwise && !event->object) return learn_open_ports(objects, trace, i, SYN_NO_GROUP, true);
  bool changed = add_place(objects, syn_place_of(event->kind, event->object, event->size), &group);
  if (event_class_of(event) == CLASS_CONDITION && event_effect_of(event) == EFFECT_WAITS) {
    changed |= add_place(objects, syn_place_of(EVENT_MUTEX_LOCK, event->value, 0), &other);
    changed |= unite(objects, group, other);
  }
  const bool gives_up = event_effect_of(event) == EFFECT_RECEIVES && event->flags & EVENT_GIVES_UP;
  if (kind_need(event->kind) == NEEDS_ROOM || is_otherwise || gives_up) changed |= make_ordered(objects, group);
  if (event_looks_at_ports(event)) changed |= learn_open_ports(objects, trace, i, group, is_otherwise || gives_up);
  return changed;
}

static bool learn_pending(struct syn_objects *objects, const struct pending *pending) {
  const struct event event = {.kind = pending->kind,
                              .object = pending->object,
                              .size = pending->size,
                              .flags = (uint8_t)(EVENT_VISIBLE | (pending->flags & EVENT_OF_ALL))};
  uint32_t group;
  if (!event_row(pending->kind)->visible || event_dependence_of(&event) == DEPENDENCE_INDEPENDENT) return false;
  if (event_dependence_of(&event) == DEPENDENCE_GLOBAL) {
    const bool changed = !objects->is_one;
    objects->is_one = true;
    return changed;
  }
  const bool changed = add_place(objects, syn_place_of(pending->kind, pending->object, pending->size), &group);
  const bool gives_up = kind_failed(pending->kind) || pending->flags & EVENT_GIVES_UP;
  const bool is_ordered = kind_need(pending->kind) == NEEDS_ROOM || (event_looks_at_ports(&event) && gives_up);
  return (is_ordered && make_ordered(objects, group)) || changed;
}

/* A second time, when something changed: ports become ordered by what comes later. */
bool syn_objects_learn(struct syn_objects *objects, const struct trace_view *trace) {
  bool changed = false, again = true;
  while (again) {
    struct syn_alone alone = {0};
    again = false;
    for (uint32_t i = 0; i < trace->record->n_events; i++) {
      syn_alone_pass(&alone, &trace->events[i]);
      if (!syn_event_is_alone(&alone, &trace->events[i])) again |= learn_event(objects, trace, i);
    }
    for (uint32_t i = 0; i < trace->record->n_pending; i++) again |= learn_pending(objects, &trace->pendings[i]);
    changed |= again;
  }
  return changed;
}

/* ---- the written form ---- */

void syn_objects_write(const struct syn_objects *objects, struct text *state) {
  written_add_number(state, objects->is_one);
  written_add_number(state, objects->parents.count);
  for (size_t i = 0; i < objects->parents.count; i++) {
    written_add_number(state, objects->parents.items[i]);
    written_add_number(state, objects->is_ordered.items[i]);
  }
  written_add_number(state, objects->extents.count);
  for (size_t i = 0; i < objects->extents.count; i++) {
    written_add_number(state, objects->extents.items[i].start);
    written_add_number(state, objects->extents.items[i].end);
    written_add_number(state, objects->extents.items[i].group);
  }
}

bool syn_objects_read(struct syn_objects *objects, struct written *state) {
  uint64_t end = 0;
  objects->is_one = written_take_bool(state);
  const size_t n_groups = written_take_count(state, 2);
  for (size_t i = 0; i < n_groups; i++) {
    vector_push(&objects->parents, (uint32_t)written_take_below(state, i + 1));
    vector_push(&objects->is_ordered, (uint8_t)written_take_bool(state));
  }
  for (size_t left = written_take_count(state, 3); left > 0 && !state->failed; left--) {
    struct syn_extent extent = {.start = written_take_number(state)};
    extent.end = written_take_number(state);
    extent.group = (uint32_t)written_take_below(state, n_groups);
    if (extent.start < end || extent.end <= extent.start) return written_refuse(state);
    vector_push(&objects->extents, extent);
    end = extent.end;
  }
  return !state->failed;
}
