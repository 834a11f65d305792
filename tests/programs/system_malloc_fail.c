// With --malloc-fail one allocation of a run may fail, any one: five allocations make six runs.
// heddle: --malloc-fail
// expect: exit=0 runs=6 verdict=clean complete=true
// observe: failed=0
// observe: failed=1
// observe: failed=2
// observe: failed=3
// observe: failed=4
// observe: failed=5
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  void *aligned = NULL;
  errno = 0;
  void *first = malloc(10);
  void *second = calloc(2, 10);
  void *third = realloc(NULL, 20);
  const int fourth = posix_memalign(&aligned, 64, 100);
  const int number = errno;
  char *fifth = strdup("text");
  int failed = 0;
  if (!first) failed = 1, assert(number == ENOMEM);
  if (!second) failed = 2, assert(number == ENOMEM);
  if (!third) failed = 3, assert(number == ENOMEM);
  if (fourth) failed = 4, assert(fourth == ENOMEM);
  if (!fifth) failed = 5;
  heddle_observe("failed", failed);
  free(first);
  free(second);
  free(third);
  free(aligned);
  free(fifth);
}
