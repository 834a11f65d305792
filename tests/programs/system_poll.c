// A poll over two pipes wakes when either has something; its time-out is a choice as long as neither has.
// expect: exit=0 verdict=clean complete=true
// observe: ready=0
// observe: ready=1
// observe: ready=2
// observe: ready=3
#include <assert.h>
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *writes_first(void *unused) {
  write(first[1], "x", 1);
  return NULL;
}

static void *writes_second(void *unused) {
  write(second[1], "x", 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pipe(first);
  pipe(second);
  pthread_create(&a, NULL, writes_first, NULL);
  pthread_create(&b, NULL, writes_second, NULL);
  struct pollfd entries[2] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
  const int count = poll(entries, 2, 1000);
  const int ready = (entries[0].revents ? 1 : 0) + (entries[1].revents ? 2 : 0);
  assert(count == (ready == 3 ? 2 : ready ? 1 : 0));
  heddle_observe("ready", ready);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(poll(entries, 2, -1) == 2);
}
