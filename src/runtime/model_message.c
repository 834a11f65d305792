/* SPDX-License-Identifier: MIT
 *
 * Sending and receiving through sockets (sockets.h). A stream is model_pipe.c's. What keeps its boundaries, datagrams
 * and sequenced packets, is a queue of records here. Datagrams over loopback are not lost: where the kernel would drop
 * one for want of room, the run stops at a limit.
 */
#include "ends.h"
#include "files.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "terms.h"
#include "unfollowed.h"

#include <poll.h>
#include <signal.h>
#include <sys/uio.h>

#define LARGEST_UDP 65507u
#define LARGEST_LOCAL (SOCKET_BYTES - 2048u)

/* ---- receiving records ---- */

static void record_message(uint8_t kind, struct pipe_state *queue, site_id site, uint64_t size) {
  spin_end(self());
  queue->object.version++;
  epoll_note_news(queue, kind == EVENT_SOCKET_SEND);
  record_object(kind, &queue->object, site, size);
}

static ssize_t receive_nothing(const struct description *end, site_id site) {
  struct pipe_state *queue = end->input;
  const int error = queue->read_error;
  const bool has_ended = end->no_reading || (socket_is_connected_kind(end->socket) && queue->writers == 0);
  queue->read_error = 0;
  record_object(EVENT_SOCKET_RECEIVE, &queue->object, site, 0);
  if (error) return model_fail(error);
  races_acquire(&queue->object);
  return has_ended ? 0 : model_fail(EAGAIN);
}

/* What does not fit is lost. */
static ssize_t take_record(const struct description *end, void *buffer, size_t size, int flags,
                           struct socket_name *from, bool *was_cut, site_id site) {
  struct pipe_state *queue = end->input;
  struct record record;
  pipe_copy_out(queue, 0, &record, sizeof record);
  const uint32_t count = size < record.size_bytes ? (uint32_t)size : record.size_bytes;
  char *bytes = (char *)HELD_ADDRESS + self()->id * HELD_BYTES;
  pipe_copy_out(queue, sizeof record, bytes, count);
  if (!(flags & MSG_PEEK)) {
    pipe_skip(queue, (uint32_t)sizeof record + record.size_bytes);
    queue->n_records--;
  }
  record_message(EVENT_SOCKET_RECEIVE, queue, site, count);
  races_acquire(&queue->object);
  if (buffer != bytes) model_store(buffer, bytes, count, site);
  if (from) *from = record.from;
  if (was_cut) *was_cut = count < record.size_bytes;
  return flags & MSG_TRUNC ? record.size_bytes : count;
}

static ssize_t receive_record(const struct description *end, void *buffer, size_t size, int flags,
                              struct socket_name *from, bool *was_cut, site_id site, char *frame) {
  const struct turn turn = {.end = end,
                            .waits = !end->nonblocking && !(flags & MSG_DONTWAIT),
                            .timeout = end->socket->receive_timeout,
                            .site = site,
                            .frame = frame};
  if (!pipe_take_turn(EVENT_SOCKET_RECEIVE, &end->input->object, &turn)) return model_fail(EINTR);
  if (end->input->used == 0) return receive_nothing(end, site);
  return take_record(end, buffer, size, flags, from, was_cut, site);
}

ssize_t message_receive(struct description *end, void *buffer, size_t size, int flags, struct socket_name *from,
                        bool *was_cut, char *frame) {
  const site_id site = take_site();
  if (socket_is_connected_kind(end->socket) && !socket_begin_to_use(end, flags, false, site, frame)) return -1;
  if (flags & MSG_ERRQUEUE) return model_fail(EAGAIN);
  pipe_hold(end);
  const ssize_t result = receive_record(end, buffer, size, flags, from, was_cut, site, frame);
  pipe_release(end, site);
  return result;
}

/* ---- sending records ---- */

/* The program's bytes are looked at before the step, as accesses of their own. */
static void push_record(struct pipe_state *queue, const struct socket_name *from, const void *bytes, size_t size,
                        site_id site) {
  const struct record record = {.size_bytes = (uint32_t)size, .from = *from};
  races_release(&queue->object);
  term_memory_pin((uint64_t)bytes, size, PIN_MODEL, site);
  pipe_copy_in(queue, &record, sizeof record);
  pipe_copy_in(queue, bytes, (uint32_t)size);
  queue->n_records++;
  record_message(EVENT_SOCKET_SEND, queue, site, size);
}

