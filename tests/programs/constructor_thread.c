// A thread that a constructor creates is a thread of the run: its schedules are explored.
// expect: exit=0 verdict=clean complete=true runs=model threads=2
// model: read x; write x | read x; write x
// observe: x=1
// observe: x=2
#include <heddle.h>
#include <pthread.h>

static pthread_t thread;
static int x;

static void *add(void *unused) {
  int seen = x;
  x = seen + 1;
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  pthread_create(&thread, NULL, add, NULL);
}

int main(void) {
  add(NULL);
  pthread_join(thread, NULL);
  heddle_observe("x", x);
  return 0;
}
