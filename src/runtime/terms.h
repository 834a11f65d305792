/* SPDX-License-Identifier: MIT
 *
 * What a run computes from its inputs (abi/symbolic.h): terms, the bytes of memory that hold them, and decisions.
 *
 * The log is what the trace will say. It is memory that a forked run shares with its parent, so that the parent can
 * publish the run of a child that vanished. The tables beside it are the runtime's own. Both are mapped only when the
 * engine asks for terms (channel.max_terms), and only what is used of them is ever touched.
 */
#ifndef HEDDLE_RUNTIME_TERMS_H
#define HEDDLE_RUNTIME_TERMS_H

#include "abi/symbolic.h"
#include "snapshot.h"

#define MOST_TERMS ((1u << 27) - 1)
#define TERM_HASHES (1u << 18)
#define TERM_NAMES_BYTES (64u << 10)
#define MAX_BLOCK_INPUTS (1u << 16)
#define MAX_UNREAD (1u << 30)

/* Some of this run's terms, decisions or inputs did not fit, or are not what the program computed. */
struct term_log {
  uint32_t n_terms, n_decisions, n_inputs, n_values, n_accesses, names_bytes;
  bool full;
  char names[TERM_NAMES_BYTES];
  struct term_record terms[MOST_TERMS + 1]; /* from 1 */
  struct decision decisions[MOST_TERMS + 1];
  struct input_record inputs[MOST_TERMS + 1];
  struct input_value values[MOST_TERMS + 1]; /* those that are not 0, in the order of making */
  struct access accesses[MOST_TERMS + 1];
};

/* An input of many bytes, which become terms when they are first read. */
struct block_input {
  uint32_t first; /* number of its first byte among all such bytes of the run */
  uint32_t count;
  uint32_t index; /* of its first byte among the inputs of its thread */
  thread_id thread;
};

struct term_tables {
  uint32_t heads[TERM_HASHES];      /* the last term with this hash */
  uint32_t chains[MOST_TERMS + 1];  /* the one before it with the same hash */
  uint32_t decided[MOST_TERMS + 1]; /* 1 + the last decision about this term, 0 none */
  uint32_t n_blocks, n_unread;      /* inputs of many bytes, and their bytes */
  struct block_input blocks[MAX_BLOCK_INPUTS];
  uint32_t unread_terms[MAX_UNREAD]; /* the term of such a byte, 0 while nobody has read it */
  uint8_t unread_values[MAX_UNREAD];
};

#define the_log ((struct term_log *)TERM_LOG_ADDRESS)
#define the_tables ((struct term_tables *)TERM_TABLES_ADDRESS)

extern EXPORTED_DATA unsigned char __heddle_terms_in_memory;
extern EXPORTED_DATA struct symbolic_call __heddle_call;
extern EXPORTED_DATA struct symbolic_return __heddle_return;

/* ---- terms.c ---- */
void terms_initialise(void);
void terms_begin_run(void);
uint64_t terms_room_bytes(void); /* that a trace may need for all of this */
/* Terms are wanted, and this is the program heddle runs, not a child it forked. */
static inline bool terms_on(void) {
  return controlled && rt->max_terms;
}
/* 0 when there is no room, or an operand is 0. Operands have the widths that abi/operators.def says. */
uint32_t term_make(enum term_operator kind, unsigned width, unsigned low, uint32_t a, uint32_t b, uint32_t c);
uint32_t term_constant(bits value, unsigned width);
uint32_t term_input(uint32_t index, thread_id thread, unsigned width, bits value);
uint32_t term_read(uint32_t index, thread_id thread, unsigned width, bits value); /* the symbol of a visible read */
uint32_t term_extract(uint32_t term, unsigned low, unsigned width);
uint32_t term_extend(enum term_operator kind, uint32_t term, unsigned width); /* the same term if it has the width */
uint32_t term_resize(uint32_t term, unsigned width);                          /* with zeros, or without its top */
uint32_t term_not(uint32_t term);                                             /* of one bit */
uint32_t term_is(enum symbolic_comparison comparison, uint32_t a, uint32_t b);
static inline unsigned term_width(uint32_t term) {
  return the_log->terms[term].width;
}
static inline bits term_value(uint32_t term) {
  const struct term_record *record = &the_log->terms[term];
  return (bits)record->value[1] << 64 | record->value[0];
}
/* What the program computed is not the value of the term: the term is no good. */
void term_mismatch(site_id site);
bool term_has_value(uint32_t term, bits value, site_id site); /* otherwise term_mismatch */
void terms_are_full(void);

