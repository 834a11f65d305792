/* SPDX-License-Identifier: MIT
 *
 * How the engine sees that something has written over the memory it shares with the program (channel.h):
 *
 *     plans, traces   `check` is a sum over all other bytes of the record. Who writes the record fills it in, who reads
 *                     it compares. It depends on the channel's generation, so that what an earlier process left in a
 *                     ring is no record of this one.
 *     knowledge       its `seal` is the sum of a number for every entry of its tables. Who adds or changes an entry
 *                     adds the difference; the engine adds all of them up.
 *     settings        the engine compares them with its own.
 *
 * A change of a single word of eight bytes is always seen, since each step is a bijection of the word; one of several
 * with a chance of one in 2^64 to be missed. What is changed before it is summed up (the events of a run that is still
 * under way) is not seen here.
 */
#ifndef HEDDLE_ABI_CHECK_H
#define HEDDLE_ABI_CHECK_H

#include <stdint.h>

#define CHECK_LANES 4
#define CHECK_FACTOR 0x9e3779b97f4a7c15ull

/* One step; for a fixed `sum` a bijection of `word`, and the other way round. */
static inline uint64_t check_add(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * CHECK_FACTOR;
  return sum ^ sum >> 29;
}

typedef uint64_t check_word __attribute__((may_alias));

/* Of `n` words at `words`, an address divisible by eight. Four sums side by side, so that none waits for another. */
static inline uint64_t check_words(const void *words, uint64_t n, uint64_t seed) {
  const check_word *word = (const check_word *)words;
  uint64_t lanes[CHECK_LANES] = {seed, seed + 1, seed + 2, seed + 3};
  uint64_t i = 0;
  for (; i + CHECK_LANES <= n; i += CHECK_LANES)
    for (unsigned lane = 0; lane < CHECK_LANES; lane++) lanes[lane] = check_add(lanes[lane], word[i + lane]);
  for (; i < n; i++) lanes[0] = check_add(lanes[0], word[i]);
  for (unsigned lane = 1; lane < CHECK_LANES; lane++) lanes[0] = check_add(lanes[0], lanes[lane]);
  return check_add(lanes[0], n);
}

/* Of an entry of a table: what it is about, its place, and two words of contents. */
static inline uint64_t check_entry(uint64_t table, uint64_t place, uint64_t a, uint64_t b) {
  return check_add(check_add(check_add(table << 32, place), a), b);
}

#endif
