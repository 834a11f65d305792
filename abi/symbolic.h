/* SPDX-License-Identifier: MIT
 *
 * What a run says about its inputs: the terms it computed from them, and where its path depended on them.
 *
 * An input is named by the thread that asked for it and its index among the inputs of that thread, from 0: the same
 * name in every schedule. A plan gives values to inputs by these names; others have the value 0, or a random one
 * (PLAN_RANDOM_INPUTS).
 *
 * Terms are numbered from 1 in the order of making, operands before their users; 0 is "concrete". A trace holds all of
 * them, and all decisions, of the whole run (also those before plan.record_from). A run that follows the same steps and
 * the same sides of its decisions makes the same terms with the same numbers; only the values differ.
 *
 * Symbolic reads (PLAN_SYMBOLIC_READS). What a visible operation reads from memory becomes a symbol, whatever was
 * written there: an INPUT of SOURCE_READ, named by the thread that reads and the index among the symbols of that
 * thread, from 0. So what a thread computes is a term over inputs and its own reads, and what it writes is written down
 * with its term: `struct access`. A thread that took the same sides after the same symbols makes the same terms,
 * whatever the others did.
 *
 * Accesses: every cell of every memory event that reads or writes bytes: READ, WRITE and the ATOMIC_ ones (not FREE,
 * INITIALISE, DESTROY). A cell is at most 8 bytes; cells of any two accesses, in all runs, are the same bytes or have
 * none in common, so an address names a variable (a run that shows otherwise is TRACE_SHARED_GREW). An access of
 * several cells has a symbol for each. An atomic update is one event whose accesses both read and write; the term it
 * writes is over the symbol it read. A failed compare-exchange only reads; whether it fails is a BRANCH decision.
 *
 * The start: `found` and `before` of the first access of some bytes in a run are what they held at first. What main
 * wrote before it created a thread may be a term over inputs.
 *
 * Order: what a parent wrote before it created a thread is not shared with it, and its terms continue as they are; so
 * do the argument and the result of a thread. What a child wrote and its parent reads after the joining is shared in
 * these runs: joining orders nothing. So a thread depends on its own past, on its parent's up to the creation, and by
 * results on the threads it joined.
 *
 * Decisions are made once per thread and term, not once per run. BRANCH is as usual, over inputs and reads; an
 * assertion is a branch with two sides, and the one that fails ends the run. With an ADDRESS or a PIN the thread goes
 * on with this value of the term: the constraint is term == value. Reads that are not followed (floating point,
 * vectors, functions that are not instrumented) are pinned. Other values that could be read there are other paths, so
 * the other side of an ADDRESS or PIN over reads is term != value. Where that is not asked, and where TRACE_TERMS_FULL
 * is set, coverage is not the maximum.
 *
 * The results of operations that are not memory accesses (trylock, semaphore getvalue, tryjoin, pipes, queues) are
 * concrete: the kind or the value of the event says which way they went.
 *
 * Names of memory are addresses. A heap block's depends on its thread and the thread's allocations before it, a
 * variable's on nothing: threads with the same past have the same addresses.
 */
#ifndef HEDDLE_ABI_SYMBOLIC_H
#define HEDDLE_ABI_SYMBOLIC_H

#include "operators.h"
#include "sites.h"

#include <stdint.h>

enum input_type {
#define INPUT(NAME, name, type, width, is_signed) INPUT_##NAME,
#include "inputs.def"
#undef INPUT
  INPUT_TYPES
};

/* Where an INPUT comes from: its third operand. */
enum input_source { SOURCE_PLAN, SOURCE_READ, INPUT_SOURCES };

struct term_record {
  uint8_t kind;  /* enum term_operator */
  uint8_t width; /* in bits, 1 to 128 */
  uint8_t low;   /* EXTRACT: the lowest bit taken */
  uint8_t reserved;
  uint32_t operands[3]; /* terms; INPUT: index among its thread's inputs, the thread, enum input_source */
  uint64_t value[2];    /* in this run, low and high half; of a CONSTANT always */
};

enum decision_kind {
  DECISION_NONE,
  DECISION_BRANCH,  /* a one-bit term that was `value`: the other side is another path */
  DECISION_ASSUME,  /* a one-bit term that must be 1; with `value` 0 the run ended here */
  DECISION_GIVEN,   /* a one-bit term that is 1 by the making of the input: no other side */
  DECISION_PIN,     /* a term that was `value` where it could not be followed (`why`): from here on it counts as that */
  DECISION_ADDRESS, /* an address that was `value`, in an object whose valid addresses for it are low .. high: other
                     * values are other paths, and one outside is an error. high 0: the object is not known. low 0: any
                     * value may be right, and has a path of its own (sizes, synchronisation objects) */
  DECISION_KINDS
};

enum pin_reason {
  PIN_NONE,
  PIN_FLOAT,    /* became floating point, or was read as such */
  PIN_CALL,     /* passed to a function that is not followed; the site names it */
  PIN_ASSEMBLY, /* passed to inline assembly */
  PIN_VECTOR,   /* vectors, integers of more than 128 bits */
  PIN_SIZE,     /* the size of an allocation or a block operation */
  PIN_JUMP,     /* a called or jumped-to address */
  PIN_OBJECT,   /* the address of a synchronisation object */
  PIN_MODEL,    /* a model that needs the value: time, thread ids, descriptors */
  PIN_REASONS
};

