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

uint32_t knowledge_warnings(const struct knowledge *knowledge) {
  return at_most(atomic_load(&knowledge->n_warnings), MAX_WARNINGS);
}

uint32_t knowledge_touches(const struct knowledge *knowledge) {
  return at_most(knowledge->n_touches, MAX_TOUCHES);
}

uint32_t knowledge_births(const struct knowledge *knowledge) {
  return at_most(knowledge->n_births, MAX_BIRTHS);
}

/* --- the seal --- */

static uint64_t sum_of(const struct knowledge *knowledge) {
  uint64_t sum = sealed_most_threads(knowledge->most_threads);
  for (uint32_t i = 0; i < knowledge_threads(knowledge); i++) sum += sealed_thread(i, knowledge->threads[i]);
  for (uint32_t i = 0; i < knowledge_shared(knowledge); i++)
    sum += sealed_shared(i, knowledge->shared[i], knowledge->cuts[i]);
  for (uint32_t i = 0; i < knowledge_warnings(knowledge); i++) sum += sealed_warning(i, &knowledge->warnings[i]);
  for (uint32_t i = 0; i < knowledge_touches(knowledge); i++) sum += sealed_touch(i, &knowledge->touches[i]);
  for (uint32_t i = 0; i < knowledge_births(knowledge); i++) sum += sealed_birth(i, knowledge->births[i]);
  return sum;
}

void knowledge_seal(struct knowledge *knowledge) {
  knowledge->seal = sum_of(knowledge);
}

bool knowledge_is_sound(const struct knowledge *knowledge) {
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
  to->n_touches = to->n_births = 0;
  memcpy(to->threads, from->threads, count * sizeof *to->threads);
  atomic_store(&to->n_threads, count);
}

void knowledge_copy_shared(struct knowledge *to, const struct knowledge *from) {
  const uint32_t count = knowledge_shared(from);
  memcpy(to->shared, from->shared, count * sizeof *to->shared);
  memcpy(to->cuts, from->cuts, count * sizeof *to->cuts);
  memcpy(to->since, from->since, count * sizeof *to->since);
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

void observations_forget(struct observations *observations) {
  for (uint32_t i = 0; i < observations->n_observed; i++) observations->observed[i].runs = 0;
}

bool knowledge_follows_all(struct knowledge *knowledge) {
  const uint32_t count = knowledge_warnings(knowledge);
  for (uint32_t i = 0; i < count; i++)
    if (knowledge->warnings[i].kind == WARNING_NOT_FOLLOWED) return false;
  return true;
}

/* --- what traces add --- */

/* What granule_addition says, as the seal has it before and after. */
static bool granule_fits(const struct knowledge *knowledge, const struct granule_addition *granule, uint32_t *n_shared,
                         uint64_t *seal) {
  const uint32_t place = granule->place;
  const struct shared_granule now = {granule->address, granule->mask};
  *seal += sealed_shared(place, now, granule->cuts);
  if (place == *n_shared) return ++*n_shared <= MAX_SHARED;
  if (place >= knowledge_shared(knowledge) || knowledge->shared[place].address != granule->address) return false;
  *seal -= sealed_shared(place, knowledge->shared[place], knowledge->cuts[place]);
  return true;
}

static bool granules_fit(const struct knowledge *knowledge, const struct trace_view *trace, uint64_t *seal) {
  uint32_t n_shared = knowledge_shared(knowledge);
  for (uint32_t i = 0; i < trace->record->adds.n_shared; i++)
    if (!granule_fits(knowledge, &trace->adds.shared[i], &n_shared, seal)) return false;
  return true;
}

/* A thread is created by one that is known. */
static bool threads_fit(const struct knowledge *knowledge, const struct trace_view *trace, uint64_t *seal) {
  const uint32_t known = knowledge_threads(knowledge), count = trace->record->adds.n_threads;
  if (count > HEDDLE_MAX_THREADS - known) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (trace->adds.threads[i].parent >= known + i) return false;
    *seal += sealed_thread(known + i, trace->adds.threads[i]);
  }
  return true;
}

static bool warnings_fit(const struct knowledge *knowledge, const struct trace_view *trace, uint64_t *seal) {
  const uint32_t known = knowledge_warnings(knowledge), count = trace->record->adds.n_warnings;
  if (count > MAX_WARNINGS - known) return false;
  for (uint32_t i = 0; i < count; i++) *seal += sealed_warning(known + i, &trace->adds.warnings[i]);
  return true;
}

