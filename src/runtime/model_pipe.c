/* SPDX-License-Identifier: MIT
 *
 * Pipes between threads of the program (pipes.h), and other streams of bytes: opening, reading, writing and closing
 * them. Reading, writing and closing are visible operations that wait without blocking the kernel thread.
 */
#include "files.h"
#include "input_values.h"
#include "model/kinds.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "terms.h"
#include "unfollowed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

/* Time-outs are not resumed after a signal. */
static void take_waiting_turn(uint8_t kind, struct object *object, const struct turn *turn) {
  const struct deadline deadline = deadline_after(turn->timeout);
  spin_changes(self());
  self()->was_interrupted = false;
  schedule_operation((struct operation){.kind = kind,
                                        .address = object->address,
                                        .object = object,
                                        .site = turn->site,
                                        .can_block = true,
                                        .interruption = turn->timeout ? IS_INTERRUPTED : IS_RESTARTED,
                                        .cancels = true,
                                        .can_give_up = turn->timeout != 0});
  if (cancel_is_due(self())) cancel_act(turn->site);
  if (!turn->timeout) return;
  if (pipe_can_move(self()))
    deadline_kept(&deadline, 0);
  else
    deadline_passed(&deadline);
}

bool pipe_take_turn(uint8_t kind, struct object *object, const struct turn *turn) {
  self()->awaited = turn->wanted;
  self()->polled = turn->end;
  if (turn->waits) {
    take_waiting_turn(kind, object, turn);
    return !self()->was_interrupted;
  }
  schedule_attempt(kind, object, turn->site, turn->frame);
  if (cancel_is_due(self())) cancel_act(turn->site);
  return true;
}

void pipe_record_change(uint8_t kind, struct pipe_state *pipe, site_id site, uint64_t count) {
  if (count) {
    spin_end(self());
    pipe->object.version++;
    epoll_note_news(pipe, kind_effect(kind) == EFFECT_FILLS);
  }
  record_object(kind, &pipe->object, site, count);
}

void pipe_announce_access(const void *buffer, size_t size, site_id site, bool writes) {
  if (__heddle_in_run) __heddle_slow_range(buffer, size, (const struct site *)(uint64_t)site, writes);
}

/* ---- reading ---- */

static uint8_t kind_of_reading(const struct description *end) {
  return end->socket ? EVENT_SOCKET_RECEIVE : EVENT_PIPE_READ;
}

static ssize_t read_bytes(uint8_t kind, struct pipe_state *pipe, void *buffer, size_t size, bool peek, site_id site) {
  const uint32_t count = size < pipe->used ? (uint32_t)size : pipe->used;
  char bytes[count + 1];
  pipe_copy_out(pipe, 0, bytes, count);
  if (!peek) pipe_skip(pipe, count);
  pipe_record_change(kind, pipe, site, count);
  races_acquire(&pipe->object);
  if (count) pipe_announce_access(buffer, count, site, true);
  memcpy(buffer, bytes, count);
  return count;
}

static struct turn turn_to_read(const struct description *end, int flags, site_id site, char *frame) {
  return (struct turn){.end = end->socket ? end : NULL,
                       .waits = !end->nonblocking && !(flags & MSG_DONTWAIT),
                       .timeout = end->socket ? end->socket->receive_timeout : 0,
                       .site = site,
                       .frame = frame};
}

/* Who finds it empty is told why: the time is over, the other end has broken off, or there is nothing more to come. */
static ssize_t read_nothing(const struct description *end, site_id site) {
  struct pipe_state *pipe = end->input;
  const int error = pipe->read_error;
  const bool has_ended = end->no_reading || pipe->writers == 0;
  pipe->read_error = 0;
  pipe_record_change(kind_of_reading(end), pipe, site, 0);
  if (error) return model_fail(error);
  races_acquire(&pipe->object);
  return has_ended ? 0 : model_fail(EAGAIN);
}

static ssize_t read_once(const struct description *end, void *buffer, size_t size, int flags, site_id site,
                         char *frame) {
  const struct turn turn = turn_to_read(end, flags, site, frame);
  if (!pipe_take_turn(kind_of_reading(end), &end->input->object, &turn)) return model_fail(EINTR);
  if (end->input->used == 0) return read_nothing(end, site);
  return read_bytes(kind_of_reading(end), end->input, buffer, size, flags & MSG_PEEK, site);
}

