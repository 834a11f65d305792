// Allocates and frees without end. heddle does not use a block again within a run, so the bound is its own, and it says
// so instead of letting malloc fail.
// heddle: --max-memory 64
// expect: exit=3 verdict=incomplete truncated_runs=1 output~--max-memory
#include <assert.h>
#include <stdlib.h>

int main(void) {
  for (;;) {
    void *block = malloc(1 << 20);
    assert(block);
    free(block);
  }
}
