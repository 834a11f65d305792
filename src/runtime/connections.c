/* SPDX-License-Identifier: MIT
 *
 * Connections of sockets: how they come about, what poll says of a socket, and how its end is seen at the other one. A
 * connection is made when somebody connects, as the kernel makes it, and waits to be accepted.
 */
#include "ends.h"
#include "epolls.h"
#include "pipes.h"
#include "races.h"
#include "sockets.h"

#include <errno.h>
#include <poll.h>

/* ---- making ---- */

/* The kernel lets one more wait than was asked for. */
bool socket_has_room(const struct socket_state *listener) {
  return listener->n_waiting <= listener->backlog;
}

static struct pipe_state *make_direction(uint64_t number, const struct socket_state *socket) {
  struct pipe_state *pipe = pipe_new(number);
  if (!pipe) finish_at_limit("more than 128 pipes and directions of connections, or 1024 descriptors");
  pipe->capacity = SOCKET_BYTES;
  pipe->keeps_records = !socket_is_stream(socket);
  pipe->readers = pipe->writers = 1;
  return pipe;
}

static void enqueue(struct socket_state *listener, struct connection *connection) {
  connection->next = NULL;
  if (listener->last)
    listener->last->next = connection;
  else
    listener->first = connection;
  listener->last = connection;
  listener->n_waiting++;
  listener->object.version++;
  epoll_note_news_of(listener->end);
}

/* The address of a listener for all of them is the one that was asked for. */
static struct socket_name name_of_server(const struct socket_state *client, const struct socket_state *listener) {
  return listener->place.is_any || listener->family != client->family ? client->peer : listener->name;
}

void socket_connect_to(struct socket_state *client, struct socket_state *listener) {
  if (the_pipes->n_connections == MAX_SOCKETS) finish_at_limit("more than 256 connections of sockets");
  struct connection *connection = &the_pipes->connections[the_pipes->n_connections++];
  connection->to_client = make_direction(client->object.address, client);
  connection->to_server = make_direction(DESCRIPTOR_PEER | client->object.address, client);
  connection->client = client->name;
  connection->server = name_of_server(client, listener);
  client->end->input = connection->to_client;
  client->end->output = connection->to_server;
  client->phase = SOCKET_CONNECTED;
  client->object.version++;
  races_release(&listener->object);
  socket_make_reached(listener);
  enqueue(listener, connection);
  epoll_note_news_of(client->end);
}

/* First come, first served. */
static struct socket_state *first_that_connects(void) {
  struct socket_state *first = NULL;
  for (uint32_t i = 0; i < the_pipes->n_sockets; i++) {
    struct socket_state *socket = &the_pipes->sockets[i];
    if (socket->phase != SOCKET_CONNECTING || !socket->end) continue;
    if (socket->wanted->phase == SOCKET_LISTENS && !socket_has_room(socket->wanted)) continue;
    if (!first || socket->turn < first->turn) first = socket;
  }
  return first;
}

void sockets_complete_connecting(void) {
  for (struct socket_state *socket; (socket = first_that_connects());) {
    if (socket->wanted->phase == SOCKET_LISTENS) {
      socket_connect_to(socket, socket->wanted);
      continue;
    }
    socket->phase = SOCKET_FRESH;
    socket->error = ECONNREFUSED;
    epoll_note_news_of(socket->end);
  }
}

struct description *socket_accept(struct socket_state *listener, int number) {
  struct connection *connection = listener->first;
  listener->first = connection->next;
  if (!listener->first) listener->last = NULL;
  listener->n_waiting--;
  listener->object.version++;
  pipe_open_end(number, connection->to_server, connection->to_client, false);
  connection->to_server->readers--; /* who was there for the connection that nobody had accepted */
  connection->to_client->writers--;
  struct description *end = pipe_description(number);
  struct socket_state *socket = socket_new(end, number, listener->family, listener->type);
  socket->phase = SOCKET_CONNECTED;
  socket->is_told = true;
  socket->may_reuse = listener->may_reuse;
  socket->name = connection->server;
  socket->peer = connection->client;
  socket->place = listener->place;
  if (listener->family == AF_UNIX) socket->place.domain = 0; /* the name is the listener's alone */
  return end;
}

/* ---- waiting ---- */

static bool has_ended(const struct description *end) {
  return end->no_reading || end->input->writers == 0;
}

bool socket_can_read(const struct description *end) {
  const struct pipe_state *pipe = end->input;
  if (pipe->used > 0 || pipe->read_error) return true;
  return end->no_reading || (socket_is_connected_kind(end->socket) && pipe->writers == 0);
}

/* Its writer is told that nothing more can be written. */
static bool is_refused(const struct description *end) {
  return end->no_writing || end->output->readers == 0 || end->output->write_error;
}

bool socket_can_write(const struct description *end, uint64_t wanted) {
  return is_refused(end) || pipe_room(end->output) >= wanted;
}

bool socket_can_move(const struct thread *thread) {
  const struct socket_state *listener = (const struct socket_state *)thread->operation.object;
  if (listener->phase != SOCKET_LISTENS) return true;
  return thread->operation.kind == EVENT_SOCKET_ACCEPT ? listener->first != NULL : socket_has_room(listener);
}

/* ---- for poll ---- */

