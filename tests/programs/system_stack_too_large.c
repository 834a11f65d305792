// A stack larger than heddle can give is refused with a warning: the thread gets what there is.
// expect: exit=0 verdict=clean warning~"64 MB"
#include <assert.h>
#include <pthread.h>

static void *body(void *unused) {
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1ul << 30);
  assert(pthread_create(&thread, &attributes, body, NULL) == 0);
  pthread_join(thread, NULL);
}
