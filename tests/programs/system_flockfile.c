// The lock of a stream is recursive and keeps other threads out; ftrylockfile does not wait.
// expect: exit=0 verdict=clean complete=true
// observe: busy=0 inside=1
// observe: busy=1 inside=1
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>

static int inside, most, busy;

static void enter(void) {
  if (++inside > most) most = inside;
  inside--;
}

static void *waits(void *unused) {
  flockfile(stdout);
  flockfile(stdout);
  enter();
  funlockfile(stdout);
  enter();
  funlockfile(stdout);
  return NULL;
}

static void *tries(void *unused) {
  if (ftrylockfile(stdout) != 0) {
    busy = 1;
    return NULL;
  }
  enter();
  funlockfile(stdout);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, tries, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("inside", most);
  heddle_observe("busy", busy);
}
