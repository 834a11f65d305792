// Descriptors have the same numbers in every process that runs the program, also in the one that repeats a failing run.
// expect: exit=1 bug=exit line=BUG
#include <fcntl.h>
#include <stdlib.h>

int main(void) {
  exit(open("/dev/null", O_RDONLY)); // BUG
}
