// SPDX-License-Identifier: MIT
// Memory that a child shares with the program is not followed; the place is where it was mapped.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"memory that a child process shares"
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); // HERE
  if (fork() == 0) _exit(*both = 1);
  wait(NULL);
  assert(*both == 2);
  return 0;
}
