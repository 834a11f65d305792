// SPDX-License-Identifier: MIT
// What cannot be taken back inside one process: runs then have a process each, and begin as if nothing had happened.
// expect: exit=0 verdict=clean runs=2 observations=1
// observe: directory_is_root=0 output_is_open=1 readable=1
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char page[8192] __attribute__((aligned(4096)));
static atomic_int order;

static void *worker(void *unused) {
  order++;
  return NULL;
}

static int is_root(void) {
  char path[4096];
  return strcmp(getcwd(path, sizeof path), "/") == 0;
}

int main(void) {
  heddle_observe("directory_is_root", is_root());
  heddle_observe("output_is_open", fcntl(1, F_GETFD) >= 0);
  heddle_observe("readable", page[0] == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);

  assert(chdir("/nonexistent") == -1 && errno == ENOENT);
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  assert(chdir("/") == 0 && is_root() && fchdir(here) == 0 && !is_root() && chdir("/") == 0);
  assert(fchdir(-1) == -1 && errno == EBADF);
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory[0] = 'm';
  memory = mremap(memory, 4096, 65536, MREMAP_MAYMOVE);
  assert(memory != MAP_FAILED && memory[0] == 'm' && mremap(memory + 1, 1, 1, 0) == MAP_FAILED && errno == EINVAL);
  assert(dup2(-1, 5) == -1 && errno == EBADF);
  assert(dup2(1, 50) == 50);
  page[0] = 1;
  assert(mprotect(page, 4096, PROT_READ) == 0);
  assert(mprotect(page + 1, 4096, PROT_READ) == -1 && errno == EINVAL);
  FILE *shell = popen("echo words", "r");
  char line[16];
  assert(shell && fgets(line, sizeof line, shell) && strcmp(line, "words\n") == 0 && pclose(shell) == 0);
  assert(!popen("true", "nonsense") && errno == EINVAL);
  assert(freopen("/dev/null", "w", stdout) == stdout);
  assert(!freopen("/nonexistent/file", "r", stdin));
  assert(close(1) == 0);
  return 0;
}
