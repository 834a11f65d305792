/* SPDX-License-Identifier: MIT
 *
 * What runs add to what the process knows, until a trace has said it (abi/channel.h). Names of threads, warnings,
 * touches and births are never changed, so a trace lists what lies after those it knows to be told; granules that have
 * grown since are noted.
 * All of it lies in the channel: a run may be a process of its own, and a process may die.
 */
#include "additions.h"
#include "runtime.h"

void additions_granule_grew(uint32_t place) {
  struct untold *untold = rt->untold;
  if (place >= untold->shared) return; /* it is told as a whole */
  for (uint32_t i = 0; i < untold->n_changed && i < MAX_SHARED; i++)
    if (untold->changed[i] == place) return;
  if (untold->n_changed < MAX_SHARED) untold->changed[untold->n_changed++] = place;
}

/* ---- coverage ---- */

void additions_covered(uint32_t place) {
  struct untold *untold = rt->untold;
  if (untold->n_covered < rt->channel->coverage_bytes) coverage_untold(rt->channel)[untold->n_covered++] = place;
}

/* ---- what was observed ---- */

static struct observed *new_observed(uint64_t hash, const char *text, uint32_t bytes) {
  struct observations *list = &rt->untold->observations;
  if (list->n_observed >= MAX_OBSERVED || list->text_bytes > MAX_OBSERVED_TEXT ||
      bytes > MAX_OBSERVED_TEXT - list->text_bytes) {
    rt->knowledge->overflow = 1;
    return NULL;
  }
  struct observed *observed = &list->observed[list->n_observed++];
  *observed = (struct observed){hash, 0, list->text_bytes, bytes};
  memcpy(list->text + list->text_bytes, text, bytes);
  list->text_bytes += bytes;
  return observed;
}

/* The program may have written over the table. */
static bool is_text(const struct observations *list, const struct observed *observed, const char *text,
                    uint32_t bytes) {
  return observed->text_bytes == bytes && observed->text_offset <= MAX_OBSERVED_TEXT - bytes &&
         memcmp(list->text + observed->text_offset, text, bytes) == 0;
}

static struct observed *find_observed(uint64_t hash, const char *text, uint32_t bytes) {
  struct observations *list = &rt->untold->observations;
  for (uint32_t i = 0; i < list->n_observed && i < MAX_OBSERVED; i++)
    if (list->observed[i].hash == hash && is_text(list, &list->observed[i], text, bytes)) return &list->observed[i];
  return new_observed(hash, text, bytes);
}

static uint64_t contribution(const struct observed *observed) {
  const uint32_t place = (uint32_t)(observed - rt->untold->observations.observed);
  return observed->runs ? sealed_observed(place, observed->hash, observed->text_bytes, observed->runs) : 0;
}

void additions_observed(const char *text, uint32_t bytes) {
  struct observed *observed = find_observed(text_hash(text, bytes), text, bytes);
  if (!observed) return;
  const uint64_t before = contribution(observed);
  observed->runs++;
  rt->untold->observed_sum += contribution(observed) - before;
}

/* ---- what a trace says ---- */

static uint32_t at_most(uint32_t count, uint32_t most) {
  return count < most ? count : most;
}

static uint32_t n_threads(void) {
  return at_most(atomic_load_explicit(&rt->knowledge->n_threads, memory_order_relaxed), HEDDLE_MAX_THREADS);
}

static uint32_t n_shared(void) {
  return at_most(atomic_load_explicit(&rt->knowledge->n_shared, memory_order_relaxed), MAX_SHARED);
}

static uint32_t n_warnings(void) {
  return at_most(atomic_load_explicit(&rt->knowledge->n_warnings, memory_order_relaxed), MAX_WARNINGS);
}

static uint32_t n_touches(void) {
  return at_most(rt->knowledge->n_touches, MAX_TOUCHES);
}

static uint32_t n_births(void) {
  return at_most(rt->knowledge->n_births, MAX_BIRTHS);
}

