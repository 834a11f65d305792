// SPDX-License-Identifier: MIT
//
// main crashes before the other thread has reached an operation, in every run: nobody sees that they share `value`, and
// that the other one may fail as well. The result says that it is not complete.
//
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 bug=crash complete=false
#include <assert.h>
#include <pthread.h>

static int value;
static int *volatile nothing;

static void *writer(void *unused) {
  value = 1;
  assert(!"the other one may fail as well");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  if (value == 0) *nothing = 1;
  pthread_join(thread, NULL);
  return 0;
}
