/* SPDX-License-Identifier: MIT
 *
 * The fast half of the hooks (abi/hooks.def), as C that reads like what it does. This file is compiled to bitcode,
 * which is linked into every instrumented module: short hooks are inlined. Those that are `out_of_line` are called, and
 * inlined only in small loops (src/instrument/hot.c); their code is in libheddle-rt.a, as the slow half is.
 *
 * While the program runs outside heddle, an access costs one test of __heddle_in_run. In a run, an access to memory
 * this thread has to itself and has touched before costs one more comparison of its shadow word (abi/layout.h) with
 * __heddle_owner.
 */
#include "abi/layout.h"
#include "abi/sites.h"
#include "abi/symbolic.h"

#include <stddef.h>
#include <stdint.h>

#define cold __attribute__((__cold__))

extern unsigned char __heddle_in_run;      /* under control */
extern unsigned char __heddle_has_threads; /* in this run, main has had company */
extern unsigned char __heddle_has_dead;    /* some bytes of stacks are marked as dead */
extern uint64_t __heddle_owner;            /* run and segment of the running thread, all byte bits set */
extern const struct site *__heddle_site;   /* of the last call that left instrumented code */
extern const struct site *__heddle_return_site;
extern uint64_t __heddle_opaque_calls;
extern uint64_t __heddle_unseen_writes;
extern const struct site *__heddle_opaque_site; /* of the last one */

uint32_t __heddle_slow_read(const void *address, uint64_t size, const struct site *site);
void __heddle_slow_write(void *address, uint64_t size, const struct site *site);
void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);
void *__heddle_slow_hold(const void *address, uint64_t size);
uint32_t __heddle_slow_atomic_read(const void *address, uint64_t size, const struct site *site);
void __heddle_slow_atomic_write(void *address, uint64_t size, const struct site *site);
uint32_t __heddle_slow_atomic_update(void *address, uint64_t size, const struct site *site);
uint32_t __heddle_slow_compare_exchange(void *address, uint64_t size, uint64_t low, uint64_t high,
                                        const struct site *site);
void __heddle_slow_bounds(const void *address, const void *variable, uint64_t last, const struct site *site);
void __heddle_slow_guard(void *address, uint64_t size);
void __heddle_slow_unguard(void *address, uint64_t size);
void cold __heddle_slow_frame_begin(void *address, uint64_t size);
void __heddle_slow_frame_end(void *address, uint64_t size, const struct site *site);
void __heddle_slow_fresh(void *address, uint64_t size);
void cold __heddle_slow_landed(const void *stack_pointer);
void cold __heddle_slow_undefined(const struct site *site);
void __heddle_slow_foreign(const struct site *site);
void __heddle_slow_indirect(const void *function, const struct site *site);
void __heddle_slow_virtual(const void *function, const void *object, const struct site *site);
void __heddle_slow_unlisted(const void *address, const void *variable, uint64_t size, const struct site *site);
void cold __heddle_slow_opaque_call(void);
void __heddle_slow_section_enter(const struct site *site);
void __heddle_slow_section_leave(const struct site *site);

/* Terms of inputs (abi/symbolic.h). */
extern unsigned char __heddle_terms_in_memory; /* some byte of memory holds one */
extern struct symbolic_call __heddle_call;
extern struct symbolic_return __heddle_return;

uint32_t cold __heddle_term_load(const void *address, uint64_t size);
void cold __heddle_term_copy(void *to, const void *from, uint64_t size);
void cold __heddle_term_fill(void *to, uint64_t size, uint32_t term);
void cold __heddle_slow_unclaimed(const struct site *site);
void cold __heddle_slow_given(const void *address, const void *variable, uint64_t size, const struct site *site);
void cold __heddle_slow_variadic(void *list, const struct symbolic_call *call, uint64_t first_unnamed);

/* A call is smaller than what the hook does, and quicker to compile. */
#define out_of_line __attribute__((noinline, section(HEDDLE_HOOKS_SECTION)))

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* All eight bytes around have been touched (and, to write, written) by the running segment: true for most accesses, and
 * quicker to find out than for the bytes in question, which the slow half does first. */
static inline int can_read(const void *address) {
  return ((*shadow_of((uint64_t)address) ^ __heddle_owner) & ~(0xffull << SHADOW_WRITTEN_SHIFT)) == 0;
}

static inline int can_write(const void *address) {
  return *shadow_of((uint64_t)address) == __heddle_owner;
}

