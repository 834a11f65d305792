/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/verdicts.h"

#include <stdlib.h>
#include <string.h>

void verdicts_free(struct verdicts *self) {
  vector_free(&self->places);
  vector_free(&self->list);
}

void look_add(look *look, site_id site, uint8_t kind) {
  const uint64_t place = (uint64_t)site << 8 | kind;
  size_t i = 0;
  while (i < look->count && look->items[i] < place) i++;
  if (i < look->count && look->items[i] == place) return;
  vector_push(look, 0);
  memmove(&look->items[i + 1], &look->items[i], (look->count - 1 - i) * sizeof look->items[0]);
  look->items[i] = place;
}

void look_of_run(look *look, const struct trace_view *trace) {
  look->count = 0;
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *pending = &trace->pendings[i];
    const bool has_arrived = pending->kind == EVENT_BARRIER_ARRIVE && pending->missing;
    if (pending->blocked) look_add(look, pending->site, has_arrived ? EVENT_BARRIER_LEAVE : pending->kind);
  }
}

static bool is_within(const look *look, const uint64_t *places, uint32_t n) {
  size_t i = 0;
  for (uint32_t k = 0; k < n && i < look->count; k++) i += look->items[i] == places[k];
  return i == look->count;
}

bool verdicts_have(const struct verdicts *self, const look *look) {
  for (size_t i = 0; i < self->list.count; i++) {
    const struct verdict *verdict = &self->list.items[i];
    if (!verdict->is_part && verdict->n == look->count &&
        is_within(look, &self->places.items[verdict->first], verdict->n))
      return true;
  }
  return false;
}

bool verdicts_have_part(const struct verdicts *self, const look *look) {
  for (size_t i = 0; i < self->list.count; i++)
    if (is_within(look, &self->places.items[self->list.items[i].first], self->list.items[i].n)) return true;
  return false;
}

void verdicts_add(struct verdicts *self, const look *look, bool is_part) {
  const struct verdict verdict = {(uint32_t)self->places.count, (uint32_t)look->count, is_part};
  for (size_t i = 0; i < look->count; i++) vector_push(&self->places, look->items[i]);
  vector_push(&self->list, verdict);
}
