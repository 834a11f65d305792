/* SPDX-License-Identifier: MIT
 *
 * Points come from a pool, like the nodes of tree.c. The list of points with work is ordered by when they were listed,
 * newest first: who lists the points of a run from the root down gets a depth-first search.
 */
#include "explore/dpor/backtrack.h"

#include "base/error.h"
#include "base/number_map.h"
#include "model/dependence.h"

#include <stdlib.h>
#include <string.h>

#define SLAB_POINTS 512

struct slab {
  struct slab *next;
  struct point points[SLAB_POINTS];
};

struct backtrack {
  struct point *root;
  struct point *newest, *free;
  struct slab *slabs;
  uint64_t left, numbers;
};

static void add_slab(struct backtrack *tree) {
  struct slab *slab = memory_allocate(sizeof *slab);
  slab->next = tree->slabs;
  tree->slabs = slab;
  for (size_t i = 0; i < SLAB_POINTS; i++) {
    slab->points[i].parent = tree->free;
    tree->free = &slab->points[i];
  }
}

static struct point *new_point(struct backtrack *tree) {
  if (!tree->free) add_slab(tree);
  struct point *point = tree->free;
  tree->free = point->parent;
  *point = (struct point){.number = ++tree->numbers};
  return point;
}

struct backtrack *backtrack_create(void) {
  struct backtrack *tree = memory_allocate(sizeof *tree);
  tree->root = new_point(tree);
  tree->root->state = POINT_UNDER_WAY;
  tree->root->live = 1;
  return tree;
}

/* --- sleep sets --- */

static void release_sleep(struct point *point) {
  if (point->sleep && --point->sleep->references == 0) free(point->sleep);
  point->sleep = NULL;
}

bool point_is_asleep(const struct point *point, thread_id thread) {
  for (uint32_t i = 0; point->sleep && i < point->sleep->count; i++)
    if (point->sleep->events[i].thread == thread) return true;
  return false;
}

static bool is_listed_in(const event_list *sleepers, thread_id thread) {
  for (size_t i = 0; i < sleepers->count; i++)
    if (sleepers->items[i].thread == thread) return true;
  return false;
}

/* Is it known what the thread of this child does, and has it been started before the other one? */
static bool puts_to_sleep(const struct point *earlier, const struct point *later) {
  return earlier->rank > 0 && earlier->rank < later->rank && earlier->event.kind != EVENT_NONE;
}

/* What the thread of the child would do. On another side of a decision about what it found there, a
 * compare-and-exchange that failed writes. */
static struct event as_sleeper(const struct point *child) {
  struct event event = child->event;
  if (child->decides && event_is_exchange(&event)) event.kind = kind_attempted(event.kind);
  return event;
}

/* The point after the last step: a decision comes after it. */
static const struct point *behind_step(const struct point *point) {
  while (point->constraint) point = point->parent;
  return point;
}

void point_append_sleepers(const struct point *point, event_list *sleepers) {
  point = behind_step(point);
  if (!point->parent) return;
  const struct sleep_set *inherited = point->parent->sleep;
  for (uint32_t i = 0; inherited && i < inherited->count; i++)
    if (inherited->events[i].thread != point->event.thread) vector_push(sleepers, inherited->events[i]);
  for (const struct point *sibling = point->parent->children; sibling; sibling = sibling->next_sibling)
    if (puts_to_sleep(sibling, point) && !is_listed_in(sleepers, sibling->event.thread))
      vector_push(sleepers, as_sleeper(sibling));
}

static void wake(event_list *sleepers, const struct event *event) {
  size_t kept = 0;
  for (size_t i = 0; i < sleepers->count; i++) {
    struct event *sleeper = &sleepers->items[i];
    if (events_depend(sleeper, event)) continue;
    event_pass(sleeper, event);
    sleepers->items[kept++] = *sleeper;
  }
  sleepers->count = kept;
}

static bool is_the_same(const struct sleep_set *set, const event_list *sleepers) {
  return set && set->count == sleepers->count &&
         memcmp(set->events, sleepers->items, sleepers->count * sizeof *sleepers->items) == 0;
}

void point_fall_asleep(struct point *point, event_list *sleepers, const struct event *events, size_t n_events) {
  for (size_t i = 0; i < n_events && sleepers->count > 0; i++) wake(sleepers, &events[i]);
  release_sleep(point);
  if (sleepers->count == 0) return;
  struct sleep_set *before = behind_step(point)->parent->sleep;
  if (is_the_same(before, sleepers)) {
    point->sleep = before;
    before->references++;
    return;
  }
  const size_t size_bytes = sleepers->count * sizeof *sleepers->items;
  point->sleep = memory_resize(NULL, sizeof *point->sleep + size_bytes);
  point->sleep->references = 1;
  point->sleep->count = (uint32_t)sleepers->count;
  memcpy(point->sleep->events, sleepers->items, size_bytes);
}

