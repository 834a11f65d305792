// SPDX-License-Identifier: MIT
// A file that is larger than --max-memory is not the program's fault: the summary says it.
// heddle: --max-memory 1
// expect: exit=3 verdict=incomplete bugs=0 truncated_runs=1 output~"a file larger than --max-memory"
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  const int file = open("file", O_CREAT | O_RDWR, 0600);
  assert(pwrite(file, "x", 1, 1000000) == 1);
  assert(pwrite(file, "x", 1, 2000000) == 1);
  return 0;
}
