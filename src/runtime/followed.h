/* SPDX-License-Identifier: MIT
 *
 * What models share that replace a function of the C library and follow the terms of its arguments and of the memory it
 * reads. FOLLOWED starts such a definition:
 *
 *     FOLLOWED(int, strcmp, (a, b), const char *a, const char *b) {
 *       ... the model, with call->terms[0], call->terms[1] and call->result ...
 *     }
 *
 * A function that looks at bytes makes a decision for each byte with a term that it looks at, at the place of the call.
 */
#ifndef HEDDLE_RUNTIME_FOLLOWED_H
#define HEDDLE_RUNTIME_FOLLOWED_H

#include "models.h"
#include "terms.h"

struct followed_call {
  uint32_t terms[4]; /* of the arguments */
  uint32_t result;
  site_id site;
};

#define FOLLOWED_ARGUMENTS(...) __VA_ARGS__
#define FOLLOWED(type, name, arguments, ...)                                                                           \
  EXPORTED type __heddle_call_##name(__VA_ARGS__);                                                                     \
  static type follow_##name(struct followed_call *call, __VA_ARGS__);                                                  \
  type __heddle_call_##name(__VA_ARGS__) {                                                                             \
    struct followed_call call = {.site = (site_id)(uint64_t)__heddle_site};                                            \
    if (__heddle_call.callee) call_take_terms((const void *)__heddle_call_##name, call.terms, 4);                      \
    type const value = follow_##name(&call, FOLLOWED_ARGUMENTS arguments);                                             \
    call_return_term((const void *)__heddle_call_##name, call.result);                                                 \
    return value;                                                                                                      \
  }                                                                                                                    \
  static type follow_##name(struct followed_call *call, __VA_ARGS__)

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);
void __heddle_slow_address(uint32_t term, const void *address, uint64_t bytes, const void *object,
                           uint64_t object_bytes, const struct site *site);

/* ---- accesses: the pointer is argument `number` of the call ---- */

static inline void followed_access(const struct followed_call *call, int number, const void *address, uint64_t size,
                                   int writes) {
  const struct site *site = (const struct site *)(uint64_t)call->site;
  if (!__heddle_in_run) return;
  if (call->terms[number]) __heddle_slow_address(call->terms[number], address, size, NULL, 0, site);
  __heddle_slow_range(address, size, site, writes);
  __heddle_site = site;
}

static inline void followed_reads(const struct followed_call *call, int number, const void *address, uint64_t size) {
  followed_access(call, number, address, size, 0);
}

static inline void followed_writes(const struct followed_call *call, int number, void *address, uint64_t size) {
  followed_access(call, number, address, size, 1);
}

/* ---- bytes ---- */

struct followed_byte {
  unsigned char value;
  uint32_t term;
};

static inline struct followed_byte followed_byte_at(const void *address) {
  return (struct followed_byte){*(const unsigned char *)address, term_memory_load((uint64_t)address, 1)};
}

static inline struct followed_byte followed_constant(int value) {
  return (struct followed_byte){(unsigned char)value, 0};
}

static inline uint32_t followed_term(struct followed_byte byte) {
  return byte.term ? byte.term : term_constant(byte.value, 8);
}

static inline bool followed_equal(struct followed_byte a, struct followed_byte b, site_id site) {
  if (a.term | b.term) decide_branch(term_is(COMPARE_EQUAL, followed_term(a), followed_term(b)), site);
  return a.value == b.value;
}

static inline bool followed_is(struct followed_byte byte, int value, site_id site) {
  return followed_equal(byte, followed_constant(value), site);
}

/* Whether it is one of first .. last. */
static inline bool followed_is_between(struct followed_byte byte, int first, int last, site_id site) {
  if (byte.term) {
    const uint32_t offset = term_make(TERM_SUBTRACT, 8, 0, byte.term, term_constant((bits)first, 8), 0);
    decide_branch(term_is(COMPARE_LESS_EQUAL, offset, term_constant((bits)(last - first), 8)), site);
  }
  return byte.value >= first && byte.value <= last;
}

#endif
