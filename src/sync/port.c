/* SPDX-License-Identifier: MIT
 *
 * Ports and selective waits. A port is a list of messages in the order of their arrival; arrivals are numbered over all
 * ports, and a selective wait takes the message that arrived first among those in its open ports.
 *
 * A receiver that finds nothing leaves its `struct receiver` in each of its ports and waits for a sender to say that
 * something came. The mutex of a port is taken before that of a receiver, never the other way round.
 */
#include "sync/internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct message {
  long value;
  unsigned long arrival;
  struct message *next;
  struct queue *sender; /* of a synchronous send: waits there */
};

struct receiver {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool something_came;
};

struct STATE state {
  pthread_mutex_t mutex;
  struct message *first, *last;
  struct receiver *receiver; /* waits */
  struct queue senders;      /* that wait for a place */
  unsigned length;
  bool has_owner;
  pthread_t owner; /* who receives */
};
_Static_assert(sizeof(struct state) <= sizeof(((heddle_port *)0)->heddle_state), "a port's state fits");

static atomic_ulong arrivals; /* only to tell which came first: no other memory depends on it */

static struct state *state_of(heddle_port *port) {
  if (port->heddle_kind != HEDDLE_KIND_PORT && port->heddle_kind != HEDDLE_KIND_BOUNDED_PORT &&
      port->heddle_kind != HEDDLE_KIND_SYNCHRONOUS_PORT)
    misuse("use of a port that is not initialised");
  return (struct state *)port->heddle_state;
}

void heddle_port_init(heddle_port *port) {
  *port = (heddle_port)HEDDLE_PORT;
}

void heddle_port_init_bounded(heddle_port *port, unsigned capacity) {
  if (capacity == 0) misuse("a bounded port without room for a message");
  *port = (heddle_port)HEDDLE_BOUNDED_PORT(capacity);
}

void heddle_port_init_synchronous(heddle_port *port) {
  *port = (heddle_port)HEDDLE_SYNCHRONOUS_PORT;
}

void heddle_port_destroy(heddle_port *port) {
  struct state *state = state_of(port);
  pthread_mutex_lock(&state->mutex);
  const bool somebody_sends = state->senders.length || (state->first && state->first->sender);
  if (state->receiver || somebody_sends) misuse("destroy of a port while threads wait at it");
  for (struct message *message = state->first, *next; message; message = next) {
    next = message->next;
    free(message);
  }
  pthread_mutex_unlock(&state->mutex);
  pthread_mutex_destroy(&state->mutex);
  port->heddle_kind = DESTROYED;
}

/* ---- sending ---- */

static void tell(struct receiver *receiver) {
  pthread_mutex_lock(&receiver->mutex);
  receiver->something_came = true;
  pthread_cond_signal(&receiver->changed);
  pthread_mutex_unlock(&receiver->mutex);
}

static void put(struct state *state, struct message *message) {
  message->arrival = atomic_fetch_add_explicit(&arrivals, 1, memory_order_relaxed);
  if (state->last)
    state->last->next = message;
  else
    state->first = message;
  state->last = message;
  state->length++;
  if (state->receiver) tell(state->receiver);
}

static void send_synchronously(struct state *state, long value) {
  struct queue self = {0};
  struct message message = {.value = value, .sender = &self};
  put(state, &message);
  queue_wait(&self, &state->mutex);
}

/* A sender that waits for a place gets it from the receiver, already counted as taken. */
static void get_place(struct state *state, unsigned capacity) {
  if (capacity == 0) misuse("a bounded port without room for a message");
  if (state->length < capacity) return;
  queue_wait(&state->senders, &state->mutex);
  state->length--;
}

void heddle_send(heddle_port *port, long value) {
  struct state *state = state_of(port);
  struct message *message = NULL;
  if (port->heddle_kind != HEDDLE_KIND_SYNCHRONOUS_PORT) {
    message = malloc(sizeof *message);
    if (!message) misuse("no memory for a message");
    *message = (struct message){.value = value};
  }
  pthread_mutex_lock(&state->mutex);
  if (port->heddle_kind == HEDDLE_KIND_BOUNDED_PORT) get_place(state, port->heddle_capacity);
  if (message)
    put(state, message);
  else
    send_synchronously(state, value);
  pthread_mutex_unlock(&state->mutex);
}

/* ---- receiving ---- */

static void claim(struct state *state) {
  if (state->has_owner && !pthread_equal(state->owner, pthread_self()))
    misuse("receive from a port that another thread receives from");
  state->has_owner = true;
  state->owner = pthread_self();
}