#define ACCESS_HOOKS(bytes)                                                                                            \
  uint32_t out_of_line __heddle_read_##bytes(const void *address, const struct site *site) {                           \
    if (unlikely(!__heddle_in_run) || likely(can_read(address))) return 0;                                             \
    return __heddle_slow_read(address, bytes, site);                                                                   \
  }                                                                                                                    \
  void out_of_line __heddle_write_##bytes(void *address, const struct site *site) {                                    \
    if (unlikely(!__heddle_in_run) || likely(can_write(address))) return;                                              \
    __heddle_slow_write(address, bytes, site);                                                                         \
  }

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)

#define MOST_COMPARED_BYTES 64

/* A few bytes are compared like the accesses, of at most eight bytes each, that they consist of. */
static inline int range_owned(const void *address, uint64_t bytes, unsigned shift) {
  const uint64_t end = (uint64_t)address + bytes;
  if (bytes > MOST_COMPARED_BYTES) return 0;
  for (uint64_t at = (uint64_t)address; at < end;) {
    const uint64_t boundary = (at | 7) + 1, next = boundary < end ? boundary : end;
    if (!shadow_owned(*shadow_of(at), __heddle_owner, at, next - at, shift)) return 0;
    at = next;
  }
  return 1;
}

/* The last of a few bytes: they lie in eight with the first, or with this one. */
static inline const char *last_of(const void *address, uint64_t size) {
  return (const char *)address + size - 1;
}

void out_of_line __heddle_read_range(const void *address, uint64_t size, const struct site *site) {
  if (unlikely(!__heddle_in_run)) return;
  if (size <= 8 && can_read(address) && can_read(last_of(address, size))) return;
  if (range_owned(address, size, 0)) return;
  __heddle_slow_range(address, size, site, 0);
}

void out_of_line __heddle_write_range(void *address, uint64_t size, const struct site *site) {
  if (unlikely(!__heddle_in_run)) return;
  if (size <= 8 && can_write(address) && can_write(last_of(address, size))) return;
  if (range_owned(address, size, SHADOW_WRITTEN_SHIFT)) return;
  __heddle_slow_range(address, size, site, 1);
}

void *out_of_line __heddle_hold(const void *address, uint64_t size) {
  if (likely(!__heddle_in_run)) return (void *)address;
  return __heddle_slow_hold(address, size);
}

uint32_t out_of_line __heddle_atomic_read(const void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return 0;
  return __heddle_slow_atomic_read(address, size, site);
}

void out_of_line __heddle_atomic_write(void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_atomic_write(address, size, site);
}

uint32_t out_of_line __heddle_atomic_update(void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return 0;
  return __heddle_slow_atomic_update(address, size, site);
}

uint32_t out_of_line __heddle_atomic_compare_exchange(void *address, uint64_t size, uint64_t low, uint64_t high,
                                                      const struct site *site) {
  if (likely(!__heddle_in_run)) return 0;
  return __heddle_slow_compare_exchange(address, size, low, high, site);
}

void __heddle_at_call(const struct site *site) {
  __heddle_site = site;
}

void __heddle_main_returns(const struct site *site) {
  __heddle_return_site = site;
}

void out_of_line __heddle_opaque_call(void) {
  if (unlikely(__heddle_in_run)) __heddle_slow_opaque_call();
  __heddle_opaque_calls++;
  __heddle_unseen_writes++;
  __heddle_opaque_site = __heddle_site;
}

void out_of_line __heddle_foreign(const void *followed, const struct site *site) {
  if (likely(followed != NULL) || likely(!__heddle_in_run)) return;
  __heddle_slow_foreign(site);
}

extern char __executable_start[], __etext[];

static inline int is_compiled_by_heddle(uint64_t code) {
  const uint64_t start = (uint64_t)__executable_start;
  return code - start - 8 < (uint64_t)__etext - start - 8 && ((const uint64_t *)code)[-1] == HEDDLE_CODE_MARK;
}

void out_of_line __heddle_indirect(const void *function, const struct site *site) {
  if (likely(!__heddle_in_run) || likely(is_compiled_by_heddle((uint64_t)function))) return;
  __heddle_slow_indirect(function, site);
}

void out_of_line __heddle_virtual(const void *function, const void *object, const struct site *site) {
  if (likely(!__heddle_in_run) || likely(is_compiled_by_heddle((uint64_t)function))) return;
  __heddle_slow_virtual(function, object, site);
}

