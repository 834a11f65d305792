// SPDX-License-Identifier: MIT
// A timer that is a descriptor stays heddle's when the program starts another, which does not get it.
// expect: exit=0 verdict=clean bugs=0
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void) {
  const int number = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const struct itimerspec soon = {.it_value.tv_sec = 1};
  uint64_t times;
  assert(timerfd_settime(number, 0, &soon, NULL) == 0);
  assert(system("true") == 0);
  assert(read(number, &times, sizeof times) == sizeof times && times == 1);
  return 0;
}