/* ---- term_memory.c ---- */
void term_memory_initialise(void);
uint64_t term_memory_end(void); /* all of it lies between TERM_ENTRIES_ADDRESS and there */
void term_memory_begin_run(void);
uint32_t term_memory_load(uint64_t address, uint64_t size_bytes); /* of the bytes as they are now; 0 concrete */
void term_memory_store(uint64_t address, uint64_t size_bytes, uint32_t term);
void term_memory_clear(uint64_t address, uint64_t size_bytes);
void term_memory_pin(uint64_t address, uint64_t size_bytes, enum pin_reason why, site_id site); /* all that is there */
/* Before a block operation that may read what it overwrites: its terms can still be copied from here once. */
void term_memory_set_aside(uint64_t address, uint64_t size_bytes);
void term_memory_copy(uint64_t to, uint64_t from, uint64_t size_bytes);
/* The bytes are those of a block input, from its byte `offset` on. */
void term_memory_place(uint64_t address, const struct block_input *input, uint32_t offset, uint64_t size_bytes);
bool term_memory_has(uint64_t address, uint64_t size_bytes); /* perhaps a term */
/* The byte bits of a shadow word that are kept apart because the bytes hold terms; and the word without them. */
uint64_t term_memory_hidden(uint64_t granule);
uint64_t term_memory_hide(uint64_t granule, uint64_t word);

/* Before the kernel writes to memory of the program. */
static inline void kernel_will_write(void *address, size_t size_bytes) {
  snapshot_make_writable(address, size_bytes);
  term_memory_clear((uint64_t)address, size_bytes);
}

/* ---- symbolic_reads.c ---- */
static inline bool reads_are_symbolic(void) {
  return rt->plan->flags & PLAN_SYMBOLIC_READS && terms_on();
}
static inline bool accesses_are_listed(void) {
  return rt->is_conditional && rt->plan->flags & (PLAN_SYMBOLIC_READS | PLAN_ACCESSES) && terms_on();
}
/* Are touches compared over all runs: from now on; somewhere in this run? */
static inline bool touches_are_compared(void) {
  return reads_are_symbolic() || (rt->plan->flags & PLAN_TOUCHES && rt->plan_position >= rt->plan->n_steps);
}
static inline bool touches_may_be_compared(void) {
  return reads_are_symbolic() || rt->plan->flags & PLAN_TOUCHES;
}
/* The event of a visible access, enum access_flags, before the access; the run may end with it. What it writes is
 * looked at when it is done. */
void access_note(const struct event *event, uint32_t flags);
static inline void access_begins(const struct event *event, uint32_t flags) {
  if (accesses_are_listed()) access_note(event, flags);
}
void access_note_written(const struct thread *thread, uint32_t event);
static inline void access_ends(const struct thread *thread, uint32_t event) {
  if (accesses_are_listed()) access_note_written(thread, event);
}
void attempt_begin_run(void);
void attempt_end_run(enum outcome outcome);
site_id attempt_in_vain(void); /* not 0: the run must be made again */
void attempt_remember_vain(site_id site);

/* ---- touches.c ---- */
/* Of a run with symbolic reads: whether these bytes of a granule turn out to be shared with a thread of another run. */
bool touches_note(uint64_t granule, unsigned bytes, bool writes);
void touches_new_thread(thread_id child);

/* ---- decisions.c ---- */
void decide_branch(uint32_t term, site_id site);
void decide_assume(uint32_t term, site_id site); /* ends the run when it does not hold */
void decide_given(uint32_t term, site_id site);
void decide_pin(uint32_t term, enum pin_reason why, site_id site);
/* Its other values are explored one by one, as those of an address are. */
void decide_value(uint32_t term, enum pin_reason why, site_id site);

/* ---- calls: how a model gets the terms of its arguments, and gives one to its caller ---- */

/* The terms of the first arguments of the model `function`, which is being entered. */
void call_take_terms(const void *function, uint32_t *terms, unsigned count);
static inline uint32_t call_take_term(const void *function, unsigned argument) {
  uint32_t terms[8] = {0};
  if (__heddle_call.callee) call_take_terms(function, terms, 8);
  return terms[argument];
}
/* A result of 128 bits is a structure of two halves for its caller. */
static inline void call_return_term(const void *function, uint32_t term) {
  const bool is_pair = term && term_width(term) > 64;
  __heddle_return.from = function;
  __heddle_return.terms[0] = is_pair ? term_extract(term, 0, 64) : term;
  __heddle_return.terms[1] = is_pair ? term_extract(term, 64, term_width(term) - 64) : 0;
}

#endif
