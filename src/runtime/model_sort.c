/* SPDX-License-Identifier: MIT
 *
 * qsort: its comparison is the program's and is followed, so its moves have to be as well. An array with terms is
 * sorted here, stably as the C library does: each element goes behind the last of those before it that is not greater.
 */
#include "followed.h"

#include <stdlib.h>
#include <string.h>

typedef int comparison(const void *, const void *);

/* Takes the terms along; the places do not overlap. */
static void move(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
  term_memory_copy((uint64_t)to, (uint64_t)from, size);
}

/* Where the element at `count` belongs among the sorted ones before it. */
static size_t place_of(char *base, size_t count, size_t size, comparison *compare) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare(base + count * size, base + middle * size) < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void sort(char *base, size_t count, size_t size, comparison *compare) {
  char element[size];
  for (size_t i = 1; i < count; i++) {
    const size_t place = place_of(base, i, size, compare);
    if (place == i) continue;
    move(element, base + i * size, size);
    for (size_t k = i; k > place; k--) move(base + k * size, base + (k - 1) * size, size);
    move(base + place * size, element, size);
  }
  term_memory_clear((uint64_t)element, size);
}

#define LARGEST_ELEMENT 65536

EXPORTED void __heddle_call_qsort(void *base, size_t count, size_t size, comparison *compare);
void __heddle_call_qsort(void *base, size_t count, size_t size, comparison *compare) {
  struct followed_call call = {.site = (site_id)(uint64_t)__heddle_site};
  if (__heddle_call.callee) call_take_terms((const void *)__heddle_call_qsort, call.terms, 4);
  for (int i = 1; i < 4; i++) decide_pin(call.terms[i], i == 3 ? PIN_JUMP : PIN_SIZE, call.site);
  followed_reads(&call, 0, base, count * size);
  followed_writes(&call, 0, base, count * size);
  term_memory_copy((uint64_t)base, (uint64_t)base, count * size); /* what is written is what was there */
  if (size && size <= LARGEST_ELEMENT && term_memory_has((uint64_t)base, count * size)) {
    sort(base, count, size, compare);
    return;
  }
  term_memory_clear((uint64_t)base, count * size);
  qsort(base, count, size, compare);
}
