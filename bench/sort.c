/* SPDX-License-Identifier: MIT
 *
 * Compute-bound: quicksort of an array of integers.
 */
#include "compute.h"

#define COUNT 1000000

static unsigned values[COUNT];

static void sort(unsigned *first, unsigned *last) {
  while (last - first > 16) {
    const unsigned pivot = first[(last - first) / 2];
    unsigned *low = first, *high = last - 1;
    while (low <= high) {
      while (*low < pivot) low++;
      while (*high > pivot) high--;
      if (low > high) break;
      const unsigned swapped = *low;
      *low++ = *high;
      *high-- = swapped;
    }
    sort(first, high + 1);
    first = low;
  }
  for (unsigned *next = first + 1; next < last; next++) {
    const unsigned value = *next;
    unsigned *place = next;
    for (; place > first && place[-1] > value; place--) *place = place[-1];
    *place = value;
  }
}

static unsigned long compute(void) {
  unsigned state = 1;
  unsigned long sum = 0;
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < COUNT; i++) values[i] = state = state * 1664525u + 1013904223u;
    sort(values, values + COUNT);
    for (int i = 0; i < COUNT; i += 1000) sum += values[i];
  }
  return sum;
}
