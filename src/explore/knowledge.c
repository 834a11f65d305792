/* SPDX-License-Identifier: MIT */
#include "explore/knowledge.h"

#include <string.h>

static uint32_t at_most(uint32_t count, uint32_t limit) {
  return count < limit ? count : limit;
}

uint32_t knowledge_threads(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_threads), HEDDLE_MAX_THREADS);
}

uint32_t knowledge_shared(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_shared), MAX_SHARED);
}

uint32_t knowledge_observed(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_observed), MAX_OBSERVED);
}

void knowledge_copy_threads(struct knowledge *to, const struct knowledge *from) {
  const uint32_t count = knowledge_threads(from);
  memcpy(to->threads, from->threads, count * sizeof *to->threads);
  atomic_store(&to->n_threads, count);
}

void knowledge_copy_shared(struct knowledge *to, const struct knowledge *from) {
  const uint32_t count = knowledge_shared(from);
  memcpy(to->shared, from->shared, count * sizeof *to->shared);
  atomic_store(&to->n_shared, count);
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
