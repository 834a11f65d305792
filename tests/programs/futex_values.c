// SPDX-License-Identifier: MIT
// What futex(2) returns, alone: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))

static uint32_t word = 1, other;
static const struct timespec soon = {0, 1000}, bad = {0, 2000000000}, past = {0, 0};

static long futex(uint32_t *address, int operation, uint32_t value, const void *time, uint32_t *second,
                  uint32_t third) {
  return syscall(SYS_futex, address, operation, value, time, second, third);
}

int main(void) {
  assert(FAILS(futex(&word, FUTEX_WAIT, 0, 0, 0, 0), EAGAIN));
  assert(FAILS(futex(&word, FUTEX_WAIT_PRIVATE, 0, &soon, 0, 0), EAGAIN));
  assert(FAILS(futex(&word, FUTEX_WAIT, 1, &soon, 0, 0), ETIMEDOUT));
  assert(FAILS(futex(&word, FUTEX_WAIT, 1, &bad, 0, 0), EINVAL));
  assert(FAILS(futex(&word, FUTEX_WAIT_BITSET, 1, &past, 0, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT));
  assert(FAILS(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &past, 0, 1), ETIMEDOUT));
  assert(FAILS(futex(&word, FUTEX_WAIT_BITSET, 1, &past, 0, 0), EINVAL));
  assert(FAILS(futex(&word, FUTEX_WAIT_BITSET, 0, &past, 0, 1), EAGAIN));
  assert(FAILS(futex((uint32_t *)((char *)&word + 1), FUTEX_WAIT, 1, 0, 0, 0), EINVAL));
  assert(FAILS(futex((uint32_t *)((char *)&word + 2), FUTEX_WAKE, 1, 0, 0, 0), EINVAL));
  assert(futex(&word, FUTEX_WAKE, 1, 0, 0, 0) == 0);
  assert(futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0) == 0);
  assert(futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, 4) == 0);
  assert(FAILS(futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, 0), EINVAL));
  assert(futex(&word, FUTEX_REQUEUE, 1, (void *)1, &other, 0) == 0);
  assert(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 1) == 0);
  assert(FAILS(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 2), EAGAIN));
  assert(FAILS(futex(&word, FUTEX_REQUEUE, (uint32_t)-1, (void *)1, &other, 0), EINVAL));
  return 0;
}
