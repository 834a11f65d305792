// SPDX-License-Identifier: MIT
// A thread fails, in few orders that learning does not meet, while the other one still continues: the failure is
// repeated and reported, although its repetition ends with it and has fewer steps.
// heddle: --strategy reachability
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

static int count;

static void *check(void *unused) {
  const int a = count, b = count, c = count;
  assert(!(a == 1 && b == 2 && c == 3)); // BUG
  return NULL;
}

static void *go_on(void *unused) {
  for (int i = 1; i <= 6; i++) count = i;
  return NULL;
}

int main(void) {
  pthread_t checker, other;
  pthread_create(&checker, NULL, check, NULL);
  pthread_create(&other, NULL, go_on, NULL);
  pthread_join(checker, NULL);
  pthread_join(other, NULL);
  return 0;
}
