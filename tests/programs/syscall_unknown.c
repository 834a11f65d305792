// SPDX-License-Identifier: MIT
// A system call that heddle does not know is made, and the result is incomplete; one that changes nothing is just made.
// expect: exit=3 verdict=incomplete bugs=0 warning~"system call 309"
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *body(void *unused) {
  unsigned processor;
  assert(syscall(SYS_getpid) == getpid());
  assert(syscall(SYS_getcpu, &processor, 0, 0) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(syscall(SYS_gettid) == getpid());
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
  return 0;
}