static ssize_t read_stream(const struct description *end, char *buffer, size_t size, int flags, site_id site,
                           char *frame) {
  size_t done = 0;
  do {
    const ssize_t count = read_once(end, buffer + done, size - done, flags, site, frame);
    if (count <= 0) return done ? (ssize_t)done : count;
    done += (size_t)count;
  } while (flags & MSG_WAITALL && !(flags & MSG_PEEK) && done < size);
  return (ssize_t)done;
}

static ssize_t read_counter(const struct description *end, void *buffer, size_t size, site_id site, char *frame) {
  if (size < sizeof(uint64_t)) return model_fail(EINVAL);
  if (end->input->timer) return timerfd_take(end->input, buffer, !end->nonblocking, site, frame);
  return eventfd_take(end->input, buffer, !end->nonblocking, site, frame);
}

static ssize_t read_shared(struct description *end, void *buffer, size_t size, int flags, site_id site) {
  pipe_hold(end);
  const ssize_t result = shared_read(end, buffer, size, flags, site);
  pipe_release(end, site);
  return result;
}

ssize_t pipe_read(struct description *end, void *buffer, size_t size, int flags, char *frame) {
  if (end->socket && !socket_is_stream(end->socket))
    return message_receive(end, buffer, size, flags, NULL, NULL, frame);
  const site_id site = take_site();
  if (end->socket && !socket_begin_to_use(end, flags, false, site, frame)) return -1;
  if (!end->input) return model_fail(EBADF);
  if (end->is_shared) return read_shared(end, buffer, size, flags, site);
  if (end->input->is_counter) return read_counter(end, buffer, size, site, frame);
  if (size == 0) return 0;
  pipe_hold(end);
  const ssize_t result = read_stream(end, buffer, size, flags, site, frame);
  pipe_release(end, site);
  return result;
}

/* ---- writing ---- */

ssize_t pipe_fail_broken(ssize_t done, int flags, site_id site) {
  if (done) return done;
  if (!(flags & MSG_NOSIGNAL)) process_deliver(SIGPIPE, site);
  return model_fail(EPIPE);
}

static uint8_t kind_of_writing(const struct description *end) {
  return end->socket ? EVENT_SOCKET_SEND : EVENT_PIPE_WRITE;
}

/* Up to PIPE_BUF bytes go into a pipe at once or not at all; more may go in pieces, between which others may write. */
static uint32_t least_written(const struct description *end, size_t size) {
  return !end->socket && size <= ATOMIC_WRITE_BYTES ? (uint32_t)size : 1;
}

static struct turn turn_to_write(const struct description *end, uint64_t wanted, int flags, site_id site, char *frame) {
  return (struct turn){.wanted = wanted,
                       .end = end->socket ? end : NULL,
                       .waits = !end->nonblocking && !(flags & MSG_DONTWAIT),
                       .timeout = end->socket ? end->socket->send_timeout : 0,
                       .site = site,
                       .frame = frame};
}

static bool is_refused(const struct description *end) {
  return end->no_writing || end->output->readers == 0 || end->output->write_error;
}

/* What TCP sends to somebody who is gone is lost; the next one is told. */
static ssize_t write_refused(const struct description *end, size_t done, size_t size, int flags, site_id site) {
  struct pipe_state *pipe = end->output;
  const int error = pipe->write_error;
  const bool is_lost = !end->no_writing && !error && end->socket && socket_is_tcp(end->socket) && !pipe->is_broken;
  pipe->write_error = 0;
  pipe->is_broken |= !end->no_writing;
  pipe_record_change(kind_of_writing(end), pipe, site, 0);
  if (is_lost) return (ssize_t)size;
  if (error) return done ? (ssize_t)done : model_fail(error);
  return pipe_fail_broken((ssize_t)done, flags, site);
}

static ssize_t write_stream(const struct description *end, const char *buffer, size_t size, int flags, site_id site,
                            char *frame) {
  struct pipe_state *pipe = end->output;
  const uint32_t least = least_written(end, size);
  const struct turn turn = turn_to_write(end, least, flags, site, frame);
  size_t done = 0;
  do {
    if (!pipe_take_turn(kind_of_writing(end), &pipe->object, &turn)) return done ? (ssize_t)done : model_fail(EINTR);
    if (is_refused(end)) return write_refused(end, done, size, flags, site);
    const uint32_t room = pipe_room(pipe) < least ? 0 : pipe_room(pipe);
    const uint32_t count = size - done < room ? (uint32_t)(size - done) : room;
    races_release(&pipe->object);
    term_memory_pin((uint64_t)buffer + done, count, PIN_MODEL, site);
    pipe_copy_in(pipe, buffer + done, count);
    pipe_record_change(kind_of_writing(end), pipe, site, count);
    if (count == 0) return done ? (ssize_t)done : model_fail(EAGAIN);
    done += count;
  } while (done < size && turn.waits);
  return (ssize_t)done;
}