static bool observed_fits(const struct trace_view *trace) {
  const char *text = trace->adds.observed_text;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < trace->record->adds.n_observed; i++) {
    const struct observed_addition *observed = &trace->adds.observed[i];
    sum += sealed_observed(i, text_hash(text, observed->text_bytes), observed->text_bytes, observed->runs);
    text += observed->text_bytes;
  }
  return sum == trace->record->adds.observed_sum;
}

/* A thread that touched something, or was created, is known. */
static bool touches_fit(const struct knowledge *knowledge, const struct trace_view *trace, uint64_t *seal) {
  const struct addition *adds = &trace->record->adds;
  const uint32_t known = knowledge_touches(knowledge), n_threads = knowledge_threads(knowledge) + adds->n_threads;
  if (adds->n_touches > MAX_TOUCHES - known) return false;
  for (uint32_t i = 0; i < adds->n_touches; i++) {
    const struct touch *touch = &trace->adds.touches[i];
    if (touch->address % 8 != 0 || touch->segment == 0 || touch->thread >= n_threads) return false;
    *seal += sealed_touch(known + i, touch);
  }
  return true;
}

static bool births_fit(const struct knowledge *knowledge, const struct trace_view *trace, uint64_t *seal) {
  const struct addition *adds = &trace->record->adds;
  const uint32_t known = knowledge_births(knowledge), n_threads = knowledge_threads(knowledge) + adds->n_threads;
  if (adds->n_births > MAX_BIRTHS - known) return false;
  for (uint32_t i = 0; i < adds->n_births; i++) {
    const struct birth birth = trace->adds.births[i];
    if (birth.thread >= n_threads || birth.other >= n_threads) return false;
    *seal += sealed_birth(known + i, birth);
  }
  return true;
}

static bool adds_to_lists(const struct addition *adds) {
  return addition_changes_runs(adds) || adds->n_warnings > 0;
}

/* Usually; a run takes microseconds. */
static bool adds_nothing(const struct knowledge *knowledge, const struct addition *adds) {
  return !adds_to_lists(adds) && adds->n_observed == 0 && adds->observed_sum == 0 &&
         adds->most_threads == knowledge->most_threads;
}

static bool fits(const struct knowledge *knowledge, const struct trace_view *trace) {
  const struct trace *record = trace->record;
  if (adds_nothing(knowledge, &record->adds))
    return record->version == knowledge->version && record->seal == knowledge->seal;
  uint64_t seal = knowledge->seal - sealed_most_threads(knowledge->most_threads);
  if (record->version != knowledge->version + (uint64_t)addition_changes_runs(&record->adds)) return false;
  if (!granules_fit(knowledge, trace, &seal) || !threads_fit(knowledge, trace, &seal)) return false;
  if (!warnings_fit(knowledge, trace, &seal) || !observed_fits(trace)) return false;
  if (!touches_fit(knowledge, trace, &seal) || !births_fit(knowledge, trace, &seal)) return false;
  return seal + sealed_most_threads(record->adds.most_threads) == record->seal;
}

static struct observed *find_observed(struct observations *list, const char *text, uint32_t bytes) {
  const uint64_t hash = text_hash(text, bytes);
  for (uint32_t i = 0; i < list->n_observed; i++) {
    struct observed *observed = &list->observed[i];
    if (observed->hash == hash && observed->text_bytes == bytes &&
        memcmp(list->text + observed->text_offset, text, bytes) == 0)
      return observed;
  }
  if (list->n_observed == MAX_OBSERVED || bytes > MAX_OBSERVED_TEXT - list->text_bytes) return NULL;
  struct observed *observed = &list->observed[list->n_observed++];
  *observed = (struct observed){hash, 0, list->text_bytes, bytes};
  memcpy(list->text + list->text_bytes, text, bytes);
  list->text_bytes += bytes;
  return observed;
}

static void take_observed(struct knowledge *knowledge, struct observations *list, const struct trace_view *trace) {
  const char *text = trace->adds.observed_text;
  for (uint32_t i = 0; i < trace->record->adds.n_observed; i++) {
    const struct observed_addition *addition = &trace->adds.observed[i];
    struct observed *observed = find_observed(list, text, addition->text_bytes);
    if (observed) observed->runs += addition->runs;
    if (!observed) knowledge->overflow = 1;
    text += addition->text_bytes;
  }
}

void observations_take_back(struct observations *list, const struct trace_view *trace) {
  const char *text = trace->adds.observed_text;
  for (uint32_t i = 0; i < trace->record->adds.n_observed; i++) {
    const struct observed_addition *addition = &trace->adds.observed[i];
    struct observed *observed = find_observed(list, text, addition->text_bytes);
    if (observed) observed->runs -= addition->runs;
    text += addition->text_bytes;
  }
}

