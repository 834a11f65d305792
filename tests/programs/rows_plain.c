// SPDX-License-Identifier: MIT
// Functions that are called as they are: results of libc, and no note about them in the summary.
// heddle: -lm
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile double two = 2, zero = 0;
static volatile int minus_five = -5, letter = 'a';

static void *check(void *unused) {
  assert(abs(minus_five) == 5 && labs(minus_five) == 5 && llabs(minus_five) == 5);
  assert(toupper(letter) == 'A' && tolower('A') == letter);
  assert(isalpha(letter) && !isdigit(letter) && !isspace(letter) && !isupper(letter));
  assert(getpid() > 1 && sysconf(_SC_PAGESIZE) == 4096);
  assert(sysconf(-1) == -1 && errno == EINVAL);
  assert(getenv("PATH") && !getenv("NO_SUCH_VARIABLE"));
  assert(sin(zero) == 0 && cos(zero) == 1 && tan(zero) == 0 && exp(zero) == 1 && log(exp(zero)) == 0);
  assert(pow(two, 3) == 8 && sqrt(two * two) == 2 && floor(two + 0.5) == 2 && ceil(two + 0.5) == 3 && fabs(-two) == 2);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, check, NULL);
  pthread_join(thread, NULL);
  check(NULL);
  return 0;
}
