// SPDX-License-Identifier: MIT
// What the kernel writes to, and what has to fault, is as well in forked runs, where no memory is put back.
// heddle: --isolation fork
// expect: exit=1 bug=crash line=BUG
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

static char buffer[100];
static int *volatile nowhere;

int main(void) {
  const int file = open("/proc/self/maps", O_RDONLY);
  assert(read(file, buffer, sizeof buffer) > 0);
  return *nowhere; /* BUG */
}
