// SPDX-License-Identifier: MIT
// A FIFO cannot be private to a run: the run stops there, and nothing is made.
// expect: exit=3 verdict=incomplete bugs=0 truncated_runs=1 output~"mkfifo, without --files real"
#include <assert.h>
#include <sys/stat.h>

int main(void) {
  assert(mkfifo("fifo", 0600) == 0);
  assert(mkfifo("fifo", 0600) == 0);
  return 0;
}
