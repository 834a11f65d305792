/* SPDX-License-Identifier: MIT
 *
 * Compute-bound: a chained hash table on the heap, insertions and lookups.
 */
#include "compute.h"

#include <stdlib.h>

#define BUCKETS 65536
#define KEYS 200000

struct entry {
  struct entry *next;
  unsigned long key, count;
};

static struct entry *buckets[BUCKETS];

static struct entry *find(unsigned long key) {
  const unsigned long hash = key * 0x9e3779b97f4a7c15ul >> 48;
  for (struct entry *entry = buckets[hash]; entry; entry = entry->next)
    if (entry->key == key) return entry;
  struct entry *entry = malloc(sizeof *entry);
  *entry = (struct entry){.next = buckets[hash], .key = key};
  return buckets[hash] = entry;
}

static unsigned long compute(void) {
  unsigned long state = 1, sum = 0;
  for (int i = 0; i < 4000000; i++) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    sum += ++find((state >> 33) % KEYS)->count;
  }
  return sum;
}
