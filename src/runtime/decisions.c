/* SPDX-License-Identifier: MIT
 *
 * Where the run's way depends on its inputs: the slow half of the hooks that stand before branches, addresses and what
 * cannot be followed. A term that was decided once has that value for the rest of the run, so it is not decided again.
 */
#include "ends.h"
#include "memory.h"
#include "terms.h"

static site_id id_of(const struct site *site) {
  return (site_id)(uint64_t)site;
}

/* With symbolic reads, or where the plan asks for it, by the running thread: what another one decided is not on its
 * path. */
static bool is_decided(uint32_t term) {
  const uint32_t last = the_tables->decided[term];
  const bool is_own = reads_are_symbolic() || rt->plan->flags & PLAN_OWN_DECISIONS;
  return last && (!is_own || the_log->decisions[last - 1].thread == self()->id);
}

static void record(const struct decision *decision) {
  if (the_log->n_decisions >= rt->max_terms) {
    terms_are_full();
    return;
  }
  struct decision *place = &the_log->decisions[the_log->n_decisions];
  *place = *decision;
  place->thread = self()->id;
  place->step = rt->n_steps;
  place->event = rt->n_events;
  place->value = (uint64_t)term_value(decision->term);
  the_tables->decided[decision->term] = ++the_log->n_decisions;
}

static void decide(uint32_t term, enum decision_kind kind, enum pin_reason why, site_id site) {
  if (!terms_on() || !term || term > the_log->n_terms || is_decided(term)) return;
  if (the_log->terms[term].kind == TERM_CONSTANT) return;
  record(&(struct decision){.term = term, .kind = (uint8_t)kind, .why = (uint8_t)why, .site = site});
}

void decide_branch(uint32_t term, site_id site) {
  decide(term, DECISION_BRANCH, PIN_NONE, site);
}

void decide_given(uint32_t term, site_id site) {
  decide(term, DECISION_GIVEN, PIN_NONE, site);
}

/* ---- pins ---- */

#define MOST_TRUTHS 4 /* a value of so many conditions is decided by branches instead of being pinned */

/* How many conditions the value is made of, more than MOST_TRUTHS when it is not made of conditions alone. */
static unsigned truths_in(uint32_t term, unsigned depth) {
  const struct term_record *record = &the_log->terms[term];
  if (record->kind == TERM_CONSTANT || is_decided(term)) return 0;
  if (record->width == 1) return 1;
  if (record->kind == TERM_INPUT || depth == 0) return MOST_TRUTHS + 1;
  unsigned truths = 0;
  for (unsigned i = 0; i < 3 && truths <= MOST_TRUTHS; i++)
    if (record->operands[i]) truths += truths_in(record->operands[i], depth - 1);
  return truths;
}

static void decide_truths(uint32_t term, site_id site) {
  const struct term_record *record = &the_log->terms[term];
  if (record->kind == TERM_CONSTANT || is_decided(term)) return;
  if (record->width == 1) {
    decide_branch(term, site);
  } else if (record->kind == TERM_IF) {
    decide_truths(record->operands[0], site);
    decide_truths(record->operands[term_value(record->operands[0]) ? 1 : 2], site);
  } else {
    for (unsigned i = 0; i < 3; i++)
      if (record->operands[i]) decide_truths(record->operands[i], site);
  }
}

void decide_pin(uint32_t term, enum pin_reason why, site_id site) {
  if (!terms_on() || !term || term > the_log->n_terms) return;
  if (truths_in(term, 8) <= MOST_TRUTHS)
    decide_truths(term, site);
  else
    decide(term, DECISION_PIN, why, site);
}

/* ---- values that are tried one by one ---- */

static bool is_repeated(const struct decision *decision) {
  if (!is_decided(decision->term)) return false;
  const struct decision *before = &the_log->decisions[the_tables->decided[decision->term] - 1];
  return before->kind != DECISION_ADDRESS || (before->low == decision->low && before->high == decision->high);
}

/* The heap block around the bytes, or the variable the instrumenter knows. */
static void find_bounds(struct decision *decision, uint64_t address, uint64_t bytes, uint64_t object,
                        uint64_t object_bytes) {
  if (!object && memory_is_heap(address)) {
    const struct heap_block *block = memory_block_before(address);
    const bool inside = block && !block->freed && address - block->address < block->size_bytes;
    if (inside) object = block->address, object_bytes = block->size_bytes;
  }
  if (!object) return;
  decision->low = object;
  decision->high = object_bytes >= bytes ? object + object_bytes - bytes : object;
}

