/* SPDX-License-Identifier: MIT
 *
 * The log of terms. Equal terms are one record: found by hash, so that a loop that computes the same again makes no
 * new ones, and a thread that spins on an input stands still.
 */
#include "terms.h"
#include "executor.h"
#include "warnings.h"

#include <sys/mman.h>

_Static_assert(sizeof(struct symbolic_call) == 1104 && sizeof(struct symbolic_return) == 16, "as exported.S has them");

/* ---- the log ---- */

static void map_at(uint64_t address, uint64_t size, int sharing) {
  const long at = system_call(SYS_mmap, address, (size + 4095) & ~4095ull, PROT_READ | PROT_WRITE,
                              sharing | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (at != (long)address) executor_die("cannot map memory for terms");
}

_Static_assert(TERM_LOG_ADDRESS + sizeof(struct term_log) <= TERM_TABLES_ADDRESS, "the log fits before the tables");
_Static_assert(TERM_TABLES_ADDRESS + sizeof(struct term_tables) <= MAIN_ARENA_ADDRESS, "the tables fit");

void terms_initialise(void) {
  rt->max_terms = rt->channel->max_terms < MOST_TERMS ? rt->channel->max_terms : MOST_TERMS;
  if (!rt->max_terms) return;
  map_at(TERM_LOG_ADDRESS, sizeof(struct term_log), MAP_SHARED);
  map_at(TERM_TABLES_ADDRESS, sizeof(struct term_tables), MAP_PRIVATE);
  term_memory_initialise();
}

uint64_t terms_room_bytes(void) {
  const uint64_t each = sizeof(struct term_record) + sizeof(struct decision) + sizeof(struct input_record) +
                        sizeof(struct input_value) + sizeof(struct access);
  return rt->max_terms ? rt->max_terms * each + TERM_NAMES_BYTES : 0;
}

static uint32_t hash_of(const struct term_record *record) {
  uint64_t hash = record->kind | record->width << 8 | record->low << 16;
  for (int i = 0; i < 3; i++) hash = (hash ^ record->operands[i]) * 0x9e3779b97f4a7c15ull;
  if (record->kind == TERM_CONSTANT) {
    hash = (hash ^ record->value[0]) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ record->value[1]) * 0x9e3779b97f4a7c15ull;
  }
  return (uint32_t)(hash >> 40) % TERM_HASHES;
}

void terms_begin_run(void) {
  __heddle_call.callee = NULL;
  __heddle_return.terms[0] = 0;
  if (!rt->max_terms) return;
  for (uint32_t i = 1; i <= the_log->n_terms; i++) {
    the_tables->heads[hash_of(&the_log->terms[i])] = 0;
    the_tables->decided[i] = 0;
  }
  if (the_tables->n_unread) memset(the_tables->unread_terms, 0, the_tables->n_unread * sizeof(uint32_t));
  the_tables->n_blocks = the_tables->n_unread = 0;
  the_log->n_terms = the_log->n_decisions = the_log->n_inputs = 0;
  the_log->n_values = the_log->n_accesses = the_log->names_bytes = 0;
  the_log->full = false;
  term_memory_begin_run();
}

void terms_are_full(void) {
  if (rt->max_terms) the_log->full = true;
}

void term_mismatch(site_id site) {
  static const char message[] = "a value that differs from its term: it is not followed";
  struct warning warning = {
      .kind = WARNING_NOT_SUPPORTED, .site = site, .thread = self()->id, .other_thread = NO_THREAD};
  memcpy(warning.message, message, sizeof message);
  warnings_add(&warning);
  terms_are_full();
}

bool term_has_value(uint32_t term, bits value, site_id site) {
  if (term <= the_log->n_terms && term_value(term) == (value & bits_mask(term_width(term)))) return true;
  term_mismatch(site);
  return false;
}

/* ---- making terms ---- */

static bool is_same(const struct term_record *a, const struct term_record *b) {
  if (a->kind != b->kind || a->width != b->width || a->low != b->low) return false;
  for (int i = 0; i < 3; i++)
    if (a->operands[i] != b->operands[i]) return false;
  return a->kind != TERM_CONSTANT || (a->value[0] == b->value[0] && a->value[1] == b->value[1]);
}