static short readiness_of_connected(const struct description *end) {
  const struct pipe_state *input = end->input, *output = end->output;
  const bool is_tcp = socket_is_tcp(end->socket), ended = has_ended(end);
  const bool is_broken = output->is_broken || output->write_error || input->read_error;
  const bool stopped = end->no_writing || (is_tcp ? is_broken : output->readers == 0);
  short ready = 0;
  if (input->used > 0 || ended || input->read_error) ready |= POLLIN | POLLRDNORM;
  if (ended || input->read_error) ready |= POLLRDHUP;
  if (stopped || pipe_room(output) >= ATOMIC_WRITE_BYTES) ready |= POLLOUT | POLLWRNORM;
  if ((ended || is_broken) && stopped) ready |= POLLHUP;
  if (input->read_error || output->write_error || (is_tcp && output->is_broken)) ready |= POLLERR;
  return ready;
}

static short readiness_of_unconnected(const struct socket_state *socket) {
  if (socket->phase == SOCKET_LISTENS) return socket->first ? POLLIN | POLLRDNORM : 0;
  if (socket->phase == SOCKET_CONNECTING)
    return socket->wanted->phase != SOCKET_LISTENS || socket_has_room(socket->wanted) ? POLLOUT | POLLWRNORM : 0;
  const short refused = socket->error ? POLLERR | POLLIN | POLLRDNORM | POLLRDHUP : 0;
  return POLLOUT | POLLWRNORM | POLLHUP | refused;
}

static short readiness_of_datagrams(const struct description *end) {
  short ready = POLLOUT | POLLWRNORM;
  if (end->input->used > 0 || end->no_reading || end->input->read_error) ready |= POLLIN | POLLRDNORM;
  if (end->no_reading) ready |= POLLRDHUP;
  if (end->no_reading && end->no_writing) ready |= POLLHUP;
  if (end->input->read_error) ready |= POLLERR;
  return ready;
}

short socket_readiness(const struct description *end) {
  if (!socket_is_connected_kind(end->socket)) return readiness_of_datagrams(end);
  return end->socket->phase == SOCKET_CONNECTED ? readiness_of_connected(end) : readiness_of_unconnected(end->socket);
}

/* ---- closing ---- */

/* Whoever is at the other end, and has not been accepted. */
static void reset(const struct connection *connection) {
  connection->to_client->writers = connection->to_server->readers = 0;
  connection->to_client->read_error = connection->to_server->write_error = ECONNRESET;
  connection->to_client->object.version++;
  connection->to_server->object.version++;
  epoll_note_news(connection->to_client, true);
  epoll_note_news(connection->to_server, false);
}

void socket_stop_listening(struct socket_state *socket) {
  if (socket->phase != SOCKET_LISTENS) return;
  for (const struct connection *connection = socket->first; connection; connection = connection->next) {
    reset(connection);
    if (socket->family == AF_UNIX) connection->to_server->write_error = 0; /* EPIPE at once */
  }
  socket->first = socket->last = NULL;
  socket->n_waiting = 0;
  socket->phase = SOCKET_FRESH;
  socket->object.version++;
}

/* Bytes that nobody has read, or a wish, make an end hard: the other one is told. */
static void end_connection(struct socket_state *socket) {
  const struct description *end = socket->end;
  if (socket->phase != SOCKET_CONNECTED || !end->input || !end->output) return;
  const bool is_hard = end->input->used > 0 || (socket->closes_hard && socket_is_tcp(socket));
  if (!is_hard || end->left_output) return;
  end->output->read_error = ECONNRESET;
  if (socket_is_tcp(socket)) end->input->write_error = ECONNRESET;
}

void socket_close(struct socket_state *socket) {
  end_connection(socket);
  socket_stop_listening(socket);
  if (socket->phase == SOCKET_CONNECTING) socket->phase = SOCKET_FRESH;
  pipe_stop_reading(socket->end);
  pipe_stop_writing(socket->end);
  socket->end = NULL;
  socket->object.version++;
}

/* ---- nobody can move ---- */

/* Somebody outside could find it: it has a name that no thread of the program has used in any run. */
static bool is_open_to_others(const struct description *end) {
  const struct socket_state *socket = end ? end->socket : NULL;
  if (!socket || !socket->is_public || (socket_is_connected_kind(socket) && socket->phase != SOCKET_LISTENS))
    return false;
  return !socket_is_reached(socket);
}

static bool polls_others(const struct thread *thread) {
  const struct pollfd *entries = thread->polled;
  for (uint64_t i = 0; i < thread->awaited; i++)
    if (is_open_to_others(pipe_description(entries[i].fd))) return true;
  return false;
}

static bool set_has_others(const struct epoll_state *epoll) {
  for (uint32_t i = 0; i < epoll->n_entries; i++)
    if (is_open_to_others(epoll->entries[i].description)) return true;
  return false;
}

static bool awaits_others(const struct thread *thread) {
  switch (thread->operation.kind) {
  case EVENT_SOCKET_ACCEPT: return is_open_to_others(((const struct socket_state *)thread->operation.object)->end);
  case EVENT_SOCKET_RECEIVE: return is_open_to_others(thread->polled);
  case EVENT_PIPE_POLL: return polls_others(thread);
  case EVENT_EPOLL_WAIT: return set_has_others(thread->polled);
  default: return false;
  }
}

const struct thread *socket_find_awaiting(void) {
  for (uint32_t i = 0; the_pipes->n_sockets && i <= rt->highest_thread; i++)
    if (rt->threads[i].state == AT_OPERATION && awaits_others(&rt->threads[i])) return &rt->threads[i];
  return NULL;
}