static void note_version(struct knowledge *knowledge, uint32_t place, uint64_t new_bytes, uint64_t version) {
  for (unsigned i = 0; i < 8; i++)
    if (new_bytes >> i & 1) knowledge->since[place][i] = knowledge->newest_shared = (uint32_t)version;
}

static void take_granules(struct knowledge *knowledge, const struct trace_view *trace) {
  uint32_t n_shared = knowledge_shared(knowledge);
  for (uint32_t i = 0; i < trace->record->adds.n_shared; i++) {
    const struct granule_addition *granule = &trace->adds.shared[i];
    const bool is_new = granule->place == n_shared;
    const uint64_t before = is_new ? 0 : knowledge->shared[granule->place].mask;
    n_shared += is_new;
    note_version(knowledge, granule->place, granule->mask & ~before, trace->record->version);
    knowledge->shared[granule->place] = (struct shared_granule){granule->address, granule->mask};
    knowledge->cuts[granule->place] = granule->cuts;
  }
  atomic_store(&knowledge->n_shared, n_shared);
}

static void take_touches(struct knowledge *knowledge, const struct trace_view *trace) {
  const struct addition *adds = &trace->record->adds;
  const uint32_t n_touches = knowledge_touches(knowledge), n_births = knowledge_births(knowledge);
  memcpy(knowledge->touches + n_touches, trace->adds.touches, adds->n_touches * sizeof *knowledge->touches);
  memcpy(knowledge->births + n_births, trace->adds.births, adds->n_births * sizeof *knowledge->births);
  knowledge->n_touches = n_touches + adds->n_touches;
  knowledge->n_births = n_births + adds->n_births;
}

static void take_lists(struct knowledge *knowledge, const struct trace_view *trace) {
  const struct addition *adds = &trace->record->adds;
  const uint32_t n_threads = knowledge_threads(knowledge), n_warnings = knowledge_warnings(knowledge);
  take_granules(knowledge, trace);
  take_touches(knowledge, trace);
  memcpy(knowledge->threads + n_threads, trace->adds.threads, adds->n_threads * sizeof *knowledge->threads);
  memcpy(knowledge->warnings + n_warnings, trace->adds.warnings, adds->n_warnings * sizeof *knowledge->warnings);
  atomic_store(&knowledge->n_threads, n_threads + adds->n_threads);
  atomic_store(&knowledge->n_warnings, n_warnings + adds->n_warnings);
}

bool knowledge_take(struct knowledge *knowledge, struct observations *observations, const struct trace_view *trace) {
  const struct trace *record = trace->record;
  if (!fits(knowledge, trace)) return false;
  if (record->flags & TRACE_TABLE_FULL) knowledge->overflow = 1;
  if (record->adds.n_observed > 0) take_observed(knowledge, observations, trace);
  if (adds_to_lists(&record->adds)) take_lists(knowledge, trace);
  knowledge->most_threads = record->adds.most_threads;
  knowledge->version = record->version;
  knowledge->seal = record->seal;
  return true;
}

/* --- what a process starts with --- */

static void copy_touches(struct knowledge *to, const struct knowledge *from) {
  to->n_touches = knowledge_touches(from);
  to->n_births = knowledge_births(from);
  memcpy(to->touches, from->touches, to->n_touches * sizeof *to->touches);
  memcpy(to->births, from->births, to->n_births * sizeof *to->births);
}

void knowledge_load(struct process_knowledge *process, struct knowledge *knowledge) {
  struct knowledge *known = &process->known;
  struct untold *untold = &process->untold;
  if (knowledge_threads(knowledge) == 0) {
    knowledge->threads[0] = (struct thread_name){NO_THREAD, 0};
    atomic_store(&knowledge->n_threads, 1);
  }
  knowledge_seal(knowledge);
  knowledge_copy_threads(known, knowledge);
  knowledge_copy_shared(known, knowledge);
  knowledge_copy_warnings(known, knowledge);
  copy_touches(known, knowledge);
  known->most_threads = knowledge->most_threads;
  known->overflow = knowledge->overflow;
  known->version = knowledge->version;
  known->seal = knowledge->seal;
  untold->threads = knowledge_threads(known);
  untold->shared = knowledge_shared(known);
  untold->warnings = knowledge_warnings(known);
  untold->touches = knowledge_touches(known);
  untold->births = knowledge_births(known);
  untold->n_changed = untold->n_covered = 0;
  untold->observations.n_observed = untold->observations.text_bytes = 0;
  untold->observed_sum = 0;
}