static ssize_t send_packet(struct description *end, const void *buffer, size_t size, int flags, site_id site,
                           char *frame) {
  struct pipe_state *queue = end->output;
  const struct turn turn = {.wanted = sizeof(struct record) + size,
                            .end = end,
                            .waits = !end->nonblocking && !(flags & MSG_DONTWAIT),
                            .timeout = end->socket->send_timeout,
                            .site = site,
                            .frame = frame};
  if (size > LARGEST_LOCAL) return model_fail(EMSGSIZE);
  if (!pipe_take_turn(EVENT_SOCKET_SEND, &queue->object, &turn)) return model_fail(EINTR);
  const bool is_refused = end->no_writing || queue->readers == 0;
  if (!is_refused && pipe_room(queue) >= turn.wanted) {
    push_record(queue, &end->socket->name, buffer, size, site);
    return (ssize_t)size;
  }
  record_object(EVENT_SOCKET_SEND, &queue->object, site, 0);
  return is_refused ? pipe_fail_broken(0, flags, site) : model_fail(EAGAIN);
}

/* ---- datagrams ---- */

/* Whom a datagram is for. */
struct aim {
  struct socket_place place;
  const struct socket_name *name;
  struct socket_state *receiver; /* NULL: nobody */
};

static bool is_udp(const struct socket_state *socket) {
  return socket->family != AF_UNIX;
}

static bool is_sent_by(const struct socket_place *peer, const struct socket_state *sender) {
  if (peer->domain == AF_UNIX) return sender->place.domain == AF_UNIX && peer->key == sender->place.key;
  return peer->port == sender->place.port;
}

/* Who is connected gets datagrams of its peer alone. */
static bool accepts(const struct socket_state *receiver, const struct socket_state *sender) {
  if (receiver->wanted) return receiver->wanted == sender;
  return !receiver->peer.size_bytes || is_sent_by(&receiver->peer_place, sender);
}

/* 0, or the errno. */
static int read_aim(struct socket_state *socket, const struct socket_name *to, struct aim *aim) {
  if (!to && !socket->peer.size_bytes && !socket->wanted) return is_udp(socket) ? EDESTADDRREQ : ENOTCONN;
  *aim = (struct aim){.place = socket->peer_place, .name = to ? to : &socket->peer};
  const int problem = to ? socket_read_place(socket, to, &aim->place) : 0;
  if (problem) return problem;
  if (to && !socket_is_inside(&aim->place)) finish_at_limit("a datagram to an address other than the loopback");
  socket_aim(&aim->place);
  return 0;
}

static void find_receiver(struct socket_state *socket, bool is_named, struct aim *aim, site_id site) {
  if (socket->wanted && !is_named) {
    aim->receiver = socket->wanted->end ? socket->wanted : NULL;
    return;
  }
  files_use_word(socket_address_word(socket, &aim->place), false, site);
  aim->receiver = socket_find_receiver(socket, &aim->place);
}

/* UDP says so to who is connected, with the next operation; UNIX at once. */
static ssize_t send_to_nobody(struct description *end, const struct aim *aim, bool is_named, size_t size,
                              site_id site) {
  struct socket_state *socket = end->socket;
  if (socket->wanted && !is_named) return model_fail(ECONNREFUSED);
  if (!is_udp(socket)) return model_fail(socket_refuse(socket, &aim->place, aim->name));
  socket_check_known(socket, &aim->place,
                     "a datagram to a port of this machine that no thread of the program has bound");
  schedule_object(EVENT_SOCKET_SEND, &end->input->object, site, false);
  record_object(EVENT_SOCKET_SEND, &end->input->object, site, 0);
  if (!is_named) end->input->read_error = ECONNREFUSED;
  if (!is_named) end->input->object.version++;
  return (ssize_t)size;
}

static struct socket_name name_of_sender(const struct socket_state *socket) {
  struct socket_state copy = *socket;
  if (is_udp(socket)) socket_bind_ephemeral(&copy, &socket->place);
  return copy.name;
}

