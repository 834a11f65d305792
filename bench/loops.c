/* SPDX-License-Identifier: MIT
 *
 * Compute-bound: integer loops over a small table (a sieve, then Collatz lengths with a memo).
 */
#include "compute.h"

#define LIMIT 1000000

static unsigned char composite[LIMIT];
static unsigned short length[LIMIT];

static unsigned long collatz(unsigned long n) {
  unsigned long steps = 0, m = n;
  while (m >= n && m != 1) m = m & 1 ? 3 * m + 1 : m / 2, steps++;
  length[n] = (unsigned short)(steps + (m < n ? length[m] : 0));
  return length[n];
}

static unsigned long compute(void) {
  unsigned long sum = 0;
  for (int round = 0; round < 20; round++) {
    for (unsigned long n = 0; n < LIMIT; n++) composite[n] = 0;
    for (unsigned long p = 2; p * p < LIMIT; p++)
      if (!composite[p])
        for (unsigned long n = p * p; n < LIMIT; n += p) composite[n] = 1;
    for (unsigned long n = 2; n < LIMIT; n++) sum += !composite[n];
    for (unsigned long n = 1; n < LIMIT; n++) sum += collatz(n);
  }
  return sum;
}