/* Usually; a run takes microseconds. */
static bool nothing_is_new(void) {
  const struct untold *untold = rt->untold;
  return untold->threads == n_threads() && untold->shared == n_shared() && untold->warnings == n_warnings() &&
         untold->touches == n_touches() && untold->births == n_births() &&
         (untold->n_changed | untold->n_covered | untold->observations.n_observed) == 0;
}

static void *append(void *at, const void *bytes, uint64_t count) {
  memcpy(at, bytes, count);
  return (char *)at + count;
}

static void append_granule(struct granule_addition *list, struct addition *adds, uint32_t place) {
  if (adds->n_shared == MAX_SHARED || place >= MAX_SHARED) return;
  const struct shared_granule *granule = &rt->knowledge->shared[place];
  list[adds->n_shared++] =
      (struct granule_addition){granule->address, place, (uint8_t)granule->mask, rt->knowledge->cuts[place], 0};
}

static char *append_granules(struct addition *adds, char *at) {
  struct granule_addition *list = (struct granule_addition *)at;
  const uint32_t n_changed = at_most(rt->untold->n_changed, MAX_SHARED);
  for (uint32_t i = 0; i < n_changed; i++) append_granule(list, adds, rt->untold->changed[i]);
  for (uint32_t i = rt->untold->shared; i < n_shared(); i++) append_granule(list, adds, i);
  return (char *)(list + adds->n_shared);
}

static uint32_t count_from(uint32_t told, uint32_t count) {
  return told < count ? count - told : 0;
}

static char *append_observed(struct addition *adds, char *at) {
  const struct observations *list = &rt->untold->observations;
  struct observed_addition *additions = (struct observed_addition *)at;
  adds->n_observed = at_most(list->n_observed, MAX_OBSERVED);
  adds->observed_bytes = at_most(list->text_bytes, MAX_OBSERVED_TEXT);
  for (uint32_t i = 0; i < adds->n_observed; i++)
    additions[i] = (struct observed_addition){list->observed[i].runs, list->observed[i].text_bytes, 0};
  return (char *)(additions + adds->n_observed);
}

char *additions_append(struct trace *trace, char *at) {
  struct addition *adds = &trace->adds;
  trace->version = rt->knowledge->version;
  trace->seal = rt->knowledge->seal;
  adds->most_threads = rt->knowledge->most_threads;
  adds->observed_sum = rt->untold->observed_sum;
  if (rt->knowledge->overflow) trace->flags |= TRACE_TABLE_FULL;
  if (nothing_is_new()) return at;
  at = append_granules(adds, at);
  adds->n_warnings = count_from(rt->untold->warnings, n_warnings());
  at = append(at, rt->knowledge->warnings + rt->untold->warnings, adds->n_warnings * sizeof(struct warning));
  at = append_observed(adds, at);
  adds->n_touches = count_from(rt->untold->touches, n_touches());
  at = append(at, rt->knowledge->touches + rt->untold->touches, adds->n_touches * sizeof(struct touch));
  adds->n_births = count_from(rt->untold->births, n_births());
  at = append(at, rt->knowledge->births + rt->untold->births, adds->n_births * sizeof(struct birth));
  adds->n_threads = count_from(rt->untold->threads, n_threads());
  at = append(at, rt->knowledge->threads + rt->untold->threads, adds->n_threads * sizeof(struct thread_name));
  adds->n_covered = at_most(rt->untold->n_covered, (uint32_t)rt->channel->coverage_bytes);
  at = append(at, coverage_untold(rt->channel), adds->n_covered * sizeof(uint32_t));
  trace->version += addition_changes_runs(adds);
  return at;
}

char *additions_append_text(const struct trace *trace, char *at) {
  return append(at, rt->untold->observations.text, trace->adds.observed_bytes);
}

void additions_were_told(const struct trace *trace) {
  struct untold *untold = rt->untold;
  if (nothing_is_new()) return;
  rt->knowledge->version = trace->version;
  untold->threads = n_threads();
  untold->shared = n_shared();
  untold->warnings = n_warnings();
  untold->touches = n_touches();
  untold->births = n_births();
  untold->n_changed = untold->n_covered = 0;
  untold->observations.n_observed = untold->observations.text_bytes = 0;
  untold->observed_sum = 0;
}
