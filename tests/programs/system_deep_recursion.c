// Nearly the whole of a default stack is there for main and for a thread, and more when the attribute asks for more.
// heddle: --strategy random --max-runs 3
// expect: bugs=0 warnings=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { FRAME = 1024, MEGABYTE = 1 << 20 };

static int descend(size_t bytes) {
  volatile char frame[FRAME];
  frame[0] = frame[FRAME - 1] = 1;
  if (bytes < 2 * FRAME) return frame[0];
  return descend(bytes - FRAME - 200) + frame[FRAME - 1];
}

static void *body(void *bytes) {
  assert(descend((size_t)bytes) > 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  body((void *)(size_t)(7 * MEGABYTE));
  pthread_create(&thread, NULL, body, (void *)(size_t)(7 * MEGABYTE));
  pthread_join(thread, NULL);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 48 * MEGABYTE);
  pthread_create(&thread, &attributes, body, (void *)(size_t)(45 * MEGABYTE));
  pthread_join(thread, NULL);
}