/* Any value is one of its own: there is no outside. */
static void add_any_value(struct decision *decision, unsigned width) {
  decision->low = 0;
  decision->high = width < 64 ? (1ull << width) - 1 : UINT64_MAX;
}

void decide_value(uint32_t term, enum pin_reason why, site_id site) {
  if (!terms_on() || !term || term > the_log->n_terms || the_log->terms[term].kind == TERM_CONSTANT) return;
  const unsigned width = term_width(term);
  if (width > 64 || truths_in(term, 8) <= MOST_TRUTHS) {
    decide_pin(term, why, site);
    return;
  }
  struct decision decision = {.term = term, .kind = DECISION_ADDRESS, .site = site};
  add_any_value(&decision, width);
  if (!is_decided(term)) record(&decision);
}

/* The synchronisation objects at the other addresses are tried one by one, and one address outside of a heap block. */
static void decide_object(uint32_t term, site_id site) {
  if (!terms_on() || !term || term > the_log->n_terms || the_log->terms[term].kind == TERM_CONSTANT) return;
  struct decision decision = {.term = term, .kind = DECISION_ADDRESS, .site = site};
  find_bounds(&decision, (uint64_t)term_value(term), 1, 0, 0);
  if (!decision.high) add_any_value(&decision, term_width(term));
  if (!is_repeated(&decision)) record(&decision);
}

/* ---- assumptions and hooks ---- */

void decide_assume(uint32_t term, site_id site) {
  decide(term, DECISION_ASSUME, PIN_NONE, site);
  if (term && !term_value(term)) finish_run(OUTCOME_ASSUMPTION_FAILED, site, 0);
}

EXPORTED void __heddle_slow_branch(uint32_t term, uint64_t taken, const struct site *site);
void __heddle_slow_branch(uint32_t term, uint64_t taken, const struct site *site) {
  if (terms_on() && term_has_value(term, taken, id_of(site))) decide_branch(term, id_of(site));
}

EXPORTED void __heddle_slow_pin(uint32_t term, uint64_t why, const struct site *site);
void __heddle_slow_pin(uint32_t term, uint64_t why, const struct site *site) {
  if (why == PIN_SIZE)
    decide_value(term, PIN_SIZE, id_of(site));
  else if (why == PIN_OBJECT)
    decide_object(term, id_of(site));
  else
    decide_pin(term, (enum pin_reason)why, id_of(site));
}

EXPORTED void __heddle_slow_divisor(uint32_t term, uint64_t value, const struct site *site);
void __heddle_slow_divisor(uint32_t term, uint64_t value, const struct site *site) {
  if (!terms_on() || !term) return;
  const unsigned width = term_width(term);
  if (width <= 64 && !term_has_value(term, value, id_of(site))) return;
  decide_branch(term_is(COMPARE_NOT_EQUAL, term, term_constant(0, width)), id_of(site));
}

/* ---- switches ---- */

static bool is_first_of_its_destination(const struct switch_table *table, uint32_t number) {
  for (uint32_t i = 0; i < number; i++)
    if (table->cases[i].destination == table->cases[number].destination) return false;
  return true;
}

/* The value is one of those that lead where case `number` leads. */
static uint32_t term_of_destination(const struct switch_table *table, uint32_t number, uint32_t term) {
  uint32_t condition = 0;
  for (uint32_t i = number; i < table->count; i++) {
    if (table->cases[i].destination != table->cases[number].destination) continue;
    const uint32_t equal = term_is(COMPARE_EQUAL, term, term_constant(table->cases[i].value, table->width));
    condition = condition ? term_make(TERM_OR, 1, 0, condition, equal, 0) : equal;
    if (!condition) return 0;
  }
  return condition;
}

EXPORTED void __heddle_slow_switch(uint32_t term, uint64_t value, const struct switch_table *table,
                                   const struct site *site);
