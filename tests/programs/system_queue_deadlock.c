// The receiver waits for more messages than are sent; a relative that gives up after a time does not wait forever.
// expect: exit=1 bug=deadlock line=BUG message~"waits for descriptor"
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t queue;

static void *receiver(void *unused) {
  char byte;
  const struct timespec soon = {1, 0};
  mq_receive(queue, &byte, 1, NULL);
  mq_timedreceive(queue, &byte, 1, NULL, &soon);
  mq_receive(queue, &byte, 1, NULL); // BUG
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 1};
  queue = mq_open("/heddle-test", O_RDWR | O_CREAT, 0600, &attributes);
  pthread_create(&thread, NULL, receiver, NULL);
  mq_send(queue, "x", 1, 0);
  pthread_join(thread, NULL);
}