static ssize_t write_shared(struct description *end, const void *buffer, size_t size, int flags, site_id site) {
  if (size == 0) return 0;
  pipe_hold(end);
  const ssize_t result = shared_write(end, buffer, size, flags, site);
  pipe_release(end, site);
  return result;
}

ssize_t pipe_write(struct description *end, const void *buffer, size_t size, int flags, char *frame) {
  if (end->socket && !socket_is_stream(end->socket)) return message_send(end, buffer, size, flags, NULL, frame);
  const site_id site = take_site();
  if (end->socket && !socket_begin_to_use(end, flags, true, site, frame)) return -1;
  if (!end->output) return model_fail(end->input && end->input->timer ? EINVAL : EBADF);
  if (size) pipe_announce_access(buffer, size, site, false);
  if (end->is_shared) return write_shared(end, buffer, size, flags, site);
  if (end->output->is_counter) return eventfd_add(end, buffer, size, site, frame);
  if (size == 0) return 0;
  pipe_hold(end);
  const ssize_t result = write_stream(end, buffer, size, flags, site, frame);
  pipe_release(end, site);
  return result;
}

/* ---- pieces ---- */

static char *held(void) {
  return (char *)HELD_ADDRESS + self()->id * HELD_BYTES;
}

static size_t size_of_pieces(const struct iovec *pieces, size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) size += pieces[i].iov_len;
  return size < HELD_BYTES ? size : HELD_BYTES;
}

/* Of a message all pieces are filled at once; of a stream reading stops after the first, as it may. */
ssize_t pipe_read_pieces(struct description *end, const struct iovec *pieces, size_t count, int flags, char *frame) {
  for (size_t i = 0; i < count; i++)
    if (pieces[i].iov_len) return pipe_read(end, pieces[i].iov_base, pieces[i].iov_len, flags, frame);
  return pipe_read(end, NULL, 0, flags, frame);
}

size_t pipe_hold_pieces(const struct iovec *pieces, size_t count, site_id site) {
  const size_t size = size_of_pieces(pieces, count);
  size_t done = 0;
  for (size_t i = 0; i < count && done < size; i++) {
    const size_t part = pieces[i].iov_len < size - done ? pieces[i].iov_len : size - done;
    model_reads(pieces[i].iov_base, part, site);
    term_memory_pin((uint64_t)pieces[i].iov_base, part, PIN_MODEL, site);
    memcpy(held() + done, pieces[i].iov_base, part);
    done += part;
  }
  return size;
}

/* A socket is given all of them together, a pipe piece by piece. */
ssize_t pipe_write_pieces(struct description *end, const struct iovec *pieces, size_t count, int flags, char *frame) {
  ssize_t done = 0;
  if (end->socket) return pipe_write(end, held(), pipe_hold_pieces(pieces, count, call_site()), flags, frame);
  for (size_t i = 0; i < count; i++) {
    const ssize_t written = pipe_write(end, pieces[i].iov_base, pieces[i].iov_len, flags, frame);
    if (written < 0) return done ? done : written;
    done += written;
    if ((size_t)written < pieces[i].iov_len) break;
  }
  return done;
}

/* ---- the functions ---- */

WRAPPED(ssize_t, read, (int descriptor, void *buffer, size_t size), (descriptor, buffer, size)) {
  char *frame = SPIN_FRAME();
  struct description *end = pipe_description(descriptor);
  if (end) return pipe_read(end, buffer, size, 0, frame);
  if (descriptor == 0 && standard_input_is_symbolic()) return standard_input_read(buffer, size);
  if (files_has(descriptor)) return file_read(descriptor, buffer, size, -1, take_site());
  unfollowed_wait(descriptor, POLLIN, "read");
  return (ssize_t)FOLLOWED_REAL(read, descriptor, buffer, size);
}

WRAPPED(ssize_t, write, (int descriptor, const void *buffer, size_t size), (descriptor, buffer, size)) {
  char *frame = SPIN_FRAME();
  struct description *end = pipe_description(descriptor);
  if (end) return pipe_write(end, buffer, size, 0, frame);
  if (files_has(descriptor)) return file_write(descriptor, buffer, size, -1, take_site());
  if (descriptor > 2) unfollowed_wait(descriptor, POLLOUT, "write");
  return (ssize_t)FOLLOWED_REAL(write, descriptor, buffer, size);
}

