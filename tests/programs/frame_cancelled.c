// SPDX-License-Identifier: MIT
// A thread that is cancelled leaves its functions too. The cleanup handler belongs to one that is still alive then.
// expect: exit=1 bug=memory line=BUG
#include <pthread.h>
#include <unistd.h>

static int *address, handled;

static void handler(void *argument) {
  handled = *(int *)argument;
}

static __attribute__((noinline)) void waits(void) {
  int number = 1;
  address = &number;
  pause();
}

static void *lender(void *unused) {
  int kept = 2;
  pthread_cleanup_push(handler, &kept);
  waits();
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, lender, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  if (address) *address = 3; /* BUG */
  return handled - 2;
}
