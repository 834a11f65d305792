/* SPDX-License-Identifier: MIT */
#include "explore/executor/known_written.h"

#include "explore/executor/knowledge.h"

#include <string.h>

/* --- knowledge --- */

static void write_touches(const struct knowledge *knowledge, struct text *state) {
  const uint32_t n_touches = knowledge_touches(knowledge), n_births = knowledge_births(knowledge);
  written_add_number(state, n_touches);
  written_add_bytes(state, knowledge->touches, n_touches * sizeof *knowledge->touches);
  written_add_number(state, n_births);
  written_add_bytes(state, knowledge->births, n_births * sizeof *knowledge->births);
}

void knowledge_write(const struct knowledge *knowledge, struct text *state) {
  const uint32_t n_threads = knowledge_threads(knowledge), n_shared = knowledge_shared(knowledge);
  const uint32_t n_warnings = knowledge_warnings(knowledge);
  written_add_number(state, n_threads);
  written_add_bytes(state, knowledge->threads, n_threads * sizeof *knowledge->threads);
  written_add_number(state, n_shared);
  written_add_bytes(state, knowledge->shared, n_shared * sizeof *knowledge->shared);
  written_add_bytes(state, knowledge->cuts, n_shared);
  written_add_number(state, n_warnings);
  written_add_bytes(state, knowledge->warnings, n_warnings * sizeof *knowledge->warnings);
  write_touches(knowledge, state);
  written_add_number(state, knowledge->most_threads);
  written_add_number(state, knowledge->overflow);
  written_add_number(state, knowledge->version);
}

/* A thread is created by one before it, main by nobody. */
static bool threads_are_sound(const struct knowledge *knowledge, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 ? knowledge->threads[i].parent != NO_THREAD : knowledge->threads[i].parent >= i) return false;
  return true;
}

static bool granules_are_sound(const struct knowledge *knowledge, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (knowledge->shared[i].address % 8 != 0 || knowledge->shared[i].mask > UINT8_MAX) return false;
  return true;
}

/* Of threads that are known. */
static bool touches_are_sound(const struct knowledge *knowledge, uint32_t n_threads) {
  for (uint32_t i = 0; i < knowledge->n_touches; i++) {
    const struct touch *touch = &knowledge->touches[i];
    if (touch->address % 8 != 0 || touch->segment == 0 || touch->thread >= n_threads) return false;
  }
  for (uint32_t i = 0; i < knowledge->n_births; i++)
    if (knowledge->births[i].thread >= n_threads || knowledge->births[i].other >= n_threads) return false;
  return true;
}

static void read_touches(struct knowledge *knowledge, struct written *state) {
  knowledge->n_touches = (uint32_t)written_take_below(state, MAX_TOUCHES + 1u);
  written_take_bytes(state, knowledge->touches, knowledge->n_touches * sizeof *knowledge->touches);
  knowledge->n_births = (uint32_t)written_take_below(state, MAX_BIRTHS + 1u);
  written_take_bytes(state, knowledge->births, knowledge->n_births * sizeof *knowledge->births);
}

bool knowledge_read(struct knowledge *knowledge, struct written *state) {
  const uint32_t n_threads = (uint32_t)written_take_below(state, HEDDLE_MAX_THREADS + 1u);
  written_take_bytes(state, knowledge->threads, n_threads * sizeof *knowledge->threads);
  const uint32_t n_shared = (uint32_t)written_take_below(state, MAX_SHARED + 1u);
  written_take_bytes(state, knowledge->shared, n_shared * sizeof *knowledge->shared);
  written_take_bytes(state, knowledge->cuts, n_shared);
  const uint32_t n_warnings = (uint32_t)written_take_below(state, MAX_WARNINGS + 1u);
  written_take_bytes(state, knowledge->warnings, n_warnings * sizeof *knowledge->warnings);
  read_touches(knowledge, state);
  knowledge->most_threads = (uint32_t)written_take_below(state, HEDDLE_MAX_THREADS + 1u);
  knowledge->overflow = (uint32_t)written_take_below(state, 2);
  knowledge->version = written_take_number(state);
  if (state->failed || !threads_are_sound(knowledge, n_threads) || !granules_are_sound(knowledge, n_shared) ||
      !touches_are_sound(knowledge, n_threads))
    return written_refuse(state);
  atomic_store(&knowledge->n_threads, n_threads);
  atomic_store(&knowledge->n_shared, n_shared);
  atomic_store(&knowledge->n_warnings, n_warnings);
  knowledge_seal(knowledge);
  return true;
}

/* --- what was observed: each with its runs, also those that were before the strategy started --- */

void observations_write(const struct observations *observations, struct text *state) {
  written_add_number(state, observations->n_observed);
  for (uint32_t i = 0; i < observations->n_observed; i++) {
    const struct observed *observed = &observations->observed[i];
    written_add_number(state, observed->runs);
    written_add_text(state, observations->text + observed->text_offset, observed->text_bytes);
  }
}

bool observations_read(struct observations *observations, struct written *state) {
  const uint32_t count = (uint32_t)written_take_below(state, MAX_OBSERVED + 1u);
  observations->n_observed = observations->text_bytes = 0;
  for (uint32_t i = 0; i < count && !state->failed; i++) {
    size_t bytes;
    const uint64_t runs = written_take_number(state);
    const char *text = written_take_text(state, &bytes);
    const uint32_t offset = observations->text_bytes;
    if (state->failed || bytes > MAX_OBSERVED_TEXT - offset) return written_refuse(state);
    memcpy(observations->text + offset, text, bytes);
    observations->observed[i] =
        (struct observed){text_hash(observations->text + offset, (uint32_t)bytes), runs, offset, (uint32_t)bytes};
    observations->text_bytes += (uint32_t)bytes;
    observations->n_observed++;
  }
  return !state->failed;
}

/* --- coverage: the places of the bytes that are set, each as how far it is from the one before --- */

void coverage_write(const uint8_t *covered, uint32_t count, struct text *state) {
  uint32_t n_set = 0, last = 0;
  for (uint32_t i = 0; i < count; i++) n_set += covered[i] != 0;
  written_add_number(state, n_set);
  for (uint32_t i = 0; i < count; i++) {
    if (!covered[i]) continue;
    written_add_number(state, i - last);
    last = i;
  }
}

bool coverage_read(uint8_t *covered, uint32_t count, struct written *state) {
  uint64_t place = 0;
  memset(covered, 0, count);
  for (size_t left = written_take_count(state, 1); left > 0; left--) {
    place += written_take_below(state, count);
    if (state->failed || place >= count) return written_refuse(state);
    covered[place] = 1;
  }
  return !state->failed;
}
