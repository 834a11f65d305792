// Threads that wait to receive from a queue, to read a pipe and to poll one are cancelled there.
// expect: exit=0 verdict=clean complete=true
// observe: cancelled=3
#include <assert.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static mqd_t queue;
static int ends[2];

static void *receives(void *unused) {
  char bytes[8192];
  mq_receive(queue, bytes, sizeof bytes, NULL);
  return NULL;
}

static void *reads(void *unused) {
  char byte;
  read(ends[0], &byte, 1);
  return NULL;
}

static void *polls(void *unused) {
  struct pollfd entry = {ends[0], POLLIN, 0};
  poll(&entry, 1, -1);
  return NULL;
}

static int cancel(void *(*body)(void *)) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, body, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

int main(void) {
  queue = mq_open("/heddle-test", O_RDWR | O_CREAT, 0600, NULL);
  pipe(ends);
  heddle_observe("cancelled", cancel(receives) + cancel(reads) + cancel(polls));
}
