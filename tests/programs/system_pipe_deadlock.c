// The reader waits forever: the write end is still open, in the reader itself.
// expect: exit=1 bug=deadlock line=BUG message~"waits for descriptor"
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
  char byte;
  while (read(ends[0], &byte, 1) == 1) { // BUG
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  pthread_create(&thread, NULL, reader, NULL);
  write(ends[1], "x", 1);
  pthread_join(thread, NULL);
}
