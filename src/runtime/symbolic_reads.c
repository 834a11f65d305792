/* SPDX-License-Identifier: MIT
 *
 * Runs with symbolic reads (abi/symbolic.h): what a visible operation finds in memory becomes a symbol of the thread
 * that reads, and what every memory event found and left there is written down.
 *
 * The symbol is put in the place of the term that the bytes held, so all that follows terms follows it from there:
 * loads, copies, models. The next reader puts its own symbol there; what a write left is written down before anybody
 * else can move (trace_complete_value).
 *
 * A thread that continues alone (PLAN_SOLO) and reaches the same read again may spin. Fresh symbols would make every
 * round look like progress to spin.c, so from there on its reads get none, as an attempt: if it is parked, the rounds
 * since then are taken out of the trace, for they lead to where it was before; if anything else happens, it was no spin
 * loop, and the run is made again without an attempt at that place.
 *
 * An access is cut into cells, so that cells of any two accesses are the same bytes or have none in common: a granule
 * remembers before which of its bytes some access began or ended. When a run with symbolic reads shows a new cut, what
 * was explored so far is about other symbols: like memory newly found to be shared.
 */
#include "additions.h"
#include "ends.h"
#include "input_values.h"
#include "sharing.h"
#include "terms.h"
#include "trace.h"

/* ---- cells ---- */

/* The cuts that an access of these bytes makes in a granule it touches: bit k is "before byte k", 1 to 7. */
static uint8_t cuts_of(uint64_t granule, uint64_t address, uint64_t size) {
  uint8_t cuts = 0;
  if (address > granule) cuts |= (uint8_t)(1u << (address - granule));
  if (address + size < granule + 8) cuts |= (uint8_t)(1u << (address + size - granule));
  return cuts;
}

static void remember_cuts(struct granule *granule, uint8_t cuts) {
  struct knowledge *knowledge = rt->knowledge;
  granule->cuts |= cuts;
  if (reads_are_symbolic()) rt->shared_grew = true;
  const uint32_t count = atomic_load_explicit(&knowledge->n_shared, memory_order_relaxed);
  for (uint32_t i = 0; i < count; i++) {
    const struct shared_granule shared = knowledge->shared[i];
    if (shared.address != granule->address) continue;
    knowledge->seal -= sealed_shared(i, shared, knowledge->cuts[i]);
    knowledge->cuts[i] |= cuts;
    knowledge->seal += sealed_shared(i, shared, knowledge->cuts[i]);
    additions_granule_grew(i);
  }
}

static void cells_note(uint64_t address, uint64_t size) {
  for (uint64_t at = address & ~7ull; at < address + size; at += 8) {
    struct granule *granule = sharing_record_at(at);
    const uint8_t cuts = cuts_of(at, address, size);
    if (granule && granule->shared && cuts & ~granule->cuts) remember_cuts(granule, cuts);
  }
}

/* How many of the bytes at the address are one cell. */
static uint32_t cell_bytes(uint64_t address, uint64_t size) {
  const struct granule *granule = sharing_record_at(address & ~7ull);
  const unsigned first = address & 7, cuts = granule ? granule->cuts : 0;
  unsigned last = first + 1;
  while (last < 8 && last - first < size && !(cuts >> last & 1)) last++;
  return last - first;
}

/* ---- accesses ---- */

static struct access *add_access(uint64_t address, uint32_t size, uint32_t event, uint32_t flags) {
  if (the_log->n_accesses >= rt->max_terms) {
    if (reads_are_symbolic()) terms_are_full();
    return NULL;
  }
  struct access *access = &the_log->accesses[the_log->n_accesses];
  *access = (struct access){.address = address, .size = size, .event = event, .flags = flags};
  access->found = term_memory_load(address, size);
  access->before = trace_load(address, size);
  the_log->n_accesses++;
  return access;
}

static void make_symbol(struct access *access) {
  struct thread *thread = self();
  inputs_check_followed();
  access->symbol = term_read(thread->n_read_symbols++, thread->id, 8 * access->size, access->before);
  term_memory_store(access->address, access->size, access->symbol);
}

/* ---- spinning alone ---- */

static bool goes_alone(void) {
  return rt->plan->flags & PLAN_SOLO && !rt->planned && self()->id == rt->plan->solo;
}

/* Or there are too many such places. */
static bool was_in_vain(site_id site) {
  for (uint32_t i = 0; i < rt->n_vain_spins; i++)
    if (rt->vain_spins[i] == site) return true;
  return rt->n_vain_spins == MAX_VAIN_SPINS;
}

void attempt_remember_vain(site_id site) {
  if (site && !was_in_vain(site)) rt->vain_spins[rt->n_vain_spins++] = site;
}

static void begin_attempt(const struct event *event) {
  rt->attempt = (struct spin_attempt){.site = event->site,
                                      .n_events = (uint32_t)(event - rt->events),
                                      .n_words = rt->n_words_written - (event->flags & EVENT_WIDE ? rt->n_words : 0),
                                      .n_accesses = the_log->n_accesses,
                                      .n_decisions = the_log->n_decisions,
                                      .n_steps = rt->n_steps - 1};
}

