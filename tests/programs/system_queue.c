// Two threads send to a queue of one message, the third receives both: either order.
// expect: exit=0 verdict=clean complete=true
// observe: first=1 second=2
// observe: first=2 second=1
#include <assert.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t queue;

static void *sender(void *text) {
  assert(mq_send(queue, text, 1, 0) == 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  char first, second;
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
  queue = mq_open("/heddle-test", O_RDWR | O_CREAT, 0600, &attributes);
  assert(queue >= 0);
  pthread_create(&a, NULL, sender, "1");
  pthread_create(&b, NULL, sender, "2");
  assert(mq_receive(queue, &first, 1, NULL) == 1);
  assert(mq_receive(queue, &second, 1, NULL) == 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("first", first - '0');
  heddle_observe("second", second - '0');
}