/* Operations that the runtime makes of several terms. X_OVERFLOW is the one-bit term "it overflows". */
enum symbolic_intrinsic {
  SYMBOLIC_UMIN,
  SYMBOLIC_UMAX,
  SYMBOLIC_SMIN,
  SYMBOLIC_SMAX,
  SYMBOLIC_ABS,
  SYMBOLIC_UADD_SATURATED,
  SYMBOLIC_SADD_SATURATED,
  SYMBOLIC_USUB_SATURATED,
  SYMBOLIC_SSUB_SATURATED,
  SYMBOLIC_UADD_OVERFLOW,
  SYMBOLIC_SADD_OVERFLOW,
  SYMBOLIC_USUB_OVERFLOW,
  SYMBOLIC_SSUB_OVERFLOW,
  SYMBOLIC_UMUL_OVERFLOW,
  SYMBOLIC_SMUL_OVERFLOW,
  SYMBOLIC_COUNT_ONES,
  SYMBOLIC_LEADING_ZEROS,
  SYMBOLIC_TRAILING_ZEROS,
  SYMBOLIC_SWAP_BYTES,
  SYMBOLIC_REVERSE_BITS,
  SYMBOLIC_FUNNEL_LEFT,  /* llvm.fshl of a, b by c */
  SYMBOLIC_FUNNEL_RIGHT, /* llvm.fshr */
  SYMBOLIC_INTRINSICS
};

/* The comparisons of LLVM. */
enum symbolic_comparison {
  COMPARE_EQUAL,
  COMPARE_NOT_EQUAL,
  COMPARE_GREATER,
  COMPARE_GREATER_EQUAL,
  COMPARE_LESS,
  COMPARE_LESS_EQUAL,
  COMPARE_GREATER_SIGNED,
  COMPARE_GREATER_EQUAL_SIGNED,
  COMPARE_LESS_SIGNED,
  COMPARE_LESS_EQUAL_SIGNED
};

/* The cases of a switch, in the order of the source. Cases with the same destination are one side of the decision. */
struct switch_case {
  uint64_t value;
  uint32_t destination; /* 0: the default's */
  uint32_t reserved;
};

struct switch_table {
  uint32_t count, width;
  struct switch_case cases[];
};

struct decision {
  uint32_t term;
  uint8_t kind; /* enum decision_kind */
  uint8_t why;  /* enum pin_reason */
  uint16_t thread;
  uint32_t step;  /* visible operations of the run before it */
  uint32_t event; /* events of the run that the trace has before it */
  site_id site;
  uint32_t reserved;
  uint64_t value;     /* low 64 bits of the term's value */
  uint64_t low, high; /* ADDRESS */
};

/* A named input: `count` inputs of `width` bits with consecutive indices from `index`. */
struct input_record {
  uint32_t index, count;
  uint16_t thread;
  uint8_t type; /* enum input_type */
  uint8_t width;
  site_id site;
  uint32_t name_offset, name_bytes; /* into the trace's names; not terminated */
};

enum access_flags { ACCESS_READS = 1, ACCESS_WRITES = 2 };

/* What bytes of memory held, and hold after it: a piece of a memory event, of a run with symbolic reads or with
 * PLAN_ACCESSES, which has no symbols, and lists no more when there is no room. In the order of the events, a piece at
 * a lower address first. */
struct access {
  uint64_t address;
  uint32_t size;  /* in bytes, at most 8 */
  uint32_t event; /* its place in the trace's events */
  uint32_t flags; /* enum access_flags */
  /* Terms of 8 * size bits. */
  uint32_t symbol;        /* READS: what the reader has; 0: it got none, the trace has TRACE_TERMS_FULL */
  uint32_t found;         /* before the event, 0: concrete */
  uint32_t written;       /* WRITES: 0: concrete */
  uint64_t before, after; /* the values; `after` only for WRITES */
};

/* The value of an input: in a plan what it gets, in a trace what it had. Inputs that are not listed are 0. Lists are
 * ascending by thread and index. */
struct input_value {
  uint32_t index;
  uint16_t thread;
  uint16_t reserved;
  uint64_t value[2];
};

/* ---- how calls pass terms: globals that instrumented code and the runtime's models share ---- */

#define HEDDLE_MAX_ARGUMENTS 64

/* The caller stores what it calls and a term for each argument, if any is not 0. An instrumented function, or a model
 * that follows terms, takes them at its entry and sets `callee` to NULL. What nobody took is pinned: by the caller
 * after the call, or at the entry of another function. */
struct symbolic_call {
  const void *callee;
  uint32_t count;                             /* at most HEDDLE_MAX_ARGUMENTS: those beyond are pinned by the caller */
  uint32_t terms[HEDDLE_MAX_ARGUMENTS];       /* of the arguments as LLVM passes them */
  uint8_t classes[HEDDLE_MAX_ARGUMENTS];      /* enum argument_class, for unnamed arguments */
  const void *by_value[HEDDLE_MAX_ARGUMENTS]; /* a structure passed by value: where its bytes came from, else NULL */
  uint32_t bytes[HEDDLE_MAX_ARGUMENTS];       /* its size, for unnamed arguments */
};

/* Where the calling convention puts an unnamed argument. */
enum argument_class { ARGUMENT_GENERAL, ARGUMENT_VECTOR, ARGUMENT_MEMORY };

/* Every instrumented function that returns an integer or a pointer stores its term, 0 included; `from` is valid only
 * when the term is not 0. The second is of a structure of two. */
struct symbolic_return {
  const void *from;
  uint32_t terms[2];
};

#endif