void __heddle_slow_switch(uint32_t term, uint64_t value, const struct switch_table *table, const struct site *site) {
  if (!terms_on() || !term || !term_has_value(term, value, id_of(site))) return;
  for (uint32_t i = 0; i < table->count; i++) {
    if (!table->cases[i].destination || !is_first_of_its_destination(table, i)) continue;
    const uint32_t condition = term_of_destination(table, i, term);
    if (!condition) return;
    decide_branch(condition, id_of(site));
    if (term_value(condition)) return;
  }
}

/* ---- addresses ---- */

void __heddle_slow_bounds(const void *address, const void *variable, uint64_t last, const struct site *site);

EXPORTED void __heddle_slow_address(uint32_t term, const void *address, uint64_t bytes, const void *object,
                                    uint64_t object_bytes, const struct site *site);
void __heddle_slow_address(uint32_t term, const void *address, uint64_t bytes, const void *object,
                           uint64_t object_bytes, const struct site *site) {
  if (!terms_on() || !term || !term_has_value(term, (uint64_t)address, id_of(site))) return;
  if (the_log->terms[term].kind == TERM_CONSTANT) return;
  struct decision decision = {.term = term, .kind = DECISION_ADDRESS, .site = id_of(site)};
  find_bounds(&decision, (uint64_t)address, bytes, (uint64_t)object, object_bytes);
  if (!is_repeated(&decision)) record(&decision);
  const uint64_t last = object_bytes >= bytes ? object_bytes - bytes : 0;
  if (object && (uint64_t)address - (uint64_t)object > last) __heddle_slow_bounds(address, object, last, site);
}

/* ---- calls ---- */

EXPORTED void __heddle_slow_unclaimed(const struct site *site);
void __heddle_slow_unclaimed(const struct site *site) {
  const uint32_t count = __heddle_call.count < HEDDLE_MAX_ARGUMENTS ? __heddle_call.count : HEDDLE_MAX_ARGUMENTS;
  __heddle_call.callee = NULL;
  for (uint32_t i = 0; i < count; i++) decide_pin(__heddle_call.terms[i], PIN_CALL, id_of(site));
}

void call_take_terms(const void *function, uint32_t *terms, unsigned count) {
  if (__heddle_call.callee != function) return;
  __heddle_call.callee = NULL;
  if (!terms_on()) return;
  for (unsigned i = 0; i < count && i < __heddle_call.count; i++) terms[i] = __heddle_call.terms[i];
}

/* A va_list of x86-64. */
struct variadic_list {
  uint32_t general_offset, vector_offset;
  char *overflow;
  char *saved;
};

#define GENERAL_END 48u
#define VECTOR_END 176u

/* Where va_arg will find the next argument of the class. */
static char *next_place(struct variadic_list *list, uint8_t class, uint32_t bytes) {
  char *place = list->overflow;
  if (class == ARGUMENT_GENERAL && list->general_offset < GENERAL_END) {
    place = list->saved + list->general_offset;
    list->general_offset += 8;
  } else if (class == ARGUMENT_VECTOR && list->vector_offset < VECTOR_END) {
    place = list->saved + list->vector_offset;
    list->vector_offset += 16;
  } else {
    list->overflow += class == ARGUMENT_MEMORY ? (bytes + 7) & ~7u : 8;
  }
  return place;
}

/* `call` is NULL when no argument has a term: what is left from earlier calls where they were saved is none of them. */
EXPORTED void __heddle_slow_variadic(void *list, const struct symbolic_call *call, uint64_t first_unnamed);
void __heddle_slow_variadic(void *list, const struct symbolic_call *call, uint64_t first_unnamed) {
  if (!terms_on()) return;
  struct variadic_list at = *(const struct variadic_list *)list;
  if (!call) { /* the caller is not instrumented */
    term_memory_clear((uint64_t)at.saved + at.general_offset, VECTOR_END - at.general_offset);
    return;
  }
  for (uint64_t i = first_unnamed; i < call->count && i < HEDDLE_MAX_ARGUMENTS; i++) {
    const uint64_t place = (uint64_t)next_place(&at, call->classes[i], call->bytes[i]);
    const uint32_t term = call->terms[i];
    if (call->by_value[i])
      term_memory_copy(place, (uint64_t)call->by_value[i], call->bytes[i]);
    else if (term)
      term_memory_store(place, (term_width(term) + 7) / 8, term);
    else
      term_memory_clear(place, 8);
  }
}