static ssize_t send_datagram_to(struct description *end, const struct aim *aim, const void *buffer, size_t size,
                                int flags, site_id site, char *frame) {
  struct pipe_state *queue = aim->receiver->end->input;
  const bool is_local = !is_udp(end->socket);
  const struct socket_name from = name_of_sender(end->socket);
  const struct turn turn = {.wanted = sizeof(struct record) + size,
                            .waits = is_local && !end->nonblocking && !(flags & MSG_DONTWAIT),
                            .timeout = end->socket->send_timeout,
                            .site = site,
                            .frame = frame};
  if (!pipe_take_turn(EVENT_SOCKET_SEND, &queue->object, &turn)) return model_fail(EINTR);
  const bool has_room = pipe_has_room(queue, turn.wanted);
  if (has_room && queue->readers) {
    socket_make_reached(aim->receiver);
    push_record(queue, &from, buffer, size, site);
    return (ssize_t)size;
  }
  record_object(EVENT_SOCKET_SEND, &queue->object, site, 0);
  if (!queue->readers) return is_local ? model_fail(ECONNREFUSED) : (ssize_t)size;
  if (!is_local) finish_at_limit("more than 208 KB of datagrams wait in one socket");
  return model_fail(EAGAIN);
}

/* What went wrong with an earlier one. */
static int take_error(struct description *end, site_id site) {
  const int error = end->input->read_error;
  if (!error) return 0;
  schedule_object(EVENT_SOCKET_SEND, &end->input->object, site, false);
  record_object(EVENT_SOCKET_SEND, &end->input->object, site, 0);
  end->input->read_error = 0;
  return error;
}

static ssize_t send_datagram(struct description *end, const void *buffer, size_t size, int flags,
                             const struct socket_name *to, site_id site, char *frame) {
  struct socket_state *socket = end->socket;
  struct aim aim;
  const bool is_new = is_udp(socket) && !socket->place.port;
  files_use_word(socket_word(socket), is_new, site);
  const int problem = read_aim(socket, to, &aim), error = problem ? 0 : take_error(end, site);
  if (problem || error) return model_fail(problem ? problem : error);
  if (end->no_writing) return pipe_fail_broken(0, flags, site);
  if (size > (is_udp(socket) ? LARGEST_UDP : LARGEST_LOCAL)) return model_fail(EMSGSIZE);
  if (is_new) socket_bind_ephemeral(socket, NULL);
  find_receiver(socket, to != NULL, &aim, site);
  if (aim.receiver && !accepts(aim.receiver, socket)) {
    if (!is_udp(socket)) return model_fail(EPERM);
    aim.receiver = NULL;
  }
  if (!aim.receiver) return send_to_nobody(end, &aim, to != NULL, size, site);
  return send_datagram_to(end, &aim, buffer, size, flags, site, frame);
}

ssize_t message_send(struct description *end, const void *buffer, size_t size, int flags, const struct socket_name *to,
                     char *frame) {
  const site_id site = take_site();
  const bool is_packet = socket_is_connected_kind(end->socket);
  if (is_packet && !socket_begin_to_use(end, flags, true, site, frame)) return -1;
  if (flags & MSG_OOB) return model_fail(EOPNOTSUPP);
  if (size) pipe_announce_access(buffer, size, site, false);
  pipe_hold(end);
  const ssize_t result = is_packet ? send_packet(end, buffer, size, flags, site, frame)
                                   : send_datagram(end, buffer, size, flags, to, site, frame);
  pipe_release(end, site);
  return result;
}

/* ---- the functions ---- */

static struct description *socket_of(int descriptor) {
  struct description *end = pipe_description(descriptor);
  errno = 0;
  if (end && !end->socket) errno = ENOTSOCK;
  return end && end->socket ? end : NULL;
}

static ssize_t receive(struct description *end, void *buffer, size_t size, int flags, struct socket_name *from,
                       bool *was_cut, char *frame) {
  *from = (struct socket_name){0};
  return socket_is_stream(end->socket) ? pipe_read(end, buffer, size, flags, frame)
                                       : message_receive(end, buffer, size, flags, from, was_cut, frame);
}

