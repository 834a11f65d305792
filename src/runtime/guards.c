/* SPDX-License-Identifier: MIT
 *
 * Bytes after local arrays that nobody may touch (src/instrument/guards.c): their granules have records (sharing.c),
 * so that every access to them takes the slow path, where it is a finding.
 *
 * A function that ends with return takes its guards away. One that is left otherwise (longjmp, the end of the thread)
 * does not, and its stack will be used for something else: then all guards of the thread go, those of functions that
 * are still running too. A guard of an earlier run is none.
 */
#include "awaits.h"
#include "ends.h"
#include "frames.h"
#include "sharing.h"

/* Some of the bytes of [address, address + size) in the granule at `place`. */
static inline bool is_guarded(uint64_t place, uint64_t address, uint64_t size) {
  const struct granule *granule = sharing_record_at(place);
  return granule && granule->guard_run == rt->run && granule->guarded & granule_bytes(place, address, size);
}

static void set_guard(uint64_t place, unsigned bytes, bool guarded) {
  struct granule *granule = guarded ? sharing_make_record(place) : sharing_record_at(place);
  if (!granule) return;
  if (granule->guard_run != rt->run) granule->guarded = 0;
  granule->guard_run = rt->run;
  granule->guarded = (uint8_t)(guarded ? granule->guarded | bytes : granule->guarded & ~bytes);
}

static void set_guards(uint64_t address, uint64_t size, bool guarded) {
  for (uint64_t place = address & ~7ull; place < address + size; place += 8)
    set_guard(place, granule_bytes(place, address, size), guarded);
}

EXPORTED void __heddle_slow_guard(void *address, uint64_t size);
void __heddle_slow_guard(void *address, uint64_t size) {
  rehearsal_check();
  set_guards((uint64_t)address, size, true);
}

EXPORTED void __heddle_slow_unguard(void *address, uint64_t size);
void __heddle_slow_unguard(void *address, uint64_t size) {
  rehearsal_check();
  set_guards((uint64_t)address, size, false);
}

void guards_forget(struct thread *thread) {
  const uint64_t here = (uint64_t)__builtin_frame_address(0) & ~7ull;
  for (uint64_t place = here; place < thread->stack_top; place += 8) {
    struct granule *granule = sharing_record_at(place);
    if (granule) granule->guarded = 0;
  }
}

/* Code that reads whole vectors may run over an end on purpose, never over a page's. */
static bool is_aligned_overread(uint64_t address, uint64_t size, bool writes) {
  return !writes && size >= 16 && address % size == 0 && !is_guarded(address & ~7ull, address, 1);
}

void guards_check(uint64_t address, uint64_t size, bool writes, site_id site) {
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    if (!is_guarded(place, address, size)) continue;
    if (is_aligned_overread(address, size, writes)) return;
    finish_run_with_message(OUTCOME_MEMORY_MISUSE, site, address,
                            writes ? "write past the end of a local array" : "read past the end of a local array");
  }
}
