/* SPDX-License-Identifier: MIT
 *
 * Critical sections of a scenario. Of two sections of a lock, not both of readers, one is over before the other begins:
 * there are as many such pairs as one thread's sections times the others', and hardly any of them decides anything. So
 * an order is found without them, and pairs that overlap in it are demanded, until none does. What has no order with
 * some of the pairs has none with all of them.
 */
#include "explore/con2colic/realise_internal.h"

#include <stdlib.h>

/* --- finding them --- */

/* Among those of a way, from `first` on; `open` are their numbers. */
static struct section *open_section(const struct realiser *self, uint64_t lock) {
  const struct realiser_work *work = self->work;
  for (size_t i = work->open.count; i-- > 0;)
    if (work->sections.items[work->open.items[i]].lock == lock) return &work->sections.items[work->open.items[i]];
  return NULL;
}

static void close_section(struct realiser *self, struct section *section, uint32_t given) {
  struct realiser_work *work = self->work;
  const uint32_t number = (uint32_t)(section - work->sections.items);
  size_t kept = 0;
  section->given = given;
  for (size_t i = 0; i < work->open.count; i++)
    if (work->open.items[i] != number) work->open.items[kept++] = work->open.items[i];
  work->open.count = kept;
}

/* A thread that has such a lock cannot take it once more; where a mutex can be, NODE_NESTED says so. */
static bool excludes_itself(const struct node *node) {
  const enum event_class class = kind_class(node->event);
  if (kind_effect(node->event) != EFFECT_TAKES) return false;
  return class == CLASS_RWLOCK ? !kind_waits(node->event) : class == CLASS_MUTEX || class == CLASS_SPINLOCK;
}

static void demand_never(struct realiser *self, uint32_t index) {
  demand(self, self->work->at.items[index], self->work->at.items[index], 0);
}

static void read_lock_use(struct realiser *self, uint32_t way, uint32_t i) {
  const enum lock_use use = node_lock_use(node_at(self, i));
  if (use != LOCK_TAKES && use != LOCK_TAKES_SHARED && use != LOCK_GIVES) return;
  const uint64_t lock = node_lock(self->forest, self->cause.nodes.items[i]);
  struct section *open = open_section(self, lock);
  if (use == LOCK_GIVES && open) close_section(self, open, i);
  if (use != LOCK_GIVES && open && excludes_itself(node_at(self, i))) demand_never(self, i);
  if (use == LOCK_GIVES || open) return;
  vector_push(&self->work->open, (uint32_t)self->work->sections.count);
  vector_push(&self->work->sections, ((struct section){lock, way, i, NO_INDEX, use == LOCK_TAKES_SHARED}));
}

void realiser_find_sections(struct realiser *self) {
  self->work->sections.count = 0;
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const struct thread_way *way = &self->cause.ways.items[w];
    self->work->open.count = 0;
    for (uint32_t i = way->first; i < way->first + way->count; i++) read_lock_use(self, w, i);
  }
}

/* --- open ones --- */

/* Open sections of a thread end after all that the scenario has; for any thread that may continue that can be changed.
 */
static void add_open_end(struct realiser *self, const struct section *section) {
  struct realiser_work *work = self->work;
  if (work->open_end.items[section->way] == NO_POINT) {
    work->open_end.items[section->way] = precedence_add_point(work->precedence, section->way);
    vector_push(&work->node_of, NO_INDEX);
  }
  const node_id leaf = self->cause.ways.items[section->way].leaf;
  const bool is_last = section->way == 0 || node_is_last(forest_at(self->forest, leaf));
  const uint32_t group = is_last ? 0 : new_group(self, leaf, NEED_RELEASE, section->lock);
  for (uint32_t w = 0; w < self->cause.ways.count; w++)
    if (w != section->way) demand(self, work->last.items[w], work->open_end.items[section->way], group);
}

static bool exclude_each_other(const struct section *a, const struct section *b) {
  return a->lock == b->lock && a->way != b->way && !(a->is_shared && b->is_shared);
}

/* Is there a section of another thread that has to do with it? Open ones need an end only then. */
static bool is_contended(const struct realiser *self, const struct section *section) {
  for (size_t i = 0; i < self->work->sections.count; i++)
    if (exclude_each_other(section, &self->work->sections.items[i])) return true;
  return false;
}

void realiser_end_sections(struct realiser *self) {
  for (size_t i = 0; i < self->work->sections.count; i++) {
    const struct section *section = &self->work->sections.items[i];
    if (section->given == NO_INDEX && is_contended(self, section)) add_open_end(self, section);
  }
}

/* --- those that overlap --- */

static point_id end_of(const struct realiser *self, const struct section *section) {
  return section->given == NO_INDEX ? self->work->open_end.items[section->way] : self->work->at.items[section->given];
}

static uint32_t place_of(const struct realiser *self, point_id point) {
  return self->work->places.items[point];
}

static int compare_sections(const void *a, const void *b, void *context) {
  const struct realiser *self = context;
  const struct section *x = &self->work->sections.items[*(const uint32_t *)a];
  const struct section *y = &self->work->sections.items[*(const uint32_t *)b];
  if (x->lock != y->lock) return x->lock < y->lock ? -1 : 1;
  const uint32_t p = place_of(self, self->work->at.items[x->taken]);
  const uint32_t q = place_of(self, self->work->at.items[y->taken]);
  return (p > q) - (p < q);
}

/* Sections by lock and by when they begin in the order that was found. */
static void sort_sections(struct realiser *self) {
  struct realiser_work *work = self->work;
  const point_list *order = &work->precedence->order;
  work->places.count = work->sorted.count = 0;
  for (size_t i = 0; i < order->count; i++) vector_push(&work->places, 0);
  for (size_t i = 0; i < order->count; i++) work->places.items[order->items[i]] = (uint32_t)i;
  for (size_t i = 0; i < work->sections.count; i++) vector_push(&work->sorted, (uint32_t)i);
  if (work->sorted.count > 1)
    qsort_r(work->sorted.items, work->sorted.count, sizeof *work->sorted.items, compare_sections, self);
}

/* Adds the sections after the one at the place of `sorted` that begin before it ends. */
static void find_clashes_of(struct realiser *self, size_t at) {
  struct realiser_work *work = self->work;
  const struct section *section = &work->sections.items[work->sorted.items[at]];
  const point_id end = end_of(self, section);
  for (size_t i = at + 1; i < work->sorted.count; i++) {
    const struct section *other = &work->sections.items[work->sorted.items[i]];
    if (other->lock != section->lock) return;
    if (end != NO_POINT && place_of(self, work->at.items[other->taken]) > place_of(self, end)) return;
    if (!exclude_each_other(section, other)) continue;
    vector_push(&work->clashes, ((struct clash){work->sorted.items[at], work->sorted.items[i]}));
  }
}

bool realiser_find_clashes(struct realiser *self) {
  self->work->clashes.count = 0;
  if (self->work->sections.count < 2) return false;
  sort_sections(self);
  for (size_t i = 0; i < self->work->sorted.count; i++) find_clashes_of(self, i);
  return self->work->clashes.count > 0;
}

void realiser_demand_clashes(struct realiser *self) {
  struct realiser_work *work = self->work;
  for (size_t i = 0; i < work->clashes.count; i++) {
    const struct section *a = &work->sections.items[work->clashes.items[i].a];
    const struct section *b = &work->sections.items[work->clashes.items[i].b];
    precedence_demand_either(work->precedence, end_of(self, a), work->at.items[b->taken], end_of(self, b),
                             work->at.items[a->taken], 0);
  }
}
