// What message queues answer, one thread only. A queue lives as long as the run.
// heddle: --strategy random --max-runs 3
// expect: bugs=0 warnings=0
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <time.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))

static const struct timespec past = {1, 0}, invalid = {1, -1};

static void opening(void) {
  struct mq_attr wrong = {.mq_maxmsg = 0, .mq_msgsize = 8}, large = {.mq_maxmsg = 10, .mq_msgsize = 1 << 20};
  char name[300];
  memset(name, 'x', sizeof name);
  name[0] = '/', name[299] = 0;
  assert(FAILS(mq_open("/q", O_RDWR), ENOENT));
  assert(FAILS(mq_open("q", O_RDWR | O_CREAT, 0600, NULL), EINVAL));
  assert(FAILS(mq_open(name, O_RDWR | O_CREAT, 0600, NULL), ENAMETOOLONG));
  assert(FAILS(mq_open("/q", O_RDWR | O_CREAT, 0600, &wrong), EINVAL));
  assert(FAILS(mq_open("/q", O_RDWR | O_CREAT, 0600, &large), EINVAL));
  const mqd_t queue = mq_open("/q", O_RDWR | O_CREAT | O_EXCL, 0600, NULL);
  assert(queue > 2);
  assert(FAILS(mq_open("/q", O_RDWR | O_CREAT | O_EXCL, 0600, NULL), EEXIST));
  struct mq_attr attributes;
  assert(mq_getattr(queue, &attributes) == 0);
  assert(attributes.mq_maxmsg == 10 && attributes.mq_msgsize == 8192 && attributes.mq_curmsgs == 0);
  const mqd_t reader = mq_open("/q", O_RDONLY), writer = mq_open("/q", O_WRONLY);
  char bytes[8192];
  assert(FAILS(mq_send(reader, "x", 1, 0), EBADF));
  assert(FAILS(mq_receive(writer, bytes, sizeof bytes, NULL), EBADF));
  assert(mq_send(writer, "x", 1, 0) == 0 && mq_receive(reader, bytes, sizeof bytes, NULL) == 1);
  assert(mq_unlink("/q") == 0 && FAILS(mq_unlink("/q"), ENOENT) && FAILS(mq_open("/q", O_RDWR), ENOENT));
  assert(mq_send(writer, "x", 1, 0) == 0);
  assert(mq_close(writer) == 0 && mq_close(reader) == 0 && mq_close(queue) == 0);
  assert(FAILS(mq_close(queue), EBADF) && FAILS(mq_getattr(queue, &attributes), EBADF));
  assert(FAILS(mq_notify(queue, NULL), EBADF));
}

static void messages(void) {
  struct mq_attr attributes = {.mq_maxmsg = 3, .mq_msgsize = 4}, old;
  char bytes[4];
  unsigned priority;
  const mqd_t queue = mq_open("/p", O_RDWR | O_CREAT, 0600, &attributes);
  assert(FAILS(mq_send(queue, "12345", 5, 0), EMSGSIZE));
  assert(FAILS(mq_send(queue, "1", 1, 32768), EINVAL));
  assert(mq_send(queue, "low", 3, 1) == 0 && mq_send(queue, "high", 4, 7) == 0 && mq_send(queue, "2", 1, 7) == 0);
  assert(FAILS(mq_timedsend(queue, "x", 1, 0, &past), ETIMEDOUT));
  assert(FAILS(mq_timedsend(queue, "x", 1, 0, &invalid), EINVAL));
  assert(FAILS(mq_receive(queue, bytes, 3, NULL), EMSGSIZE));
  assert(mq_receive(queue, bytes, 4, &priority) == 4 && priority == 7 && memcmp(bytes, "high", 4) == 0);
  assert(mq_timedreceive(queue, bytes, 4, &priority, &past) == 1 && bytes[0] == '2');
  assert(mq_receive(queue, bytes, 4, &priority) == 3 && priority == 1);
  assert(FAILS(mq_timedreceive(queue, bytes, 4, NULL, &past), ETIMEDOUT));
  assert(FAILS(mq_timedreceive(queue, bytes, 4, NULL, &invalid), EINVAL));
  attributes.mq_flags = O_NONBLOCK;
  assert(mq_setattr(queue, &attributes, &old) == 0 && old.mq_flags == 0);
  assert(mq_getattr(queue, &old) == 0 && old.mq_flags == O_NONBLOCK);
  assert(FAILS(mq_receive(queue, bytes, 4, NULL), EAGAIN));
  for (int i = 0; i < 3; i++) assert(mq_send(queue, "x", 1, 0) == 0);
  assert(FAILS(mq_send(queue, "x", 1, 0), EAGAIN));
  attributes.mq_flags = 1;
  assert(FAILS(mq_setattr(queue, &attributes, NULL), EINVAL));
}

int main(void) {
  opening();
  messages();
}