void out_of_line __heddle_unlisted(const void *followed, const void *address, const void *variable, uint64_t size,
                                   const struct site *site) {
  if (likely(followed != NULL) || likely(!__heddle_in_run)) return;
  __heddle_slow_unlisted(address, variable, size, site);
}

void __heddle_writes_unseen(void) {
  __heddle_unseen_writes++;
}

void __heddle_bounds(const void *address, const void *variable, uint64_t last, const struct site *site) {
  if (likely((uint64_t)address - (uint64_t)variable <= last)) return;
  __heddle_slow_bounds(address, variable, last, site);
}

void out_of_line __heddle_guard(void *address, uint64_t size) {
  if (__heddle_in_run) __heddle_slow_guard(address, size);
}

void out_of_line __heddle_unguard(void *address, uint64_t size) {
  if (__heddle_in_run) __heddle_slow_unguard(address, size);
}

void out_of_line __heddle_frame_begin(void *address, uint64_t size) {
  if (unlikely(__heddle_has_dead)) __heddle_slow_frame_begin(address, size);
}

void out_of_line __heddle_frame_end(void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_has_threads) || range_owned(address, size, SHADOW_WRITTEN_SHIFT)) return;
  __heddle_slow_frame_end(address, size, site);
}

void out_of_line __heddle_landed(void) {
  if (__heddle_in_run) __heddle_slow_landed(__builtin_dwarf_cfa());
}

void out_of_line __heddle_fresh(void *address, uint64_t size) {
  if (__heddle_in_run) __heddle_slow_fresh(address, size);
}

void out_of_line __heddle_undefined(const struct site *site) {
  if (__heddle_in_run) __heddle_slow_undefined(site);
}

void out_of_line __heddle_section_enter(const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_section_enter(site);
}

void out_of_line __heddle_section_leave(const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_section_leave(site);
}

void __heddle_cover(unsigned char *cells, uint64_t condition) {
  cells[condition] = 1;
}

/* ---- terms of memory ---- */

uint32_t out_of_line __heddle_read_terms(const void *address, uint64_t size) {
  return unlikely(__heddle_terms_in_memory) ? __heddle_term_load(address, size) : 0;
}

void out_of_line __heddle_copy_terms(void *to, const void *from, uint64_t size) {
  if (unlikely(__heddle_terms_in_memory)) __heddle_term_copy(to, from, size);
}

void out_of_line __heddle_fill_terms(void *to, uint64_t size, uint32_t term) {
  if (unlikely(term | __heddle_terms_in_memory)) __heddle_term_fill(to, size, term);
}

/* ---- calls ---- */

/* Something was passed. */
uint32_t out_of_line __heddle_claim_passed(const void *self, const struct site *site) {
  if (__heddle_call.callee != self) {
    __heddle_slow_unclaimed(site);
    return 0;
  }
  __heddle_call.callee = NULL;
  return __heddle_call.count;
}

uint32_t __heddle_claim(const void *self, const struct site *site) {
  return likely(!__heddle_call.callee) ? 0 : __heddle_claim_passed(self, site);
}

/* Without terms for it there may be old ones where the arguments lie now. */
void out_of_line __heddle_variadic(void *list, const struct symbolic_call *call, uint32_t count, uint64_t named) {
  if (unlikely(count | __heddle_terms_in_memory)) __heddle_slow_variadic(list, count ? call : NULL, named);
}

void out_of_line __heddle_given(const void *address, const void *variable, uint64_t size, const struct site *site) {
  if (unlikely(__heddle_terms_in_memory)) __heddle_slow_given(address, variable, size, site);
}

void __heddle_returned(const void *callee, const struct site *site) {
  if (unlikely(__heddle_call.callee == callee)) __heddle_slow_unclaimed(site);
}

void __heddle_give(const void *self, uint32_t term) {
  __heddle_return.terms[0] = term;
  if (unlikely(term)) __heddle_return.from = self;
}

void __heddle_give_second(const void *self, uint32_t term) {
  __heddle_return.terms[1] = term;
  if (unlikely(term)) __heddle_return.from = self;
}

uint32_t __heddle_result(const void *callee, uint64_t member) {
  const uint32_t term = __heddle_return.terms[member];
  return unlikely(term) && __heddle_return.from == callee ? term : 0;
}

uint32_t __heddle_result_here(uint64_t member) {
  return __heddle_return.terms[member];
}
