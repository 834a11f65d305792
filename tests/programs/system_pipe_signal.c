// Writing to a pipe that nobody can read kills the process by SIGPIPE, in one of the two orders.
// heddle: --keep-going
// expect: exit=1 bugs=1 bug=crash line=BUG message~signal
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
  close(ends[0]);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  pthread_create(&thread, NULL, reader, NULL);
  write(ends[1], "x", 1); // BUG
  pthread_join(thread, NULL);
}
