/* SPDX-License-Identifier: MIT
 *
 * Answers of earlier queries. A query is a sorted set of constraints (slice.c):
 *
 *     the same set                         the same answer
 *     it contains a set without solution   no solution
 *     a set with a solution contains it    that solution
 *
 * Entries are found through lists per constraint: the entries that a query contains, or that contain it, share a
 * constraint with it, so counting common constraints over these lists finds both.
 */
#include "solve/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ENTRIES (1u << 16)
#define MOST_LOOKED_AT 4096u

struct entry {
  term_id *constraints;
  uint32_t count, common; /* common: with the query of round `round` */
  uint64_t round;
  enum answer answer;
  struct model model;
};

struct cache {
  struct stage stage;
  VECTOR(struct entry) entries;
  VECTOR(uint32_t) * users; /* by constraint: the entries that contain it */
  size_t users_size;
  uint64_t round;
  input_list inputs;
};

static void forget_everything(struct cache *self) {
  for (size_t i = 0; i < self->entries.count; i++) {
    free(self->entries.items[i].constraints);
    model_free(&self->entries.items[i].model);
  }
  for (size_t i = 0; i < self->users_size; i++) vector_free(&self->users[i]);
  self->entries.count = 0;
}

static void make_room(struct cache *self) {
  const size_t needed = terms_count(self->stage.terms) + 1;
  if (self->users_size >= needed) return;
  const size_t size = 2 * needed;
  self->users = memory_resize(self->users, size * sizeof *self->users);
  memset(self->users + self->users_size, 0, (size - self->users_size) * sizeof *self->users);
  self->users_size = size;
}

static void remember(struct cache *self, const struct query *query, enum answer answer, const struct model *model) {
  if (self->entries.count == MOST_ENTRIES) forget_everything(self);
  make_room(self);
  struct entry entry = {.count = (uint32_t)query->count, .answer = answer};
  entry.constraints = memory_allocate(query->count * sizeof(term_id));
  memcpy(entry.constraints, query->constraints, query->count * sizeof(term_id));
  if (answer == ANSWER_SATISFIABLE) model_copy(&entry.model, model);
  const uint32_t number = (uint32_t)self->entries.count;
  vector_push(&self->entries, entry);
  for (size_t i = 0; i < query->count; i++) vector_push(&self->users[query->constraints[i]], number);
}

/* Counts one more common constraint; true if the entry now answers the query. */
static bool meets(struct cache *self, struct entry *entry, const struct query *query) {
  if (entry->round != self->round) {
    entry->round = self->round;
    entry->common = 0;
  }
  entry->common++;
  return entry->answer == ANSWER_SATISFIABLE ? entry->common == query->count : entry->common == entry->count;
}

static struct entry *find(struct cache *self, const struct query *query) {
  uint32_t looked_at = 0;
  self->round++;
  make_room(self);
  for (size_t i = 0; i < query->count; i++) {
    const size_t users = self->users[query->constraints[i]].count;
    for (size_t k = users; k > 0 && looked_at < MOST_LOOKED_AT; k--, looked_at++) {
      struct entry *entry = &self->entries.items[self->users[query->constraints[i]].items[k - 1]];
      if (meets(self, entry, query)) return entry;
    }
  }
  return NULL;
}

static void use_model(struct cache *self, const struct query *query, const struct model *source, struct model *model) {
  query_start_model(query, model);
  query_inputs(self->stage.terms, query, &self->inputs);
  for (size_t i = 0; i < self->inputs.count; i++)
    model_set(model, self->inputs.items[i], model_value(source, self->inputs.items[i]));
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct cache *self = (struct cache *)stage;
  const struct entry *entry = find(self, query);
  if (entry) {
    if (entry->answer == ANSWER_SATISFIABLE) use_model(self, query, &entry->model, model);
    return entry->answer;
  }
  const enum answer answer = stage_pass_on(stage, query, model);
  if (answer != ANSWER_UNKNOWN) remember(self, query, answer, model);
  return answer;
}

static void destroy(struct stage *stage) {
  struct cache *self = (struct cache *)stage;
  forget_everything(self);
  vector_free(&self->entries);
  vector_free(&self->inputs);
  free(self->users);
  free(self);
}

static const struct stage_class class = {.name = "cache", .solve = solve, .destroy = destroy};

struct stage *cache_stage(struct terms *terms, struct stage *next) {
  struct cache *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
