/* SPDX-License-Identifier: MIT
 *
 * Answers of earlier queries. A query is a sorted set of constraints (slice.c):
 *
 *     the same set                         the same answer
 *     it contains a set without solution   no solution
 *     a set with a solution contains it    that solution
 *
 * The same set is found by its hash. For the other two, the constraints without the query's focus have a solution, the
 * hint; so a set without solution contains part of the focus, and a set that contains the query contains all of it.
 * Per constraint there is a list of the sets it is in; the newest of the focus's lists are looked at, most of them only
 * at their signature.
 */
#include "solve/internal.h"

#include "base/hash.h"
#include "base/id_index.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ENTRIES (1u << 16)
#define MOST_WORDS (1u << 24) /* constraints and values of all entries */
#define MOST_LOOKED_AT 256u

struct entry {
  term_id *constraints;
  input_id *inputs; /* of a solution, ascending, with their values */
  bits *values;
  uint32_t count, n_inputs;
  uint64_t hash, signature;
  enum answer answer;
};

typedef VECTOR(uint32_t) entry_list;

struct cache {
  struct stage stage;
  VECTOR(struct entry) entries; /* entry 0 is none */
  struct id_index index;
  entry_list *users; /* by constraint: the entries that contain it */
  size_t users_size, words;
  input_list inputs;
};

static void forget_everything(struct cache *self) {
  for (size_t i = 1; i < self->entries.count; i++) {
    const struct entry *entry = &self->entries.items[i];
    for (uint32_t k = 0; k < entry->count; k++) vector_free(&self->users[entry->constraints[k]]);
    free(entry->constraints);
    free(entry->inputs);
    free(entry->values);
  }
  self->entries.count = 1;
  self->words = 0;
  id_index_clear(&self->index);
}

static void make_room(struct cache *self) {
  const size_t needed = terms_count(self->stage.terms) + 1;
  if (self->users_size >= needed) return;
  const size_t size = 2 * needed;
  self->users = memory_resize(self->users, size * sizeof *self->users);
  memset(self->users + self->users_size, 0, (size - self->users_size) * sizeof *self->users);
  self->users_size = size;
}

static uint64_t hash_of(const struct query *query) {
  uint64_t hash = query->count;
  for (size_t i = 0; i < query->count; i++) hash = hash_mix(hash, query->constraints[i]);
  return hash;
}

/* One bit per constraint: a subset has a subset of the bits. */
static uint64_t signature_of(const struct query *query) {
  uint64_t signature = 0;
  for (size_t i = 0; i < query->count; i++) signature |= 1ull << (hash_mix(0, query->constraints[i]) >> 58);
  return signature;
}

static bool contains(const term_id *set, size_t count, const term_id *subset, size_t subset_count) {
  size_t i = 0;
  for (size_t k = 0; k < subset_count; k++, i++) {
    while (i < count && set[i] < subset[k]) i++;
    if (i == count || set[i] != subset[k]) return false;
  }
  return true;
}

/* --- remembering --- */

static void keep_values(struct cache *self, struct entry *entry, const struct query *query, const struct model *model) {
  query_inputs(self->stage.terms, query, &self->inputs);
  entry->n_inputs = (uint32_t)self->inputs.count;
  entry->inputs = memory_allocate(entry->n_inputs * sizeof *entry->inputs);
  entry->values = memory_allocate(entry->n_inputs * sizeof *entry->values);
  for (uint32_t i = 0; i < entry->n_inputs; i++) {
    entry->inputs[i] = self->inputs.items[i];
    entry->values[i] = model_value(model, entry->inputs[i]);
  }
}

