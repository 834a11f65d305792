/* SPDX-License-Identifier: MIT
 *
 * How the engine notices that something has written over the memory it shares with the program (channel.h):
 *
 *     plans, traces   `check` is a sum over all other bytes of the record. The writer fills it in, the reader compares
 *                     it. It depends on the channel's generation, so that what an earlier process left in a
 *                     ring does not pass for a record of this one.
 *     knowledge       its `seal` is the sum of a number for every entry of its tables. Adding or changing an entry
 *                     adds the difference; the engine adds up all entries to compare.
 *     settings        the engine compares them with its own.
 *
 * A change within one word of eight bytes is always seen, since the sum is a bijection of each word; changes of several
 * words only cancel out by design, or by a rare accident. What is changed before it is summed up (the events of a run
 * that is still under way) is not seen here.
 */
#ifndef HEDDLE_ABI_CHECK_H
#define HEDDLE_ABI_CHECK_H

#include <stdint.h>

#define CHECK_FACTOR 0x9e3779b97f4a7c15ull

/* One step; for a fixed `sum` a bijection of `word`, and the other way round. */
static inline uint64_t check_add(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * CHECK_FACTOR;
  return sum ^ sum >> 29;
}

typedef uint64_t check_word __attribute__((may_alias));

/* Of `n` words at `words`, an address divisible by eight. Four sums take turns, so that none waits for the one before;
 * in each, a word has a power of an odd factor, so that the whole is a bijection of every word. */
static inline uint64_t check_words(const void *words, uint64_t n, uint64_t seed) {
  const check_word *word = (const check_word *)words;
  uint64_t a = seed, b = CHECK_FACTOR, c = b + 2, d = b + 4, i = 0;
  for (; i + 4 <= n; i += 4) {
    a = a * CHECK_FACTOR + word[i];
    b = b * CHECK_FACTOR + word[i + 1];
    c = c * CHECK_FACTOR + word[i + 2];
    d = d * CHECK_FACTOR + word[i + 3];
  }
  for (; i < n; i++) a = a * CHECK_FACTOR + word[i];
  return check_add(check_add(check_add(check_add(a, b), c), d), n);
}

/* Of an entry of a table: what it is about, its place, and two words of contents. */
static inline uint64_t check_entry(uint64_t table, uint64_t place, uint64_t a, uint64_t b) {
  return check_add(check_add(check_add(table << 32, place), a), b);
}

#endif
