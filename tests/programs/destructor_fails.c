// What a destructor finds is found.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

static int x;

static void *set(void *unused) {
  x = 1;
  return unused;
}

__attribute__((destructor)) static void check(void) {
  assert(x == 1); // BUG
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  pthread_detach(thread);
  return 0;
}
