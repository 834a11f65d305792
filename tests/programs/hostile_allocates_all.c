// Allocates until there is no more: the bound of --max-memory makes malloc fail, as a small machine would.
// heddle: --max-memory 8
// expect: exit=0 verdict=clean
// observe: megabytes=8 errno=12
#include <errno.h>
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int megabytes = 0;
  for (void *block; (block = malloc(1 << 20)); megabytes++) memset(block, 1, 1 << 20);
  heddle_observe("megabytes", megabytes);
  heddle_observe("errno", errno);
}
