// SPDX-License-Identifier: MIT
// An aligned vector that is partly in a block may be read: vectorised loops do that at both ends.
// expect: exit=0 verdict=clean
#include <emmintrin.h>
#include <stdlib.h>

int main(void) {
  char *block = calloc(1, 24);
  const __m128i *vectors = (const __m128i *)block;
  __m128i sum = _mm_add_epi8(_mm_load_si128(vectors), _mm_load_si128(vectors + 1));
  const int result = _mm_cvtsi128_si32(sum);
  free(block);
  return result;
}
