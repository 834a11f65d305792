/* SPDX-License-Identifier: MIT */
#include "explore/executor/knowledge.h"

#include <string.h>

static uint32_t at_most(uint32_t count, uint32_t limit) {
  return count < limit ? count : limit;
}

uint32_t knowledge_threads(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_threads), HEDDLE_MAX_THREADS);
}

uint32_t knowledge_most_threads(const struct knowledge *knowledge) {
  return at_most(knowledge->most_threads, HEDDLE_MAX_THREADS);
}

uint32_t knowledge_shared(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_shared), MAX_SHARED);
}

uint32_t knowledge_observed(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_observed), MAX_OBSERVED);
}

uint32_t knowledge_warnings(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_warnings), MAX_WARNINGS);
}

/* --- the seal --- */

static uint64_t hash_of_text(const struct knowledge *knowledge, uint32_t i) {
  uint32_t bytes;
  const char *text = knowledge_observed_text(knowledge, i, &bytes);
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t k = 0; k < bytes; k++) hash = (hash ^ (unsigned char)text[k]) * 0x100000001b3ull;
  return hash;
}

static uint64_t sum_of(const struct knowledge *knowledge) {
  uint64_t sum = sealed_most_threads(knowledge->most_threads);
  for (uint32_t i = 0; i < knowledge_threads(knowledge); i++) sum += sealed_thread(i, knowledge->threads[i]);
  for (uint32_t i = 0; i < knowledge_shared(knowledge); i++)
    sum += sealed_shared(i, knowledge->shared[i], knowledge->cuts[i]);
  for (uint32_t i = 0; i < knowledge_observed(knowledge); i++) sum += sealed_observed(i, knowledge->observed[i]);
  for (uint32_t i = 0; i < knowledge_warnings(knowledge); i++) sum += sealed_warning(i, &knowledge->warnings[i]);
  return sum;
}

void knowledge_seal(struct knowledge *knowledge) {
  knowledge->seal = sum_of(knowledge);
}

bool knowledge_is_sound(const struct knowledge *knowledge) {
  for (uint32_t i = 0; i < knowledge_observed(knowledge); i++)
    if (hash_of_text(knowledge, i) != knowledge->observed[i].hash) return false;
  return knowledge->seal == sum_of(knowledge);
}

/* --- what is in it --- */

static thread_id known_or_none(const struct knowledge *knowledge, thread_id thread) {
  return thread < knowledge_threads(knowledge) ? thread : NO_THREAD;
}

bool knowledge_warning(const struct knowledge *knowledge, uint32_t i, struct warning *warning) {
  *warning = knowledge->warnings[i];
  warning->thread = known_or_none(knowledge, warning->thread);
  warning->other_thread = known_or_none(knowledge, warning->other_thread);
  warning->message[sizeof warning->message - 1] = 0;
  return warning->kind != WARNING_NONE && warning->kind < WARNING_KINDS;
}

void knowledge_copy_threads(struct knowledge *to, const struct knowledge *from) {
  const uint32_t count = knowledge_threads(from);
  memcpy(to->threads, from->threads, count * sizeof *to->threads);
  atomic_store(&to->n_threads, count);
}

void knowledge_copy_shared(struct knowledge *to, const struct knowledge *from) {
  const uint32_t count = knowledge_shared(from);
  memcpy(to->shared, from->shared, count * sizeof *to->shared);
  memcpy(to->cuts, from->cuts, count * sizeof *to->cuts);
  atomic_store(&to->n_shared, count);
}

void knowledge_copy_warnings(struct knowledge *to, const struct knowledge *from) {
  const uint32_t count = knowledge_warnings(from);
  memcpy(to->warnings, from->warnings, count * sizeof *to->warnings);
  atomic_store(&to->n_warnings, count);
}

bool knowledge_same_shared(const struct knowledge *a, const struct knowledge *b) {
  const uint32_t count = knowledge_shared(a);
  return count == knowledge_shared(b) && memcmp(a->shared, b->shared, count * sizeof *a->shared) == 0;
}

void knowledge_forget_observations(struct knowledge *knowledge) {
  const uint32_t count = knowledge_observed(knowledge);
  for (uint32_t i = 0; i < count; i++) knowledge->observed[i].runs = 0;
}

const char *knowledge_observed_text(const struct knowledge *knowledge, uint32_t i, uint32_t *bytes) {
  const struct observed observed = knowledge->observed[i];
  const bool inside =
      observed.text_offset <= MAX_OBSERVED_TEXT && observed.text_bytes <= MAX_OBSERVED_TEXT - observed.text_offset;
  *bytes = inside ? observed.text_bytes : 0;
  return inside ? knowledge->text + observed.text_offset : "";
}

static void add_child_thread(struct knowledge *knowledge, site_id site) {
  const uint32_t count = knowledge_warnings(knowledge);
  if (count == MAX_WARNINGS) return;
  knowledge->warnings[count] = (struct warning){.kind = WARNING_NOT_FOLLOWED,
                                                .site = site == NO_SITE ? 0 : site,
                                                .thread = NO_THREAD,
                                                .other_thread = NO_THREAD,
                                                .message = "threads of a process that the program forked"};
  atomic_store(&knowledge->n_warnings, count + 1);
}

bool knowledge_follows_all(struct knowledge *knowledge) {
  const site_id child = atomic_exchange(&knowledge->child_thread_site, 0);
  if (child) add_child_thread(knowledge, child);
  const uint32_t count = knowledge_warnings(knowledge);
  for (uint32_t i = 0; i < count; i++)
    if (knowledge->warnings[i].kind == WARNING_NOT_FOLLOWED) return false;
  return !child;
}