/* Only its receiver takes messages out of a port: one that it has seen there stays. */
static long take(struct state *state) {
  pthread_mutex_lock(&state->mutex);
  struct message *message = state->first;
  const long value = message->value;
  struct queue *sender = message->sender;
  state->first = message->next;
  if (!state->first) state->last = NULL;
  if (!queue_let_go(&state->senders)) state->length--;
  if (sender)
    queue_let_go(sender);
  else
    free(message);
  pthread_mutex_unlock(&state->mutex);
  return value;
}

/* Says what is there to a receiver, and leaves it in the port, or with NULL takes it away. */
static bool look(struct state *state, struct receiver *receiver, unsigned long *arrival) {
  pthread_mutex_lock(&state->mutex);
  claim(state);
  state->receiver = receiver;
  const bool is_there = state->first;
  if (is_there) *arrival = state->first->arrival;
  pthread_mutex_unlock(&state->mutex);
  return is_there;
}

/* The alternatives of a selective wait, and which of them are open. */
struct selection {
  const heddle_alternative *alternatives;
  int count;
  bool *open;
};

/* The open alternative whose message came first, -1 none. */
static int find_first(const struct selection *selection, struct receiver *receiver) {
  unsigned long first = 0, arrival = 0;
  int found = -1;
  for (int i = 0; i < selection->count; i++) {
    if (!selection->open[i] || !look(state_of(selection->alternatives[i].port), receiver, &arrival)) continue;
    if (found < 0 || arrival - first > ~0ul / 2) {
      found = i;
      first = arrival;
    }
  }
  return found;
}

/* False: the time is over. */
static bool wait_for_something(struct receiver *receiver, const struct timespec *end) {
  int result = 0;
  pthread_mutex_lock(&receiver->mutex);
  while (!receiver->something_came && result != ETIMEDOUT)
    result = end ? pthread_cond_timedwait(&receiver->changed, &receiver->mutex, end)
                 : pthread_cond_wait(&receiver->changed, &receiver->mutex);
  const bool came = receiver->something_came;
  receiver->something_came = false;
  pthread_mutex_unlock(&receiver->mutex);
  return came;
}

static void begin_receiver(struct receiver *receiver) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&receiver->mutex, NULL);
  pthread_cond_init(&receiver->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  receiver->something_came = false;
}

static int find_and_wait(const struct selection *selection, const struct timespec *end) {
  struct receiver receiver;
  begin_receiver(&receiver);
  int found = find_first(selection, &receiver);
  while (found < 0 && wait_for_something(&receiver, end)) found = find_first(selection, &receiver);
  const int left = find_first(selection, NULL);
  pthread_cond_destroy(&receiver.changed);
  pthread_mutex_destroy(&receiver.mutex);
  return found < 0 ? left : found;
}

static int count_open(const struct selection *selection) {
  int n_open = 0;
  for (int i = 0; i < selection->count; i++) {
    const heddle_alternative *alternative = &selection->alternatives[i];
    for (int k = 0; k < i; k++)
      if (selection->alternatives[k].port == alternative->port)
        misuse("a selective wait with two alternatives for one port");
    selection->open[i] = !alternative->guard || alternative->guard(alternative->argument);
    n_open += selection->open[i];
  }
  return n_open;
}

static int take_first(const struct selection *selection, int found, long *message) {
  if (found >= 0) *message = take(state_of(selection->alternatives[found].port));
  return found;
}

int heddle_select(const heddle_alternative *alternatives, int count, long *message) {
  bool open[count > 0 ? count : 1];
  const struct selection selection = {alternatives, count, open};
  if (count_open(&selection) == 0) misuse("a selective wait without an open alternative");
  return take_first(&selection, find_and_wait(&selection, NULL), message);
}

int heddle_select_else(const heddle_alternative *alternatives, int count, long *message) {
  bool open[count > 0 ? count : 1];
  const struct selection selection = {alternatives, count, open};
  count_open(&selection);
  return take_first(&selection, find_first(&selection, NULL), message);
}

int heddle_select_delay(const heddle_alternative *alternatives, int count, long *message,
                        unsigned long long nanoseconds) {
  bool open[count > 0 ? count : 1];
  const struct selection selection = {alternatives, count, open};
  struct timespec end;
  count_open(&selection);
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += (time_t)(nanoseconds / 1000000000u);
  end.tv_nsec += (long)(nanoseconds % 1000000000u);
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec++;
    end.tv_nsec -= 1000000000;
  }
  return take_first(&selection, find_and_wait(&selection, &end), message);
}

long heddle_receive(heddle_port *port) {
  const heddle_alternative alternative = {port, NULL, NULL};
  long message;
  heddle_select(&alternative, 1, &message);
  return message;
}

long heddle_receive_unordered(heddle_port *port, const char *label) {
  (void)label;
  return heddle_receive(port);
}
