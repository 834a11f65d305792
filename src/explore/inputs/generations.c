/* SPDX-License-Identifier: MIT */
#include "explore/inputs/generations.h"

#include "base/number_map.h"
#include "base/number_set.h"
#include "base/random.h"
#include "explore/inputs/sides.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CHANGES 65536 /* known and not tried yet, in all */
#define MOST_QUESTIONS 32  /* in vain, before the caller gets another turn */

/* One more constraint after the first `count` of a path. */
struct change {
  uint32_t count;
  term_id target;
};

struct generation {
  term_id *constraints;
  struct values *values; /* for which they hold */
  VECTOR(struct change) changes;
};

struct generations {
  struct inputs *inputs;
  VECTOR(struct generation) list; /* none without changes */
  struct number_set seen;         /* hashes of prefix and target */
  size_t n_changes;
  size_t
      n_last; /* decisions of the path that was added last, while its last decision may be asked for; 0: it may not */
  /* By hash of a prefix of decisions and of an address: which of the object's addresses no run has had after it. */
  NUMBER_MAP(term_id) addresses;
  uint64_t random;
};

struct generations *generations_create(struct inputs *inputs, uint64_t seed) {
  struct generations *self = memory_allocate(sizeof *self);
  self->inputs = inputs;
  self->random = seed;
  return self;
}

static void free_generation(struct generation *generation) {
  free(generation->constraints);
  values_release(generation->values);
  vector_free(&generation->changes);
}

void generations_destroy(struct generations *self) {
  if (!self) return;
  for (size_t i = 0; i < self->list.count; i++) free_generation(&self->list.items[i]);
  vector_free(&self->list);
  number_set_free(&self->seen);
  number_map_free(&self->addresses);
  free(self);
}

static void add_change(struct generations *self, struct generation *generation, uint64_t prefix, uint32_t count,
                       term_id target) {
  bits value;
  if (self->n_changes >= MOST_CHANGES) return;
  if (term_is_constant(inputs_terms(self->inputs), target, &value)) return;
  if (!number_set_add(&self->seen, hash_mix(prefix, target))) return;
  vector_push(&generation->changes, ((struct change){count, target}));
  self->n_changes++;
}

/* Without the address that a run has just had. */
static term_id addresses_left(struct generations *self, uint64_t prefix, const struct path_decision *decision,
                              term_id inside) {
  struct terms *terms = inputs_terms(self->inputs);
  term_id *left = number_map_add(&self->addresses, hash_mix(prefix, decision->term) | 1);
  *left = *left ? term_make(terms, TERM_AND, *left, term_not(terms, decision->constraint), 0) : inside;
  return *left;
}

static void add_changes(struct generations *self, struct generation *generation, uint64_t prefix,
                        const struct path *path, uint32_t i) {
  struct sides sides;
  if (!sides_open(&sides, self->inputs, &path->decisions[i])) return;
  if (sides.other) {
    add_change(self, generation, prefix, i, sides.other);
    return;
  }
  add_change(self, generation, prefix, i, sides.above);
  add_change(self, generation, prefix, i, sides.below);
  const uint64_t taken = hash_mix(prefix, path->constraints[i]);
  if (number_set_add(&self->seen, taken))
    add_change(self, generation, prefix, i, addresses_left(self, prefix, &path->decisions[i], sides.inside));
}

void generations_add(struct generations *self, const struct path *path) {
  struct generation generation = {0};
  uint64_t prefix = 0;
  for (uint32_t i = 0; i < path->count; i++) {
    add_changes(self, &generation, prefix, path, i);
    prefix = hash_mix(prefix, path->constraints[i]);
    /* The way that was taken needs no asking for. */
    number_set_add(&self->seen, prefix);
  }
  self->n_last = 0;
  if (generation.changes.count == 0) return;
  self->n_last = path->count;
  generation.constraints = memory_allocate(path->count * sizeof *path->constraints);
  memcpy(generation.constraints, path->constraints, path->count * sizeof *path->constraints);
  generation.values = values_hold(path->values);
  vector_push(&self->list, generation);
}

static size_t draw(struct generations *self, size_t bound) {
  return (size_t)(random_next(&self->random) % bound);
}

static bool try_change(struct generations *self, size_t which, size_t place, struct values **values) {
  struct generation *generation = &self->list.items[which];
  const struct change change = generation->changes.items[place];
  generation->changes.items[place] = generation->changes.items[--generation->changes.count];
  self->n_changes--;
  const enum answer answer =
      inputs_solve(self->inputs, generation->constraints, change.count, change.target, generation->values, values);
  if (generation->changes.count == 0) {
    free_generation(generation);
    *generation = self->list.items[--self->list.count];
  }
  return answer == ANSWER_SATISFIABLE;
}

static bool try_one(struct generations *self, struct values **values) {
  const size_t which = draw(self, self->list.count);
  return try_change(self, which, draw(self, self->list.items[which].changes.count), values);
}

bool generations_go_on(struct generations *self, struct values **values) {
  if (self->n_last == 0 || self->list.count == 0) return false;
  const size_t which = self->list.count - 1, place = self->list.items[which].changes.count - 1;
  const bool is_last = self->list.items[which].changes.items[place].count + 1 == self->n_last;
  self->n_last = 0;
  return is_last && try_change(self, which, place, values);
}

bool generations_next(struct generations *self, struct values **values) {
  for (int i = 0; i < MOST_QUESTIONS && self->list.count > 0; i++)
    if (try_one(self, values)) return true;
  return false;
}
