// SPDX-License-Identifier: MIT
// Blocks are aligned for every type.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  for (size_t size = 1; size < 200; size++) assert((uintptr_t)malloc(size) % 16 == 0);
  return 0;
}
