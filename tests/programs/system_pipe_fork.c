// A pipe that exists when the program forks is the kernel's from then on, with what was in it.
// heddle: --max-runs 3
// expect: bugs=0 warnings=0
#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[8] = {0};
  assert(pipe(ends) == 0 && write(ends[1], "ab", 2) == 2);
  const pid_t child = fork();
  if (child == 0) {
    write(ends[1], "c", 1);
    _exit(0);
  }
  assert(waitpid(child, NULL, 0) == child);
  close(ends[1]);
  size_t total = 0;
  for (ssize_t count; (count = read(ends[0], text + total, sizeof text - total)) > 0;) total += (size_t)count;
  assert(strcmp(text, "abc") == 0);
}
