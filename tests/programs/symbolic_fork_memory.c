// SPDX-License-Identifier: MIT
// Runs in processes of their own: memory of one run, its terms included, is not seen by the next. Paths: the empty
// text; three lengths, with the first letter a q or not.
// heddle: --isolation fork --check-solver
// expect: exit=0 verdict=clean paths=7
// observe: length=0
// observe: length=1
// observe: length=2
// observe: length=3
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char kept[8];
static int runs;

int main(void) {
  assert(runs++ == 0 && kept[0] == 0);
  char *text = malloc(4);
  heddle_input_bytes("text", text, 3);
  text[3] = 0;
  strcpy(kept, text);
  heddle_observe("length", (long)strlen(kept));
  if (kept[0] == 'q' && kept[1] == 0) assert(strlen(text) == 1);
  free(text);
  return 0;
}