/* --- the tree --- */

static void put_back(struct backtrack *tree, struct point *point) {
  release_sleep(point);
  values_release(point->values);
  free(point->sides);
  point->parent = tree->free;
  tree->free = point;
}

static void free_children(struct backtrack *tree, struct point *point) {
  while (point->children) {
    struct point *child = point->children;
    point->children = child->next_sibling;
    put_back(tree, child);
  }
}

static void free_below(struct backtrack *tree, struct point *point) {
  while (point) {
    if (point->children) {
      struct point *child = point->children;
      point->children = child->next_sibling;
      point = child;
      continue;
    }
    struct point *parent = point->parent;
    put_back(tree, point);
    point = parent;
  }
}

void backtrack_destroy(struct backtrack *tree) {
  free_below(tree, tree->root);
  while (tree->slabs) {
    struct slab *slab = tree->slabs;
    tree->slabs = slab->next;
    free(slab);
  }
  free(tree);
}

struct point *backtrack_root(struct backtrack *tree) {
  return tree->root;
}

uint64_t backtrack_left(const struct backtrack *tree) {
  return tree->left;
}

struct point *point_child(const struct point *point, thread_id thread) {
  for (struct point *child = point->children; child; child = child->next_sibling)
    if (child->event.thread == thread) return child;
  return NULL;
}

/* After the others, so that children stand in the order in which they were added. */
static struct point *add_child(struct backtrack *tree, struct point *point) {
  struct point *child = new_point(tree), **end = &point->children;
  while (*end) end = &(*end)->next_sibling;
  *end = child;
  child->parent = point;
  child->decisions = point->decisions;
  child->in_vain = point->in_vain;
  point->n_children++;
  point->live++;
  return child;
}

static struct point *add_step(struct backtrack *tree, struct point *point, struct step step) {
  struct point *child = add_child(tree, point);
  child->depth = point->depth + 1;
  child->event.thread = step.thread;
  child->event.alternative = step.alternative;
  return child;
}

static struct point *add_side(struct backtrack *tree, struct point *point, term_id constraint) {
  struct point *child = add_child(tree, point);
  child->depth = point->depth;
  child->decisions = point->decisions + 1;
  child->constraint = constraint;
  child->live = 1;
  return child;
}

struct point *backtrack_want(struct backtrack *tree, struct point *point, struct step step) {
  const struct point *same_thread = point_child(point, step.thread);
  struct point *child = add_step(tree, point, step);
  if (same_thread) child->rank = same_thread->rank;
  child->state = POINT_WANTED;
  point->n_wanted++;
  tree->left++;
  return child;
}

static void start(struct point *child) {
  if (child->rank == 0) child->rank = ++child->parent->n_started;
}

struct point *backtrack_advance(struct backtrack *tree, struct point *point, const struct event *event) {
  struct point *child = add_step(tree, point, (struct step){event->thread, event->alternative});
  start(child);
  child->event = *event;
  child->state = POINT_REACHED;
  child->live = 1;
  point->live--;
  return child;
}

struct point *backtrack_advance_side(struct backtrack *tree, struct point *point, term_id constraint) {
  struct point *child = add_side(tree, point, constraint);
  child->state = POINT_REACHED;
  point->live--;
  return child;
}

void backtrack_end(struct backtrack *tree, struct point *point) {
  for (; point; point = point->parent) {
    BUG_ON(point->live == 0);
    if (--point->live > 0) return;
    point->state = POINT_DONE;
    free_children(tree, point);
    release_sleep(point);
  }
}

void backtrack_add_sides(struct backtrack *tree, struct point *point, const struct sides *sides) {
  BUG_ON(point->sides);
  point->sides = memory_allocate(sizeof *sides);
  *point->sides = *sides;
  point->live++;
  tree->left++;
}

/* --- work --- */

void backtrack_list(struct backtrack *tree, struct point *point, struct values *values) {
  if ((point->n_wanted == 0 && !point->sides) || point->newer || point == tree->newest) return;
  point->values = values_hold(values);
  point->older = tree->newest;
  if (tree->newest) tree->newest->newer = point;
  tree->newest = point;
}

static void unlist(struct backtrack *tree, struct point *point) {
  if (point->newer)
    point->newer->older = point->older;
  else
    tree->newest = point->older;
  if (point->older) point->older->newer = point->newer;
  point->newer = point->older = NULL;
  values_release(point->values);
  point->values = NULL;
}

