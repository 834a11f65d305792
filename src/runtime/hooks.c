/* SPDX-License-Identifier: MIT
 *
 * The fast half of the hooks (abi/hooks.def), as C that reads like what it does. This file is compiled to bitcode,
 * linked into every instrumented module and inlined before optimisation; the slow half is in libheddle-rt.a.
 *
 * While the program runs outside heddle, an access costs one test of __heddle_in_run. In a run, an access to memory
 * this thread has to itself and has touched before costs one more comparison of its shadow word (abi/layout.h) with
 * __heddle_owner.
 */
#include "abi/layout.h"
#include "abi/sites.h"

#include <stdint.h>

extern unsigned char __heddle_in_run;    /* under control */
extern uint64_t __heddle_owner;          /* run and segment of the running thread, all byte bits set */
extern const struct site *__heddle_site; /* of the last call that left instrumented code */
extern uint64_t __heddle_opaque_calls;
extern uint64_t __heddle_unseen_writes;
extern const struct site *__heddle_opaque_site; /* of the last one */

void __heddle_slow_read(const void *address, uint64_t size, const struct site *site);
void __heddle_slow_write(void *address, uint64_t size, const struct site *site);
void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);
void __heddle_slow_atomic_read(const void *address, uint64_t size, const struct site *site);
void __heddle_slow_atomic_write(void *address, uint64_t size, const struct site *site);
void __heddle_slow_atomic_update(void *address, uint64_t size, const struct site *site);
void __heddle_slow_compare_exchange(void *address, uint64_t size, uint64_t low, uint64_t high, const struct site *site);
void __heddle_slow_bounds(const void *address, const void *variable, uint64_t last, const struct site *site);
void __heddle_slow_guard(void *address, uint64_t size);
void __heddle_slow_unguard(void *address, uint64_t size);
void __heddle_slow_section_enter(const struct site *site);
void __heddle_slow_section_leave(const struct site *site);

#define likely(condition) __builtin_expect(!!(condition), 1)

/* All eight bytes around have been touched (and, to write, written) by the running segment: true for most accesses, and
 * quicker to find out than for the bytes in question, which the slow half does first. */
static inline int can_read(const void *address) {
  return ((*shadow_of((uint64_t)address) ^ __heddle_owner) & ~(0xffull << SHADOW_WRITTEN_SHIFT)) == 0;
}

static inline int can_write(const void *address) {
  return *shadow_of((uint64_t)address) == __heddle_owner;
}

#define ACCESS_HOOKS(bytes)                                                                                            \
  void __heddle_read_##bytes(const void *address, const struct site *site) {                                           \
    if (likely(!__heddle_in_run) || likely(can_read(address))) return;                                                 \
    __heddle_slow_read(address, bytes, site);                                                                          \
  }                                                                                                                    \
  void __heddle_write_##bytes(void *address, const struct site *site) {                                                \
    if (likely(!__heddle_in_run) || likely(can_write(address))) return;                                                \
    __heddle_slow_write(address, bytes, site);                                                                         \
  }

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)

/* A few bytes inside of eight are compared like one access. */
static inline int range_owned(const void *address, uint64_t bytes, unsigned shift) {
  return bytes <= 8 && ((uint64_t)address & 7) + bytes <= 8 &&
         shadow_owned(*shadow_of((uint64_t)address), __heddle_owner, (uint64_t)address, bytes, shift);
}

void __heddle_read_range(const void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run) || range_owned(address, size, 0)) return;
  __heddle_slow_range(address, size, site, 0);
}

void __heddle_write_range(void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_range(address, size, site, 1);
}

void __heddle_atomic_read(const void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_atomic_read(address, size, site);
}

void __heddle_atomic_write(void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_atomic_write(address, size, site);
}

void __heddle_atomic_update(void *address, uint64_t size, const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_atomic_update(address, size, site);
}

void __heddle_atomic_compare_exchange(void *address, uint64_t size, uint64_t low, uint64_t high,
                                      const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_compare_exchange(address, size, low, high, site);
}

void __heddle_at_call(const struct site *site) {
  __heddle_site = site;
}

void __heddle_opaque_call(void) {
  __heddle_opaque_calls++;
  __heddle_unseen_writes++;
  __heddle_opaque_site = __heddle_site;
}

void __heddle_writes_unseen(void) {
  __heddle_unseen_writes++;
}

void __heddle_bounds(const void *address, const void *variable, uint64_t last, const struct site *site) {
  if (likely((uint64_t)address - (uint64_t)variable <= last)) return;
  __heddle_slow_bounds(address, variable, last, site);
}

void __heddle_guard(void *address, uint64_t size) {
  if (__heddle_in_run) __heddle_slow_guard(address, size);
}

void __heddle_unguard(void *address, uint64_t size) {
  if (__heddle_in_run) __heddle_slow_unguard(address, size);
}

void __heddle_section_enter(const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_section_enter(site);
}

void __heddle_section_leave(const struct site *site) {
  if (likely(!__heddle_in_run)) return;
  __heddle_slow_section_leave(site);
}

void __heddle_cover(unsigned char *cells, uint64_t condition) {
  cells[condition] = 1;
}
