// SPDX-License-Identifier: MIT
// A vector that is not aligned may reach into the next page: reading it past the end of the block is a finding.
// heddle: -DOFFSET=9
// expect: exit=1 bug=memory line=BUG
#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *block = calloc(1, 24);
  __m128i vector;
  memcpy(&vector, block + OFFSET, sizeof vector); /* BUG */
  return _mm_cvtsi128_si32(vector);
}