static uint32_t add(const struct term_record *record) {
  uint32_t *head = &the_tables->heads[hash_of(record)];
  for (uint32_t term = *head; term; term = the_tables->chains[term])
    if (is_same(&the_log->terms[term], record)) return term;
  if (the_log->n_terms >= rt->max_terms) {
    terms_are_full();
    return 0;
  }
  const uint32_t term = the_log->n_terms + 1;
  the_log->terms[term] = *record;
  the_tables->chains[term] = *head;
  *head = term;
  the_log->n_terms = term; /* last: a run may end anywhere */
  return term;
}

static void set_value(struct term_record *record, bits value) {
  value &= bits_mask(record->width);
  record->value[0] = (uint64_t)value;
  record->value[1] = (uint64_t)(value >> 64);
}

uint32_t term_constant(bits value, unsigned width) {
  struct term_record record = {.kind = TERM_CONSTANT, .width = (uint8_t)width};
  set_value(&record, value);
  return add(&record);
}

uint32_t term_input(uint32_t index, thread_id thread, unsigned width, bits value) {
  struct term_record record = {.kind = TERM_INPUT, .width = (uint8_t)width, .operands = {index, thread}};
  set_value(&record, value);
  return add(&record);
}

uint32_t term_read(uint32_t index, thread_id thread, unsigned width, bits value) {
  struct term_record record = {.kind = TERM_INPUT, .width = (uint8_t)width, .operands = {index, thread, SOURCE_READ}};
  set_value(&record, value);
  return add(&record);
}

static unsigned operands_of(enum term_operator kind) {
  static const uint8_t operands[TERM_OPERATORS] = {
#define OPERATOR(name, words, operands, commutative) operands,
#include "abi/operators.def"
#undef OPERATOR
  };
  return operands[kind];
}

uint32_t term_make(enum term_operator kind, unsigned width, unsigned low, uint32_t a, uint32_t b, uint32_t c) {
  struct term_record record = {
      .kind = (uint8_t)kind, .width = (uint8_t)width, .low = (uint8_t)low, .operands = {a, b, c}};
  for (unsigned i = 0; i < operands_of(kind); i++)
    if (!record.operands[i]) return 0;
  const unsigned low_width = b ? term_width(b) : 0;
  const bits value =
      operator_apply(kind, term_width(a), low_width, low, term_value(a), b ? term_value(b) : 0, c ? term_value(c) : 0);
  set_value(&record, value);
  return add(&record);
}

uint32_t term_extract(uint32_t term, unsigned low, unsigned width) {
  if (!term || (low == 0 && width == term_width(term))) return term;
  return term_make(TERM_EXTRACT, width, low, term, 0, 0);
}

uint32_t term_extend(enum term_operator kind, uint32_t term, unsigned width) {
  if (!term || width == term_width(term)) return term;
  return term_make(kind, width, 0, term, 0, 0);
}

uint32_t term_resize(uint32_t term, unsigned width) {
  if (!term || width == term_width(term)) return term;
  return width < term_width(term) ? term_extract(term, 0, width) : term_extend(TERM_ZERO_EXTEND, term, width);
}

uint32_t term_not(uint32_t term) {
  return term ? term_make(TERM_EQUAL, 1, 0, term, term_constant(0, 1), 0) : 0;
}

uint32_t term_is(enum symbolic_comparison comparison, uint32_t a, uint32_t b) {
  switch (comparison) {
  case COMPARE_EQUAL: return term_make(TERM_EQUAL, 1, 0, a, b, 0);
  case COMPARE_NOT_EQUAL: return term_not(term_make(TERM_EQUAL, 1, 0, a, b, 0));
  case COMPARE_GREATER: return term_make(TERM_LESS, 1, 0, b, a, 0);
  case COMPARE_GREATER_EQUAL: return term_make(TERM_LESS_EQUAL, 1, 0, b, a, 0);
  case COMPARE_LESS: return term_make(TERM_LESS, 1, 0, a, b, 0);
  case COMPARE_LESS_EQUAL: return term_make(TERM_LESS_EQUAL, 1, 0, a, b, 0);
  case COMPARE_GREATER_SIGNED: return term_make(TERM_LESS_SIGNED, 1, 0, b, a, 0);
  case COMPARE_GREATER_EQUAL_SIGNED: return term_make(TERM_LESS_EQUAL_SIGNED, 1, 0, b, a, 0);
  case COMPARE_LESS_SIGNED: return term_make(TERM_LESS_SIGNED, 1, 0, a, b, 0);
  case COMPARE_LESS_EQUAL_SIGNED: return term_make(TERM_LESS_EQUAL_SIGNED, 1, 0, a, b, 0);
  }
  return 0;
}