static ssize_t send_to(struct description *end, const void *buffer, size_t size, int flags,
                       const struct socket_name *to, char *frame) {
  if (socket_is_stream(end->socket)) return pipe_write(end, buffer, size, flags, frame);
  return message_send(end, buffer, size, flags, to, frame);
}

WRAPPED(ssize_t, recv, (int descriptor, void *buffer, size_t size, int flags), (descriptor, buffer, size, flags)) {
  char *frame = SPIN_FRAME();
  struct description *end = socket_of(descriptor);
  if (end) return pipe_read(end, buffer, size, flags, frame);
  if (errno) return -1;
  if (!(flags & MSG_DONTWAIT)) unfollowed_wait(descriptor, POLLIN, "recv");
  return (ssize_t)FOLLOWED_REAL(recv, descriptor, buffer, size, flags);
}

WRAPPED(ssize_t, send, (int descriptor, const void *buffer, size_t size, int flags),
        (descriptor, buffer, size, flags)) {
  char *frame = SPIN_FRAME();
  struct description *end = socket_of(descriptor);
  if (end) return pipe_write(end, buffer, size, flags, frame);
  if (errno) return -1;
  return (ssize_t)FOLLOWED_REAL(send, descriptor, buffer, size, flags);
}

WRAPPED(ssize_t, recvfrom,
        (int descriptor, void *buffer, size_t size, int flags, struct sockaddr *address, socklen_t *address_size),
        (descriptor, buffer, size, flags, address, address_size)) {
  char *frame = SPIN_FRAME();
  struct description *end = socket_of(descriptor);
  const site_id site = call_site();
  struct socket_name from;
  if (!end && errno) return -1;
  if (!end && !(flags & MSG_DONTWAIT)) unfollowed_wait(descriptor, POLLIN, "recvfrom");
  if (!end) return (ssize_t)FOLLOWED_REAL(recvfrom, descriptor, buffer, size, flags, address, address_size);
  const ssize_t count = receive(end, buffer, size, flags, &from, NULL, frame);
  if (count >= 0) socket_store_name(&from, address, address_size, site);
  return count;
}

WRAPPED(ssize_t, sendto,
        (int descriptor, const void *buffer, size_t size, int flags, const struct sockaddr *address,
         socklen_t address_size),
        (descriptor, buffer, size, flags, address, address_size)) {
  char *frame = SPIN_FRAME();
  struct description *end = socket_of(descriptor);
  struct socket_name to;
  if (!end && errno) return -1;
  if (!end) return (ssize_t)FOLLOWED_REAL(sendto, descriptor, buffer, size, flags, address, address_size);
  const int problem = address ? socket_take_name(address, address_size, &to, call_site()) : 0;
  if (problem) return model_fail(problem);
  return send_to(end, buffer, size, flags, address ? &to : NULL, frame);
}

/* ---- messages in pieces ---- */

static char *held(void) {
  return (char *)HELD_ADDRESS + self()->id * HELD_BYTES;
}

static size_t size_of_pieces(const struct msghdr *message) {
  size_t size = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
  return size < HELD_BYTES ? size : HELD_BYTES;
}

static void fill_pieces(const struct msghdr *message, size_t size, site_id site) {
  size_t done = 0;
  for (size_t i = 0; i < message->msg_iovlen && done < size; i++) {
    const size_t part = message->msg_iov[i].iov_len < size - done ? message->msg_iov[i].iov_len : size - done;
    model_store(message->msg_iov[i].iov_base, held() + done, part, site);
    done += part;
  }
}

/* Nothing comes with it but who sent it. */
static void tell_rest(struct msghdr *message, const struct socket_name *from, bool was_cut, site_id site) {
  const socklen_t room = message->msg_namelen;
  const size_t none = 0;
  const int flags = was_cut ? MSG_TRUNC : 0;
  if (message->msg_name)
    model_store(message->msg_name, from->bytes, from->size_bytes < room ? from->size_bytes : room, site);
  model_store(&message->msg_namelen, &from->size_bytes, sizeof message->msg_namelen, site);
  model_store(&message->msg_controllen, &none, sizeof none, site);
  model_store(&message->msg_flags, &flags, sizeof flags, site);
}

