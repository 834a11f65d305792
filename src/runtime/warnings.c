/* SPDX-License-Identifier: MIT
 *
 * What runs notice that does not end them. A warning is kept in the knowledge of all runs, once per kind and unordered
 * pair of places, whatever run or thread shows it again.
 *
 * A program may show the same warning millions of times, so where a warning lies is remembered by a hash of its places;
 * only one that is not found there is looked for in the whole table.
 */
#include "warnings.h"

static bool is(const struct warning *warning, enum warning_kind kind, site_id site, site_id other_site) {
  if (warning->kind != kind) return false;
  return (warning->site == site && warning->other_site == other_site) ||
         (warning->site == other_site && warning->other_site == site);
}

/* The same for a pair of places in both orders. */
static uint16_t *remembered(enum warning_kind kind, site_id site, site_id other_site) {
  const uint64_t key = ((uint64_t)site + other_site) << 8 | kind;
  return &rt->warning_places[(key * 0x9e3779b97f4a7c15ull >> 40) % WARNING_PLACES];
}

static uint32_t count_warnings(void) {
  return atomic_load_explicit(&rt->knowledge->n_warnings, memory_order_relaxed);
}

bool warnings_has(enum warning_kind kind, site_id site, site_id other_site) {
  const struct warning *warnings = rt->knowledge->warnings;
  const uint32_t count = count_warnings();
  uint16_t *place = remembered(kind, site, other_site);
  if (*place && *place <= count && is(&warnings[*place - 1], kind, site, other_site)) return true;
  for (uint32_t i = 0; i < count && i < MAX_WARNINGS; i++)
    if (is(&warnings[i], kind, site, other_site)) {
      *place = (uint16_t)(i + 1);
      return true;
    }
  return false;
}

void warnings_add(const struct warning *warning) {
  struct knowledge *knowledge = rt->knowledge;
  const uint32_t count = count_warnings();
  if (warnings_has(warning->kind, warning->site, warning->other_site)) return;
  if (count >= MAX_WARNINGS) {
    knowledge->overflow = 1;
    return;
  }
  knowledge->warnings[count] = *warning;
  knowledge->warnings[count].seed = rt->seed;
  knowledge->seal += sealed_warning(count, &knowledge->warnings[count]);
  *remembered(warning->kind, warning->site, warning->other_site) = (uint16_t)(count + 1);
  /* release: the entry is written before it is counted */
  atomic_store_explicit(&knowledge->n_warnings, count + 1, memory_order_release);
}
