// SPDX-License-Identifier: MIT
// A location shared only in some schedules is learned during the exploration; the bug that depends on it is found.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

int turn, hidden;

static void *left(void *unused) {
  if (turn == 1) hidden = 1;
  if (turn == 2) hidden = 2;
  return NULL;
}

static void *right(void *unused) {
  turn = 1;
  turn = 2;
  if (turn == 2) {
    const int before = hidden;
    const int after = hidden;
    assert(before == after); /* BUG */
  }
  turn = 0;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
