// SPDX-License-Identifier: MIT
// mq_notify starts a thread when a message comes to the empty queue, once; nobody else may ask meanwhile.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true warnings=0
// observe: got=1
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t told;

static void notice(union sigval value) {
  char byte[8192];
  const ssize_t size = mq_receive(*(mqd_t *)value.sival_ptr, byte, sizeof byte, NULL);
  heddle_observe("got", size);
  sem_post(&told);
}

int main(void) {
  mqd_t queue = mq_open("/notify", O_RDWR | O_CREAT, 0600, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = &queue};
  event.sigev_notify_function = notice;
  sem_init(&told, 0, 0);
  assert(mq_notify(queue, &event) == 0 && mq_notify(queue, &event) == -1 && errno == EBUSY);
  assert(mq_notify(queue, NULL) == 0 && mq_notify(queue, &event) == 0);
  assert(mq_send(queue, "x", 1, 0) == 0);
  sem_wait(&told);
  assert(mq_notify(queue, &event) == 0);
  return 0;
}
