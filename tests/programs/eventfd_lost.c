// SPDX-License-Identifier: MIT
// Two writes, one read that takes both: the second reader waits for ever. And without waiting: EAGAIN.
// heddle: --strategy optimal
// expect: exit=1 bug=deadlock line=BUG
// replay: waits for descriptor
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int counter;

static void *reader(void *unused) {
  eventfd_t value;
  eventfd_read(counter, &value); // BUG
  return unused;
}

int main(void) {
  pthread_t threads[2];
  eventfd_t value;
  const int empty = eventfd(0, EFD_NONBLOCK);
  assert(eventfd_read(empty, &value) == -1 && errno == EAGAIN);
  counter = eventfd(0, 0);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) eventfd_write(counter, 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