WRAPPED(ssize_t, readv, (int descriptor, const struct iovec *pieces, int count), (descriptor, pieces, count)) {
  char *frame = SPIN_FRAME();
  struct description *end = pipe_description(descriptor);
  if (end) return pipe_read_pieces(end, pieces, (size_t)count, 0, frame);
  if (files_has(descriptor)) return file_read_pieces(descriptor, pieces, count, -1, take_site());
  unfollowed_wait(descriptor, POLLIN, "readv");
  return (ssize_t)FOLLOWED_REAL(readv, descriptor, pieces, count);
}

WRAPPED(ssize_t, writev, (int descriptor, const struct iovec *pieces, int count), (descriptor, pieces, count)) {
  char *frame = SPIN_FRAME();
  struct description *end = pipe_description(descriptor);
  if (end) return pipe_write_pieces(end, pieces, (size_t)count, 0, frame);
  if (files_has(descriptor)) return file_write_pieces(descriptor, pieces, count, -1, take_site());
  if (descriptor > 2) unfollowed_wait(descriptor, POLLOUT, "writev");
  return (ssize_t)FOLLOWED_REAL(writev, descriptor, pieces, count);
}

/* ---- opening ---- */

static int make_pipe(int told[2], int flags) {
  int descriptors[2];
  files_touch();
  const long result = system_call(SYS_pipe2, descriptors, flags);
  if (result < 0) return model_fail((int)-result);
  model_store(told, descriptors, sizeof descriptors, call_site());
  struct pipe_state *pipe = flags & ~(O_NONBLOCK | O_CLOEXEC) ? NULL : pipe_new((uint64_t)descriptors[0]);
  if (!pipe || descriptors[1] >= (int)MAX_DESCRIPTORS) return 0;
  pipe_open_end(descriptors[0], pipe, NULL, flags & O_NONBLOCK);
  pipe_open_end(descriptors[1], NULL, pipe, flags & O_NONBLOCK);
  return 0;
}

WRAPPED(int, pipe, (int descriptors[2]), (descriptors)) {
  return make_pipe(descriptors, 0);
}

WRAPPED(int, pipe2, (int descriptors[2], int flags), (descriptors, flags)) {
  return make_pipe(descriptors, flags);
}

/* ---- closing ---- */

void pipe_stop_reading(struct description *end) {
  if (!end->input || end->left_input) return;
  end->left_input = true;
  end->input->readers--;
  end->input->object.version++;
  epoll_note_news(end->input, false);
}

void pipe_stop_writing(struct description *end) {
  if (!end->output || end->left_output) return;
  end->left_output = true;
  races_release(&end->output->object);
  end->output->writers--;
  end->output->object.version++;
  epoll_note_news(end->output, true);
}

static struct object *object_of(const struct description *end) {
  struct pipe_state *pipe = end->input ? end->input : end->output;
  if (end->socket) return &end->socket->object;
  return pipe ? &pipe->object : NULL;
}

static void take_turn_to_close(const struct description *end, site_id site) {
  const uint8_t kind = end->socket ? EVENT_SOCKET_CLOSE : EVENT_PIPE_CLOSE;
  struct object *object = object_of(end);
  if (!object) return;
  schedule_object(kind, object, site, false);
  record_object(kind, object, site, 0);
}

static void dispose(struct description *end) {
  epoll_forget(end);
  end->epoll = NULL;
  if (end->input && end->input->timer) timer_remove(end->input->timer);
  if (end->socket) {
    files_note_word(socket_address_word(end->socket, &end->socket->place), true);
    socket_close(end->socket);
  }
  pipe_stop_reading(end);
  pipe_stop_writing(end);
  end->input = end->output = NULL;
}

void pipe_close(int descriptor, site_id site) {
  struct description *end = pipe_description(descriptor);
  if (!end) return;
  if (end->references == 1) take_turn_to_close(end, site);
  if (pipe_description(descriptor) != end) return; /* another thread closed it meanwhile */
  if (end->socket) files_note_descriptor(descriptor);
  the_pipes->descriptors[descriptor] = NULL;
  if (--end->references == 0 && end->users == 0) dispose(end);
}

void pipe_hold(struct description *end) {
  end->users++;
}

void pipe_release(struct description *end, site_id site) {
  const int error = errno;
  if (--end->users > 0 || end->references > 0) return;
  end->users++;
  take_turn_to_close(end, site);
  end->users--;
  dispose(end);
  errno = error;
}