/* Has a sibling been started of which nobody knows yet what it does? */
static bool must_wait(const struct point *point) {
  for (const struct point *child = point->children; child; child = child->next_sibling)
    if (child->state == POINT_UNDER_WAY && child->event.kind == EVENT_NONE &&
        point_child(point, child->event.thread)->event.kind == EVENT_NONE)
      return true;
  return false;
}

static struct point *first_wanted(const struct point *point) {
  struct point *child = point->children;
  while (child->state != POINT_WANTED) child = child->next_sibling;
  return child;
}

struct point *backtrack_newest(struct backtrack *tree, bool with_sleep_sets) {
  struct point *point = tree->newest;
  while (point && with_sleep_sets && !point->sides && must_wait(point)) point = point->older;
  return point;
}

struct point *backtrack_take(struct backtrack *tree, struct point *point, struct values **values) {
  struct point *child = first_wanted(point);
  start(child);
  child->state = POINT_UNDER_WAY;
  child->live = 1;
  tree->left--;
  *values = values_hold(point->values);
  if (--point->n_wanted == 0) unlist(tree, point);
  return child;
}

struct point *backtrack_take_side(struct backtrack *tree, struct point *point, term_id constraint) {
  struct point *child = add_side(tree, point, constraint);
  child->state = POINT_UNDER_WAY;
  return child;
}

void backtrack_end_sides(struct backtrack *tree, struct point *point) {
  free(point->sides);
  point->sides = NULL;
  tree->left--;
  unlist(tree, point);
  backtrack_end(tree, point);
}

void point_append_path(const struct point *point, struct schedule *schedule) {
  struct step *steps = schedule_extend(schedule, point->depth);
  for (; point->parent; point = point->parent)
    if (!point->constraint) steps[point->depth - 1] = (struct step){point->event.thread, point->event.alternative};
}

void point_list_constraints(const struct point *point, term_list *list) {
  list->count = 0;
  while (list->capacity < point->decisions)
    list->items = memory_grow(list->items, &list->capacity, sizeof *list->items);
  list->count = point->decisions;
  for (; point->decisions > 0; point = point->parent)
    if (point->constraint) list->items[point->decisions - 1] = point->constraint;
}

/* --- the written form: all points, each before its children; then those with work, the oldest first --- */

enum written_sleep { SLEEP_NOBODY, SLEEP_AS_PARENT, SLEEP_OWN };

static uint32_t count_children(const struct point *point) {
  uint32_t count = 0;
  for (const struct point *child = point->children; child; child = child->next_sibling) count++;
  return count;
}

static void write_sleep(const struct point *point, struct text *state) {
  if (!point->sleep || (point->parent && point->sleep == point->parent->sleep)) {
    written_add_number(state, point->sleep ? SLEEP_AS_PARENT : SLEEP_NOBODY);
    return;
  }
  written_add_number(state, SLEEP_OWN);
  written_add_number(state, point->sleep->count);
  written_add_bytes(state, point->sleep->events, point->sleep->count * sizeof *point->sleep->events);
}

static void write_point(const struct point *point, struct text *state) {
  BUG_ON(point->constraint || point->sides || point->values);
  written_add_number(state, count_children(point));
  written_add_number(state, point->state);
  written_add_number(state, point->rank);
  written_add_number(state, point->n_started);
  written_add_number(state, point->in_vain);
  written_add_number(state, point->decides);
  written_add_bytes(state, &point->event, sizeof point->event);
  write_sleep(point, state);
}

/* In the order in which they are written; NULL after the last. */
static const struct point *next_point(const struct point *point) {
  if (point->children) return point->children;
  while (point && !point->next_sibling) point = point->parent;
  return point ? point->next_sibling : NULL;
}

void backtrack_write(const struct backtrack *tree, void *const *points, size_t n_points, struct text *state) {
  NUMBER_MAP(uint32_t) numbers = {0};
  uint32_t count = 0, n_listed = 0;
  const struct point *oldest = tree->newest;
  for (const struct point *point = tree->root; point; point = next_point(point)) {
    *number_map_add(&numbers, (uintptr_t)point) = count++;
    write_point(point, state);
  }
  for (const struct point *point = tree->newest; point; oldest = point, point = point->older) n_listed++;
  written_add_number(state, n_listed);
  for (const struct point *point = oldest; point; point = point->newer)
    written_add_number(state, *number_map_find(&numbers, (uintptr_t)point));
  for (size_t i = 0; i < n_points; i++) written_add_number(state, *number_map_find(&numbers, (uintptr_t)points[i]));
  number_map_free(&numbers);
}