static _Noreturn void repeat_without_attempt(void) {
  attempt_remember_vain(rt->attempt.site);
  rt->attempt.in_vain = true;
  finish_run(OUTCOME_STOPPED, 0, 0);
}

/* Whether the read is part of an attempt, and gets no symbol. */
static bool is_attempted(const struct event *event) {
  if (!goes_alone()) return false;
  const bool armed = self()->spin.armed;
  if (!rt->attempt.site && armed && !was_in_vain(event->site)) begin_attempt(event);
  if (!rt->attempt.site) return false;
  if (!armed || ++rt->attempt.reads > MOST_ATTEMPTED_READS) repeat_without_attempt();
  return true;
}

void attempt_begin_run(void) {
  rt->attempt = (struct spin_attempt){0};
}

void attempt_end_run(enum outcome outcome) {
  if (!rt->attempt.site || rt->attempt.in_vain) return;
  const bool is_stuck = outcome == OUTCOME_STOPPED || outcome == OUTCOME_LIVELOCK;
  if (!is_stuck || !rt->threads[rt->plan->solo].spin.parked) repeat_without_attempt();
  rt->n_events = rt->channel->live_events = rt->attempt.n_events;
  rt->n_words_written = rt->attempt.n_words;
  rt->n_steps = rt->attempt.n_steps;
  the_log->n_accesses = rt->attempt.n_accesses;
  the_log->n_decisions = rt->attempt.n_decisions;
}

site_id attempt_in_vain(void) {
  return rt->attempt.in_vain ? rt->attempt.site : 0;
}

/* ---- reads and writes ---- */

static bool writes_some_of(const struct event *event, uint64_t address, uint64_t size) {
  const bool writes = event->kind == EVENT_WRITE || event->kind == EVENT_ATOMIC_WRITE ||
                      event->kind == EVENT_ATOMIC_UPDATE || event->kind == EVENT_ATOMIC_EXCHANGE_DONE;
  return writes && event->object < address + size && address < event->object + event->size;
}

/* Whether another thread wrote some of the bytes after this one last wrote all of them. */
static bool has_foreign_write(const struct event *read) {
  for (const struct event *event = read; event-- > rt->events;) {
    if (!writes_some_of(event, read->object, read->size)) continue;
    if (event->thread != read->thread) return true;
    if (event->object <= read->object && event->object + event->size >= read->object + read->size) return false;
  }
  return false;
}

/* Whether another thread's visible write was the last one of the cell. */
static bool is_foreign_cell(const struct event *read, uint64_t address, uint32_t size) {
  for (const struct event *event = read; event-- > rt->events;)
    if (writes_some_of(event, address, size)) return event->thread != read->thread;
  return false;
}

/* Whether another thread's visible write was the last one of some cell. The thread may have written a part of the bytes
 * itself since then: the engine looks at cells as well, and would find no reason for the run to stop. */
static bool is_interference(const struct event *read) {
  if (!has_foreign_write(read)) return false;
  for (uint32_t i = the_log->n_accesses; i-- > 0 && the_log->accesses[i].event == read - rt->events;)
    if (is_foreign_cell(read, the_log->accesses[i].address, the_log->accesses[i].size)) return true;
  return false;
}

/* An update that the run stops at is not performed. */
static void stop_at_interference(const struct event *event) {
  if (!goes_alone() || !is_interference(event)) return;
  self()->valued_event = 0;
  for (uint32_t i = the_log->n_accesses; i-- > 0 && the_log->accesses[i].event == event - rt->events;)
    the_log->accesses[i].flags = ACCESS_READS;
  finish_run(OUTCOME_STOPPED, event->site, event->object);
}

static void note_access(const struct event *event, uint32_t flags) {
  const uint64_t end = event->object + event->size;
  const bool makes_symbols = flags & ACCESS_READS && reads_are_symbolic();
  const bool attempted = makes_symbols && is_attempted(event);
  for (uint64_t at = event->object; at < end;) {
    const uint32_t size = cell_bytes(at, end - at);
    struct access *access = add_access(at, size, (uint32_t)(event - rt->events), flags);
    if (attempted)
      term_memory_clear(at, size);
    else if (access && makes_symbols)
      make_symbol(access);
    at += size;
  }
}

void access_note(const struct event *event, uint32_t flags) {
  cells_note(event->object, event->size);
  const bool recorded = event != &rt->events[rt->n_events];
  if (!recorded) return;
  self()->first_access = flags & ACCESS_WRITES ? the_log->n_accesses : UINT32_MAX;
  note_access(event, flags);
  if (flags & ACCESS_READS && reads_are_symbolic()) stop_at_interference(event);
}

void access_note_written(const struct thread *thread, uint32_t event) {
  for (uint32_t i = thread->first_access; i < the_log->n_accesses && the_log->accesses[i].event == event; i++) {
    struct access *access = &the_log->accesses[i];
    access->written = term_memory_load(access->address, access->size);
    trace_peek(access->address, access->size, &access->after);
  }
}
