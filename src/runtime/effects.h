/* SPDX-License-Identifier: MIT
 *
 * What a function of the C library does to the program's memory (abi/effects.def), and a call of one.
 *
 * effect_spans.c and formats.c say which bytes a call touches; they know nothing of the rest of the runtime.
 * effects.c makes accesses of them.
 */
#ifndef HEDDLE_RUNTIME_EFFECTS_H
#define HEDDLE_RUNTIME_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

enum effect_deed {
  NO_EFFECT,
  EFFECT_READS,
  EFFECT_WRITES,
  EFFECT_CHANGES,
  EFFECT_CHANGES_REST,
  EFFECT_CHANGES_KEPT,
  EFFECT_KEEPS,
  EFFECT_STREAM,
  EFFECT_PRINTS,
  EFFECT_PRINTS_INTO,
  EFFECT_SCANS,
  EFFECT_PIECES_READ,
  EFFECT_PIECES_WRITTEN,
  EFFECT_MESSAGE_READ,
  EFFECT_MESSAGE_WRITTEN
};

enum effect_size {
  SIZE_CONSTANT,
  SIZE_ARGUMENT, /* argument a times b */
  SIZE_PRODUCT,
  SIZE_STRING,
  SIZE_WIDE_STRING,
  SIZE_STRING_AT_MOST,
  SIZE_STRING_WITHIN,
  SIZE_FIRST_BYTE,
  SIZE_COPIED,
  SIZE_COPIED_WIDE,
  SIZE_RESULT,
  SIZE_RESULT_AND_ZERO,
  SIZE_RESULT_OF,
  SIZE_RESULT_PRODUCT,
  SIZE_POINTED,
  SIZE_ADDRESS
};

enum effect_condition { ALWAYS, ZERO, POSITIVE, POSITIVE_ELSE_CHANGED, NONNEGATIVE, NONNULL, GIVEN };

#define NO_ARGUMENT 255

struct effect {
  uint8_t deed, argument, condition, size;
  uint32_t a, b;
};

#define MOST_EFFECTS 6
struct effect_row {
  const char *name;
  struct effect effects[MOST_EFFECTS]; /* up to NO_EFFECT */
};

/* A va_list, as the ABI of x86-64 defines it. */
struct argument_list {
  uint32_t general_offset, vector_offset;
  char *overflow, *saved;
};

/* Registers in the order in which va_arg expects to find them, as effect_call.S saves them. */
struct effect_call {
  _Alignas(16) uint64_t general[6];
  uint64_t vectors[8][2];
  uint64_t vector_count; /* %al */
  const struct effect_row *row;
  const void *target;
  uint64_t *stack;               /* arguments that are not in registers */
  uint64_t result, result_high;  /* %rax, %rdx */
  uint64_t result_vectors[2][2]; /* %xmm0, %xmm1 */
  uint8_t result_long_double[16];
  uint64_t has_long_double;  /* the result is in %st(0) */
  uint64_t stack_words;      /* how many arguments on the stack are passed on */
  struct argument_list list; /* of a function that is given one, which it uses up */
};

struct span {
  uint64_t address, bytes;
  const struct effect *effect;
  bool only_changes; /* what is different afterwards was written, and no more */
};

#define MOST_SPANS 24
struct spans {
  struct span spans[MOST_SPANS];
  unsigned count;
  bool incomplete; /* there was more, or something that could not be made out */
};

/* Called for one range after the other; what comes later may depend on what is there when it returns. */
typedef void span_reader(void *context, uint64_t address, uint64_t bytes);

/* All that the call reads. To be called first. */
void effect_spans_read(struct effect_call *call, span_reader *reader, void *context, struct spans *spans);
/* All that it may write, before it does; then what it did write, at the same places of the list. `readable` says how
 * many bytes from an address on can be read at all. */
void effect_spans_may_write(const struct effect_call *call, uint64_t (*readable)(uint64_t), struct spans *spans);
void effect_spans_wrote(const struct effect_call *call, struct spans *spans);

/* ---- formats.c ---- */

enum format_kind { FORMAT_OTHER, FORMAT_STRING, FORMAT_WIDE_STRING, FORMAT_COUNT /* %n */, FORMAT_VALUE /* scanf */ };

struct conversion {
  enum format_kind kind;
  uint64_t pointer;
  uint64_t bytes;          /* of the value; of a string: characters at most */
  uint64_t most_printed;   /* no more bytes than this, without those of a string */
  bool terminated, counts; /* scanf: a zero byte follows; it counts in the result */
};

/* The next conversion of the format; false at its end, or with *unknown set for one that is not understood. */
bool format_next_printed(const char **format, struct argument_list *list, struct conversion *conversion, bool *unknown);
bool format_next_scanned(const char **format, struct argument_list *list, struct conversion *conversion, bool *unknown);

/* The list of unnamed arguments that come after `named` others. */
struct argument_list format_unnamed(const struct effect_call *call, unsigned named);

#endif
