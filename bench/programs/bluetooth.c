/* SPDX-License-Identifier: MIT
 *
 * The Bluetooth driver of the KISS paper (Qadeer and Wu), with two inputs: one thread stops the driver while another
 * one serves a request. A request counts as pending input or output; the driver has stopped when nothing is pending.
 * Whether the driver is stopping is looked at before a request is counted, and not again: in between, the driver can
 * stop.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

enum { REQUEST_READ, REQUEST_WRITE, REQUEST_CONTROL };
enum { MOST = 64 };

static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1;
static int stopping, stop_event, stopped, status;

static int add_pending(int change) {
  pthread_mutex_lock(&counter_lock);
  pending += change;
  const int now = pending;
  pthread_mutex_unlock(&counter_lock);
  return now;
}

static int begin_request(void) {
  if (stopping) return -1;
  add_pending(1);
  return 0;
}

static void end_request(void) {
  if (add_pending(-1) == 0) stop_event = 1;
}

static int serve(int request, int length) {
  if (length < 0) return -1;
  if (request == REQUEST_READ) return length > MOST ? MOST : length;
  if (request == REQUEST_WRITE) return length > MOST ? -1 : length;
  return request == REQUEST_CONTROL ? 0 : -1;
}

static void *add(void *unused) {
  const int request = heddle_input_int("request");
  const int length = heddle_input_int("length");
  if (begin_request() == 0) {
    if (serve(request, length) < 0) status = -1;
    assert(!stopped);
  }
  end_request();
  return unused;
}

static void *stop(void *unused) {
  stopping = 1;
  end_request();
  if (stop_event) stopped = 1;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, add, NULL);
  pthread_create(&threads[1], NULL, stop, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
