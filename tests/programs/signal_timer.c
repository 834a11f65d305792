// SPDX-License-Identifier: MIT
// alarm and setitimer in virtual time: tests/cli/kernel.sh compares it with the kernel.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handle(int number) {
  handled = number;
}

int main(void) {
  const struct itimerval once = {{0, 0}, {0, 1000}}, bad = {{0, 0}, {0, 2000000}}, never = {{0, 0}, {0, 0}};
  struct itimerval old;
  assert(alarm(100) == 0 && alarm(200) == 100 && alarm(0) == 200 && alarm(0) == 0);
  signal(SIGALRM, handle);
  assert(setitimer(ITIMER_REAL, &bad, NULL) == -1 && errno == EINVAL);
  assert(setitimer((__itimer_which_t)77, &once, NULL) == -1 && errno == EINVAL);
  assert(setitimer(ITIMER_REAL, &once, NULL) == 0);
  while (!handled) assert(pause() == -1 && errno == EINTR);
  assert(handled == SIGALRM);
  assert(setitimer(ITIMER_REAL, &never, &old) == 0 && old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);
  return 0;
}
