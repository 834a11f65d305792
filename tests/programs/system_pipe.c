// Bytes go through a pipe in order; a reader waits for them and sees the end when the last writer is gone.
// expect: exit=0 runs=4 verdict=clean complete=true
// observe: text=2 total=3
// observe: text=3 total=3
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
  assert(write(ends[1], "ab", 2) == 2);
  assert(write(ends[1], "c", 1) == 1);
  assert(close(ends[1]) == 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  char text[8] = {0};
  assert(pipe(ends) == 0 && ends[0] > 2 && ends[1] > ends[0]);
  pthread_create(&thread, NULL, writer, NULL);
  ssize_t total = 0, first = 0;
  for (ssize_t count; (count = read(ends[0], text + total, sizeof text - (size_t)total)) > 0; total += count)
    if (!first) first = count;
  assert(strcmp(text, "abc") == 0);
  heddle_observe("text", first);
  heddle_observe("total", total);
  pthread_join(thread, NULL);
}