static void remember(struct cache *self, const struct query *query, uint64_t hash, enum answer answer,
                     const struct model *model) {
  if (self->entries.count == MOST_ENTRIES || self->words > MOST_WORDS) forget_everything(self);
  make_room(self);
  const uint32_t number = (uint32_t)self->entries.count;
  struct entry entry = {
      .count = (uint32_t)query->count, .hash = hash, .signature = signature_of(query), .answer = answer};
  entry.constraints = memory_allocate(query->count * sizeof(term_id));
  memcpy(entry.constraints, query->constraints, query->count * sizeof(term_id));
  if (answer == ANSWER_SATISFIABLE) keep_values(self, &entry, query, model);
  id_index_add(&self->index, number, hash);
  self->words += 2 * entry.count + 5 * entry.n_inputs;
  vector_push(&self->entries, entry);
  for (size_t i = 0; i < query->count; i++) vector_push(&self->users[query->constraints[i]], number);
}

/* --- finding --- */

static const struct entry *find_same(const struct cache *self, const struct query *query, uint64_t hash) {
  struct id_search search = id_index_search(&self->index, hash);
  for (uint32_t number; (number = id_search_next(&search));) {
    const struct entry *entry = &self->entries.items[number];
    if (entry->hash == hash && entry->count == query->count &&
        memcmp(entry->constraints, query->constraints, query->count * sizeof(term_id)) == 0)
      return entry;
  }
  return NULL;
}

static bool decides(const struct entry *entry, const struct query *query, uint64_t signature) {
  if (entry->answer == ANSWER_UNSATISFIABLE)
    return entry->count <= query->count && !(entry->signature & ~signature) &&
           contains(query->constraints, query->count, entry->constraints, entry->count);
  return entry->count >= query->count && !(signature & ~entry->signature) &&
         contains(entry->constraints, entry->count, query->constraints, query->count);
}

static const struct entry *find_related(struct cache *self, const struct query *query) {
  const uint64_t signature = signature_of(query);
  const term_id *focus = query->n_focus ? query->focus : query->constraints;
  const size_t n_focus = query->n_focus ? query->n_focus : query->count;
  uint32_t looked_at = 0;
  make_room(self);
  for (size_t i = 0; i < n_focus; i++) {
    const entry_list *users = &self->users[focus[i]];
    for (size_t k = users->count; k > 0 && looked_at < MOST_LOOKED_AT; k--, looked_at++) {
      const struct entry *entry = &self->entries.items[users->items[k - 1]];
      if (decides(entry, query, signature)) return entry;
    }
  }
  return NULL;
}

/* The query's inputs are among the entry's. */
static void use_values(struct cache *self, const struct query *query, const struct entry *entry, struct model *model) {
  query_inputs(self->stage.terms, query, &self->inputs);
  uint32_t k = 0;
  for (size_t i = 0; i < self->inputs.count; i++) {
    while (k < entry->n_inputs && entry->inputs[k] < self->inputs.items[i]) k++;
    if (k < entry->n_inputs && entry->inputs[k] == self->inputs.items[i])
      model_set(model, entry->inputs[k], entry->values[k]);
  }
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct cache *self = (struct cache *)stage;
  const uint64_t hash = hash_of(query);
  const struct entry *entry = find_same(self, query, hash);
  if (!entry) entry = find_related(self, query);
  if (entry) {
    if (entry->answer == ANSWER_SATISFIABLE) use_values(self, query, entry, model);
    return entry->answer;
  }
  const enum answer answer = stage_pass_on(stage, query, model);
  if (answer != ANSWER_UNKNOWN) remember(self, query, hash, answer, model);
  return answer;
}

static void destroy(struct stage *stage) {
  struct cache *self = (struct cache *)stage;
  forget_everything(self);
  vector_free(&self->entries);
  vector_free(&self->inputs);
  id_index_free(&self->index);
  free(self->users);
  free(self);
}

static const struct stage_class class = {.name = "cache", .solve = solve, .destroy = destroy};

struct stage *cache_stage(struct terms *terms, struct stage *next) {
  struct cache *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  vector_push(&self->entries, (struct entry){0});
  return &self->stage;
}
