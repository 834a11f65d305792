// Maps memory until there is no more; what is given back can be had again, and mere reservations are free.
// heddle: --max-memory 16
// expect: exit=0 verdict=clean
// observe: megabytes=16 errno=12 again=1
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <stdlib.h>
#include <sys/mman.h>

static void *map(size_t bytes, int protection) {
  return mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  int megabytes = 0;
  void *last = NULL;
  assert(map(1ul << 32, PROT_NONE) != MAP_FAILED);
  for (void *block; (block = map(1 << 20, PROT_READ | PROT_WRITE)) != MAP_FAILED; megabytes++) last = block;
  heddle_observe("megabytes", megabytes);
  heddle_observe("errno", errno);
  assert(malloc(1 << 20) == NULL);
  munmap(last, 1 << 20);
  heddle_observe("again", map(1 << 20, PROT_READ | PROT_WRITE) != MAP_FAILED);
}
