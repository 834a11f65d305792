/* SPDX-License-Identifier: MIT
 *
 * Memory that a function gets which is not followed. Nobody sees what it reads and writes there, so terms in what its
 * argument points to are pinned and forgotten: to the end of the variable or heap block, or some bytes where neither is
 * known.
 */
#include "memory.h"
#include "terms.h"
#include "unfollowed.h"

#define UNKNOWN_BYTES 256
#define MOST_BYTES 65536

extern const char *const __start_heddle_functions[] __attribute__((weak));
extern const char *const __stop_heddle_functions[] __attribute__((weak));

/* Some module that is instrumented defines it. */
static bool is_instrumented(const char *name) {
  for (const char *const *at = __start_heddle_functions; at < __stop_heddle_functions; at++)
    if (*at && strings_equal(*at, name)) return true;
  return false;
}

uint64_t opaque_bytes_behind(uint64_t address, uint64_t variable, uint64_t size) {
  if (!variable && memory_is_heap(address)) {
    const struct heap_block *block = memory_block_before(address);
    if (!block || block->freed) return 0;
    variable = block->address;
    size = block->size_bytes;
  }
  if (!variable) return UNKNOWN_BYTES;
  const uint64_t offset = address - variable, left = offset < size ? size - offset : 0;
  return left < MOST_BYTES ? left : MOST_BYTES;
}

EXPORTED void __heddle_slow_given(const void *address, const void *variable, uint64_t size, const struct site *site);
void __heddle_slow_given(const void *address, const void *variable, uint64_t size, const struct site *site) {
  if (!terms_on() || !address || (uint64_t)address >> 47) return;
  const uint64_t bytes = opaque_bytes_behind((uint64_t)address, (uint64_t)variable, size);
  if (!term_memory_has((uint64_t)address, bytes) || is_instrumented(site->variable)) return;
  term_memory_pin((uint64_t)address, bytes, PIN_CALL, (site_id)(uint64_t)site);
  term_memory_clear((uint64_t)address, bytes);
}
