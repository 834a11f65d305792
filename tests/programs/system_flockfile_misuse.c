// Unlocking a stream that the thread has not locked.
// expect: exit=1 bug=lock-misuse line=BUG
#include <stdio.h>

int main(void) {
  flockfile(stderr);
  funlockfile(stderr);
  funlockfile(stderr); // BUG
}