static bool read_sleep(struct point *point, struct written *state) {
  const enum written_sleep kind = written_take_below(state, SLEEP_OWN + 1);
  if (kind == SLEEP_AS_PARENT) {
    if (!point->parent || !point->parent->sleep) return written_refuse(state);
    point->sleep = point->parent->sleep;
    point->sleep->references++;
  }
  if (kind != SLEEP_OWN) return !state->failed;
  const size_t count = written_take_count(state, sizeof(struct event));
  if (count == 0) return written_refuse(state);
  point->sleep = memory_allocate(sizeof *point->sleep + count * sizeof *point->sleep->events);
  point->sleep->references = 1;
  point->sleep->count = (uint32_t)count;
  written_take_bytes(state, point->sleep->events, count * sizeof *point->sleep->events);
  for (size_t i = 0; i < count; i++)
    if (!sleeper_is_sound(&point->sleep->events[i])) return written_refuse(state);
  return true;
}

/* Only a point that was reached has children. */
static bool read_point(struct point *point, struct written *state, size_t *n_children) {
  *n_children = written_take_count(state, sizeof point->event);
  point->state = (uint8_t)written_take_below(state, POINT_DONE + 1);
  point->rank = (uint32_t)written_take_below(state, UINT32_MAX);
  point->n_started = (uint32_t)written_take_below(state, UINT32_MAX);
  point->in_vain = written_take_bool(state);
  point->decides = written_take_bool(state);
  written_take_bytes(state, &point->event, sizeof point->event);
  if (!sleeper_is_sound(&point->event) || (*n_children > 0 && point->state != POINT_REACHED))
    return written_refuse(state);
  return read_sleep(point, state);
}

typedef VECTOR(struct point *) point_list;

static bool read_points(struct backtrack *tree, struct written *state, uint32_t max_steps, point_list *all) {
  VECTOR(size_t) missing = {0}; /* by depth: children that are still to be read */
  struct point *point = tree->root;
  size_t n_children;
  for (bool good = read_point(point, state, &n_children); good;) {
    vector_push(all, point);
    vector_push(&missing, n_children);
    while (point && missing.items[point->depth] == 0) {
      point = point->parent;
      missing.count--;
    }
    if (!point) break;
    missing.items[point->depth]--;
    point = add_step(tree, point, (struct step){0});
    good = point->depth <= max_steps ? read_point(point, state, &n_children) : written_refuse(state);
  }
  vector_free(&missing);
  return !state->failed;
}

/* What follows from the states of the points. */
static void count_work(struct backtrack *tree, const point_list *all) {
  for (size_t i = 0; i < all->count; i++) {
    struct point *point = all->items[i];
    point->live = point->state == POINT_UNDER_WAY;
    point->n_wanted = 0;
    for (const struct point *child = point->children; child; child = child->next_sibling) {
      point->live += child->state != POINT_DONE;
      point->n_wanted += child->state == POINT_WANTED;
    }
    tree->left += point->n_wanted;
  }
}

static bool read_listed(struct backtrack *tree, struct written *state, const point_list *all) {
  uint64_t left = 0;
  for (size_t n = written_take_count(state, 1); n > 0; n--) {
    struct point *point = all->items[written_take_below(state, all->count)];
    if (state->failed || point->n_wanted == 0 || point->newer || point == tree->newest) return written_refuse(state);
    backtrack_list(tree, point, NULL);
    left += point->n_wanted;
  }
  return left == tree->left; /* none is missing */
}

/* A run is under way to each of them, and to no other. */
static bool read_under_way(struct written *state, const point_list *all, void **points, size_t n_points) {
  size_t n_under_way = 0;
  for (size_t i = 0; i < all->count; i++) n_under_way += all->items[i]->state == POINT_UNDER_WAY;
  for (size_t i = 0; i < n_points; i++) {
    points[i] = all->items[written_take_below(state, all->count)];
    for (size_t k = 0; k < i; k++)
      if (points[k] == points[i]) return written_refuse(state);
    if (((const struct point *)points[i])->state != POINT_UNDER_WAY) return written_refuse(state);
  }
  return n_under_way == n_points;
}

static bool nobody_is_stuck(const point_list *all) {
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i]->state == POINT_REACHED && all->items[i]->live == 0) return false;
  return true;
}

bool backtrack_read(struct backtrack *tree, struct written *state, bool has_started, uint32_t max_steps, void **points,
                    size_t n_points) {
  point_list all = {0};
  bool good = read_points(tree, state, max_steps, &all);
  if (good) count_work(tree, &all);
  good = good && nobody_is_stuck(&all) && read_listed(tree, state, &all);
  if (has_started)
    good = good && read_under_way(state, &all, points, n_points);
  else
    good = good && all.count == 1 && n_points == 0;
  vector_free(&all);
  return good && !state->failed;
}
