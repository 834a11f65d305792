// SPDX-License-Identifier: MIT
// heddle: --strategy pct --depth 3 --max-runs 10000
// A bug that needs two ordering constraints.
// expect: exit=1 bug=assertion line=BUG strategy=pct
#include <assert.h>
#include <pthread.h>

int stage;

static void *left(void *unused) {
  if (stage == 1) stage = 2;
  return NULL;
}

static void *right(void *unused) {
  stage = 1;
  assert(stage != 2); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