static ssize_t receive_message(struct description *end, struct msghdr *message, int flags, char *frame) {
  const site_id site = call_site();
  struct socket_name from = {0};
  bool was_cut = false;
  model_reads(message, sizeof *message, site);
  model_reads(message->msg_iov, message->msg_iovlen * sizeof *message->msg_iov, site);
  if (end->is_shared && message->msg_controllen) {
    take_site();
    finish_at_limit("control data of a message from a process");
  }
  const size_t size = size_of_pieces(message);
  const ssize_t count = receive(end, held(), size, flags, &from, &was_cut, frame);
  if (count < 0) return count;
  fill_pieces(message, (size_t)count < size ? (size_t)count : size, site);
  tell_rest(message, &from, was_cut, site);
  return count;
}

static ssize_t send_message(struct description *end, const struct msghdr *message, int flags, char *frame) {
  const site_id site = call_site();
  struct socket_name to;
  model_reads(message, sizeof *message, site);
  model_reads(message->msg_iov, message->msg_iovlen * sizeof *message->msg_iov, site);
  if (message->msg_controllen) {
    take_site();
    finish_at_limit("a message with control data, such as descriptors");
  }
  const bool is_named = message->msg_name && message->msg_namelen;
  const int problem = is_named ? socket_take_name(message->msg_name, message->msg_namelen, &to, site) : 0;
  if (problem) return model_fail(problem);
  const size_t size = pipe_hold_pieces(message->msg_iov, message->msg_iovlen, site);
  return send_to(end, held(), size, flags, is_named ? &to : NULL, frame);
}

WRAPPED(ssize_t, recvmsg, (int descriptor, struct msghdr *message, int flags), (descriptor, message, flags)) {
  char *frame = SPIN_FRAME();
  struct description *end = socket_of(descriptor);
  if (end) return receive_message(end, message, flags, frame);
  if (errno) return -1;
  if (!(flags & MSG_DONTWAIT)) unfollowed_wait(descriptor, POLLIN, "recvmsg");
  return (ssize_t)FOLLOWED_REAL(recvmsg, descriptor, message, flags);
}

WRAPPED(ssize_t, sendmsg, (int descriptor, const struct msghdr *message, int flags), (descriptor, message, flags)) {
  char *frame = SPIN_FRAME();
  struct description *end = socket_of(descriptor);
  if (end) return send_message(end, message, flags, frame);
  if (errno) return -1;
  return (ssize_t)FOLLOWED_REAL(sendmsg, descriptor, message, flags);
}

/* ---- many messages ---- */

WRAPPED(int, recvmmsg, (int descriptor, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
        (descriptor, messages, count, flags, timeout)) {
  char *frame = SPIN_FRAME();
  const site_id site = call_site();
  struct description *end = socket_of(descriptor);
  unsigned done = 0;
  if (!end && errno) return -1;
  if (!end) finish_at_limit("recvmmsg of a socket that heddle does not model");
  while (done < count) {
    const int more = done && flags & MSG_WAITFORONE ? MSG_DONTWAIT : 0;
    __heddle_site = (const struct site *)(uint64_t)site;
    const ssize_t size = receive_message(end, &messages[done].msg_hdr, (flags & ~MSG_WAITFORONE) | more, frame);
    if (size < 0) return done ? (int)done : -1;
    const unsigned told = (unsigned)size;
    model_store(&messages[done++].msg_len, &told, sizeof told, site);
  }
  return (int)done;
}

WRAPPED(int, sendmmsg, (int descriptor, struct mmsghdr *messages, unsigned count, int flags),
        (descriptor, messages, count, flags)) {
  char *frame = SPIN_FRAME();
  const site_id site = call_site();
  struct description *end = socket_of(descriptor);
  unsigned done = 0;
  if (!end && errno) return -1;
  if (!end) finish_at_limit("sendmmsg of a socket that heddle does not model");
  while (done < count) {
    __heddle_site = (const struct site *)(uint64_t)site;
    const ssize_t size = send_message(end, &messages[done].msg_hdr, flags, frame);
    if (size < 0) return done ? (int)done : -1;
    const unsigned told = (unsigned)size;
    model_store(&messages[done++].msg_len, &told, sizeof told, site);
  }
  return (int)done;
}
