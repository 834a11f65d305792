/* SPDX-License-Identifier: MIT
 *
 * Numbered scenarios, an index of their contents, and queues by degree.
 */
#include "explore/con2colic/scenarios.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void scenarios_start(struct scenarios *self) {
  *self = (struct scenarios){0};
  vector_push(&self->items, (struct scenario){0});
}

void scenarios_free(struct scenarios *self) {
  vector_free(&self->items);
  vector_free(&self->words);
  for (size_t i = 0; i < self->queues.count; i++) {
    vector_free(&self->queues.items[i].urgent);
    vector_free(&self->queues.items[i].other);
  }
  vector_free(&self->queues);
  id_index_free(&self->index);
}

uint64_t scenarios_bytes(const struct scenarios *self) {
  return self->items.capacity * sizeof *self->items.items + self->words.capacity * sizeof(uint32_t) +
         self->index.size * sizeof *self->index.slots;
}

/* --- parts --- */

void parts_free(struct scenario_parts *parts) {
  vector_free(&parts->interferences);
  vector_free(&parts->tails);
}

void parts_read(struct scenario_parts *parts, const struct scenarios *self, scenario_id id) {
  const struct scenario *scenario = &self->items.items[id];
  const uint32_t *words = &self->words.items[scenario->first];
  parts->sink = scenario->sink;
  parts->interferences.count = parts->tails.count = 0;
  for (unsigned i = 0; i < scenario->n_interferences; i++, words += 2)
    vector_push(&parts->interferences, ((struct interference){words[0], words[1]}));
  for (unsigned i = 0; i < scenario->n_tails; i++) vector_push(&parts->tails, words[i]);
}

void parts_add_interference(struct scenario_parts *parts, struct interference interference) {
  vector_push(&parts->interferences, interference);
  struct interference *items = parts->interferences.items;
  size_t at = parts->interferences.count - 1;
  for (; at > 0 && items[at - 1].target > interference.target; at--) items[at] = items[at - 1];
  items[at] = interference;
}

void parts_add_tail(struct scenario_parts *parts, const struct forest *forest, node_id tail) {
  size_t kept = 0;
  for (size_t i = 0; i < parts->tails.count; i++)
    if (!forest_is_on_way(forest, parts->tails.items[i], tail)) parts->tails.items[kept++] = parts->tails.items[i];
  parts->tails.count = kept;
  vector_push(&parts->tails, tail);
  size_t at = parts->tails.count - 1;
  for (; at > 0 && parts->tails.items[at - 1] > tail; at--) parts->tails.items[at] = parts->tails.items[at - 1];
  parts->tails.items[at] = tail;
}

node_id parts_source(const struct scenario_parts *parts, node_id target) {
  for (size_t i = 0; i < parts->interferences.count; i++)
    if (parts->interferences.items[i].target == target) return parts->interferences.items[i].source;
  return 0;
}

/* --- content --- */

static size_t n_words_of(const struct scenario *scenario) {
  return 2u * scenario->n_interferences + scenario->n_tails;
}

static uint64_t hash_of(const struct scenario *scenario, const uint32_t *words) {
  uint64_t hash = hash_mix(scenario->sink, scenario->n_tails);
  for (size_t i = 0; i < n_words_of(scenario); i++) hash = hash_mix(hash, words[i]);
  return hash;
}

static bool is_equal(const struct scenarios *self, const struct scenario *a, const struct scenario *b) {
  return a->sink == b->sink && a->n_interferences == b->n_interferences && a->n_tails == b->n_tails &&
         memcmp(&self->words.items[a->first], &self->words.items[b->first], n_words_of(a) * sizeof(uint32_t)) == 0;
}

static bool is_known(const struct scenarios *self, const struct scenario *scenario, uint64_t hash) {
  struct id_search search = id_index_search(&self->index, hash);
  for (scenario_id id; (id = id_search_next(&search));)
    if (is_equal(self, &self->items.items[id], scenario)) return true;
  return false;
}

static bool is_of_memory(const struct forest *forest, node_id target) {
  const struct node *node = forest_at(forest, target);
  return node->kind == NODE_ACCESS || node->kind == NODE_PENDING;
}

scenario_id scenarios_add(struct scenarios *self, const struct forest *forest, const struct scenario_parts *parts,
                          bool unique) {
  struct scenario scenario = {.sink = parts->sink,
                              .first = (uint32_t)self->words.count,
                              .n_interferences = (uint16_t)parts->interferences.count,
                              .n_tails = (uint16_t)parts->tails.count};
  BUG_ON(parts->interferences.count > UINT16_MAX || parts->tails.count > UINT16_MAX);
  for (size_t i = 0; i < parts->interferences.count; i++) {
    vector_push(&self->words, parts->interferences.items[i].target);
    vector_push(&self->words, parts->interferences.items[i].source);
    scenario.degree += is_of_memory(forest, parts->interferences.items[i].target);
  }
  for (size_t i = 0; i < parts->tails.count; i++) vector_push(&self->words, parts->tails.items[i]);
  if (self->words.items == NULL) vector_push(&self->words, 0); /* so that an empty content has a place */
  const uint64_t hash = hash_of(&scenario, &self->words.items[scenario.first]);
  const bool known = is_known(self, &scenario, hash);
  if (known && unique) {
    self->words.count = scenario.first;
    return 0;
  }
  const scenario_id id = (scenario_id)self->items.count;
  if (!known) id_index_add(&self->index, id, hash);
  vector_push(&self->items, scenario);
  return id;
}

/* --- queues --- */

void scenarios_push(struct scenarios *self, scenario_id id, bool is_urgent) {
  const uint32_t degree = self->items.items[id].degree;
  while (self->queues.count <= degree) vector_push(&self->queues, (struct scenario_queue){0});
  struct scenario_queue *queue = &self->queues.items[degree];
  if (is_urgent)
    vector_push(&queue->urgent, id);
  else
    vector_push(&queue->other, id);
  self->waiting++;
}

static bool is_empty(const struct scenario_queue *queue) {
  return queue->urgent_taken == queue->urgent.count && queue->other_taken == queue->other.count;
}

uint32_t scenarios_lowest(const struct scenarios *self) {
  for (uint32_t degree = 0; degree < self->queues.count; degree++)
    if (!is_empty(&self->queues.items[degree])) return degree;
  return UINT32_MAX;
}

static scenario_id take(scenario_id *items, size_t *count, size_t *taken) {
  const scenario_id id = items[(*taken)++];
  if (*taken == *count) *taken = *count = 0;
  return id;
}

scenario_id scenarios_pop(struct scenarios *self, uint32_t most) {
  const uint32_t degree = scenarios_lowest(self);
  if (degree == UINT32_MAX || degree > most) return 0;
  struct scenario_queue *queue = &self->queues.items[degree];
  self->waiting--;
  if (queue->urgent_taken < queue->urgent.count)
    return take(queue->urgent.items, &queue->urgent.count, &queue->urgent_taken);
  return take(queue->other.items, &queue->other.count, &queue->other_taken);
}
