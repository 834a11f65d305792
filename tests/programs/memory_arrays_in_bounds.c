// SPDX-License-Identifier: MIT
// First and last elements, of arrays of structures and of several dimensions, by indices and by pointers; a pointer one
// past the end that is only compared.
// expect: exit=0 verdict=clean warnings=0
#include <assert.h>

struct pair {
  char name[5];
  short value;
};

static struct pair pairs[4];
static int grid[3][4];

int main(void) {
  char text[7];
  int sum = 0;
  for (int i = 0; i < 7; i++) text[i] = (char)i;
  for (const char *c = text; c < text + 7; c++) sum += *c;
  for (int i = 0; i < 4; i++) pairs[i].value = (short)i, pairs[i].name[i + 1] = 1;
  for (int i = 2; i >= 0; i--)
    for (int j = 3; j >= 0; j--) grid[i][j] = i + j;
  for (int *cell = &grid[0][0]; cell != &grid[0][0] + 12; cell++) sum += *cell;
  assert(sum == 51 && pairs[3].value == 3);
  return 0;
}
