// SPDX-License-Identifier: MIT
// As child_changes_file.c, in a child that stays the program.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"or changes one: made-by-child"
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status;
  const pid_t child = fork(); // HERE
  if (child == 0) _exit(open("made-by-child", O_CREAT | O_WRONLY, 0600) < 0);
  assert(waitpid(child, &status, 0) == child && status == 1);
  return 0;
}
