// SPDX-License-Identifier: MIT
// What posix_spawn, system, popen and pclose return, natively and under heddle.
// expect: exit=0 verdict=clean runs=1 bugs=0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void spawn(void) {
  char *const words[] = {"sh", "-c", "exit 9", NULL};
  pid_t child;
  int status;
  assert(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 9);
  assert(posix_spawnp(&child, "sh", NULL, NULL, words, environ) == 0);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 9);
  assert(posix_spawn(&child, "/nonexistent", NULL, NULL, words, environ) == ENOENT);
  assert(wait(NULL) == -1 && errno == ECHILD);
}

static void execute(void) {
  int status;
  for (int way = 0; way < 7; way++) {
    char *const words[] = {"sh", "-c", "exit 5", NULL};
    const pid_t child = fork();
    if (child == 0) {
      if (way == 0) execv("/bin/sh", words);
      if (way == 1) execvp("sh", words);
      if (way == 2) execve("/bin/sh", words, environ);
      if (way == 3) execvpe("sh", words, environ);
      if (way == 4) execl("/bin/sh", "sh", "-c", "exit 5", NULL);
      if (way == 5) execlp("sh", "sh", "-c", "exit 5", NULL);
      if (way == 6) execle("/bin/sh", "sh", "-c", "exit 5", NULL, environ);
      _exit(1);
    }
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
  }
  const pid_t child = fork();
  if (child == 0) {
    char *const words[] = {"sh", "-c", "exit 5", NULL};
    fexecve(open("/bin/sh", O_RDONLY), words, environ);
    _exit(1);
  }
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

static void shell(void) {
  assert(system(NULL) != 0);
  int status = system("exit 3");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  status = system("kill -9 $$");
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  assert(system("yes | head -c 1000000") == 0); /* much output */
  status = system("/nonexistent/command 2> /dev/null");
  assert(WEXITSTATUS(status) == 127);
  assert(wait(NULL) == -1 && errno == ECHILD);
}

static void streams(void) {
  char line[64];
  FILE *stream = popen("echo one; echo two; exit 4", "r");
  assert(stream && fgets(line, sizeof line, stream) && strcmp(line, "one\n") == 0);
  assert(fgets(line, sizeof line, stream) && strcmp(line, "two\n") == 0);
  assert(!fgets(line, sizeof line, stream) && feof(stream));
  int status = pclose(stream);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 4);

  stream = popen("read a; read b; test \"$a$b\" = onetwo", "w");
  assert(stream && fputs("one\ntwo\n", stream) >= 0);
  assert(pclose(stream) == 0);

  stream = popen("head -c 300000 /dev/zero", "re");
  size_t total = 0;
  for (size_t count; (count = fread(line, 1, sizeof line, stream)) > 0;) total += count;
  assert(total == 300000 && pclose(stream) == 0);

  stream = popen("yes", "r");
  assert(fgets(line, sizeof line, stream) && strcmp(line, "y\n") == 0);
  status = pclose(stream);
  assert(status != 0);

  assert(!popen("true", "nonsense") && errno == EINVAL);
}

int main(void) {
  spawn();
  execute();
  shell();
  streams();
  return 0;
}
