/* SPDX-License-Identifier: MIT
 *
 * How much memory a run may have (--max-memory), and allocations that fail by choice (--malloc-fail).
 *
 * A request that does not fit beside the memory in use fails, as on a machine with so little memory. Freed blocks are
 * not used again within a run, so a program that allocates and frees for long reaches the bound although it has little
 * in use: that is a bound of heddle's, and ends the run as one.
 */
#include "budget.h"
#include "choose.h"
#include "ends.h"
#include "schedule.h"
#include "trace.h"

void budget_begin_run(void) {
  rt->live_bytes = rt->used_bytes = 0;
  rt->allocation_failed = false;
}

static uint64_t budget_bytes(void) {
  const uint64_t megabytes = rt->channel->max_memory_mb;
  return megabytes ? megabytes << 20 : UINT64_MAX / 2;
}

/* At most one allocation of a run fails, so that n allocations cost n + 1 runs and not 2^n. The others are steps all
 * the same, before that one and after it, as the order of two threads' allocations must not matter. There are no
 * choices inside an atomic section. */
static bool fails_by_choice(site_id site) {
  if (!(rt->channel->options & RUN_MALLOC_MAY_FAIL) || !site || rt->section_owner == self()->id) return false;
  const uint16_t ways = rt->allocation_failed ? 1 : 2;
  const bool fails = choose_rarely(ways);
  struct event *event = trace_record(fails ? EVENT_ALLOCATION_FAILED : EVENT_ALLOCATION, 0, 0, site);
  event->alternative = fails;
  event->alternatives = ways;
  rt->allocation_failed |= fails;
  return fails;
}

bool budget_grants(uint64_t bytes, uint64_t arena_left, site_id site) {
  if (bytes > budget_bytes() || rt->live_bytes + bytes > budget_bytes()) return false;
  if (bytes > arena_left || rt->used_bytes + bytes > budget_bytes()) finish_run(OUTCOME_TOO_MUCH_MEMORY, site, 0);
  if (fails_by_choice(site)) return false;
  rt->used_bytes += bytes;
  rt->live_bytes += bytes;
  return true;
}

bool budget_grants_mapping(uint64_t bytes) {
  if (bytes > budget_bytes() || rt->live_bytes + bytes > budget_bytes()) return false;
  rt->live_bytes += bytes;
  return true;
}

bool budget_allows_file(uint64_t bytes) {
  return bytes <= budget_bytes();
}

void budget_give_back(uint64_t bytes) {
  rt->live_bytes -= bytes < rt->live_bytes ? bytes : rt->live_bytes;
}
