/* SPDX-License-Identifier: MIT
 *
 * Pipes and pairs of stream sockets between threads of the program (pipes.h): opening, reading, writing and closing
 * them. Reading, writing and closing are visible operations that wait without blocking the kernel thread.
 */
#include "ends.h"
#include "executor.h"
#include "filelocks.h"
#include "files.h"
#include "input_values.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

bool pipe_take_turn(uint8_t kind, struct pipe_state *pipe, uint64_t wanted, bool waits, site_id site, char *frame) {
  self()->awaited = wanted;
  if (waits) {
    schedule_cancellable(kind, &pipe->object, site);
    return !self()->was_interrupted;
  }
  schedule_attempt(kind, &pipe->object, site, frame);
  if (cancel_is_due(self())) cancel_act(site);
  return true;
}

void pipe_record_change(uint8_t kind, struct pipe_state *pipe, site_id site, uint64_t count) {
  if (count) {
    spin_end(self());
    pipe->object.version++;
    epoll_note_news(pipe, kind == EVENT_PIPE_WRITE);
  }
  record_object(kind, &pipe->object, site, count);
}

void pipe_announce_access(const void *buffer, size_t size, site_id site, bool writes) {
  if (__heddle_in_run) __heddle_slow_range(buffer, size, (const struct site *)(uint64_t)site, writes);
}

/* ---- reading ---- */

static ssize_t read_bytes(struct pipe_state *pipe, void *buffer, size_t size, bool peek, site_id site) {
  const uint32_t count = size < pipe->used ? (uint32_t)size : pipe->used;
  char bytes[count + 1];
  pipe_copy_out(pipe, bytes, count);
  if (!peek) {
    pipe->first = (pipe->first + count) % PIPE_BYTES;
    pipe->used -= count;
  }
  pipe_record_change(EVENT_PIPE_READ, pipe, site, count);
  races_acquire(&pipe->object);
  if (count) pipe_announce_access(buffer, count, site, true);
  memcpy(buffer, bytes, count);
  return count;
}

static ssize_t read_end(int descriptor, const struct description *end, void *buffer, size_t size, int flags,
                        char *frame) {
  const site_id site = take_site();
  if (end->is_shared && end->input) return shared_read(descriptor, end, buffer, size, flags, site);
  struct pipe_state *pipe = end->input;
  if (!pipe) return model_fail(EBADF);
  if (pipe->is_counter && size < sizeof(uint64_t)) return model_fail(EINVAL);
  if (size == 0) return 0;
  const bool waits = !end->nonblocking && !(flags & MSG_DONTWAIT);
  if (pipe->is_counter) return eventfd_take(pipe, buffer, waits, site, frame);
  if (!pipe_take_turn(EVENT_PIPE_READ, pipe, 0, waits, site, frame)) return model_fail(EINTR);
  if (!pipe_has_something(pipe)) {
    pipe_record_change(EVENT_PIPE_READ, pipe, site, 0);
    return model_fail(EAGAIN);
  }
  return read_bytes(pipe, buffer, size, flags & MSG_PEEK, site);
}

/* ---- writing ---- */

static void copy_in(struct pipe_state *pipe, const char *from, uint32_t count) {
  const uint32_t at = (pipe->first + pipe->used) % PIPE_BYTES;
  const uint32_t head = count < PIPE_BYTES - at ? count : PIPE_BYTES - at;
  memcpy(pipe->bytes + at, from, head);
  memcpy(pipe->bytes, from + head, count - head);
  pipe->used += count;
}

static ssize_t broken(ssize_t done, int flags, site_id site) {
  if (done) return done;
  if (!(flags & MSG_NOSIGNAL)) process_deliver(SIGPIPE, site);
  return model_fail(EPIPE);
}

/* Up to PIPE_BUF bytes go at once or not at all; more may go in pieces, between which others may write. */
static ssize_t write_bytes(const struct description *end, const char *buffer, size_t size, int flags, site_id site,
                           char *frame) {
  struct pipe_state *pipe = end->output;
  const bool waits = !end->nonblocking && !(flags & MSG_DONTWAIT);
  const uint32_t least = size <= ATOMIC_WRITE_BYTES ? (uint32_t)size : 1;
  size_t done = 0;
  do {
    if (!pipe_take_turn(EVENT_PIPE_WRITE, pipe, least, waits, site, frame))
      return done ? (ssize_t)done : model_fail(EINTR);
    const uint32_t room = pipe_room(pipe) < least || pipe->readers == 0 ? 0 : pipe_room(pipe);
    const uint32_t count = size - done < room ? (uint32_t)(size - done) : room;
    races_release(&pipe->object);
    term_memory_pin((uint64_t)buffer + done, count, PIN_MODEL, site);
    copy_in(pipe, buffer + done, count);
    pipe_record_change(EVENT_PIPE_WRITE, pipe, site, count);
    if (pipe->readers == 0) return broken((ssize_t)done, flags, site);
    if (count == 0) return done ? (ssize_t)done : model_fail(EAGAIN);
    done += count;
  } while (done < size && waits);
  return (ssize_t)done;
}

static ssize_t write_end(int descriptor, const struct description *end, const void *buffer, size_t size, int flags,
                         char *frame) {
  const site_id site = take_site();
  if (!end->output) return model_fail(EBADF);
  if (size) pipe_announce_access(buffer, size, site, false);
  if (end->is_shared) return size ? shared_write(descriptor, end, buffer, size, flags, site) : 0;
  if (end->output->is_counter) return eventfd_add(end, buffer, size, site, frame);
  return size ? write_bytes(end, buffer, size, flags, site, frame) : 0;
}

/* ---- the functions ---- */

WRAPPED(ssize_t, read, (int descriptor, void *buffer, size_t size), (descriptor, buffer, size)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return read_end(descriptor, end, buffer, size, 0, frame);
  if (descriptor == 0 && standard_input_is_symbolic()) return standard_input_read(buffer, size);
  if (files_has(descriptor)) return file_read(descriptor, buffer, size, -1, take_site());
  return (ssize_t)FOLLOWED_REAL(read, descriptor, buffer, size);
}

WRAPPED(ssize_t, write, (int descriptor, const void *buffer, size_t size), (descriptor, buffer, size)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return write_end(descriptor, end, buffer, size, 0, frame);
  if (files_has(descriptor)) return file_write(descriptor, buffer, size, -1, take_site());
  return (ssize_t)FOLLOWED_REAL(write, descriptor, buffer, size);
}

WRAPPED(ssize_t, recv, (int descriptor, void *buffer, size_t size, int flags), (descriptor, buffer, size, flags)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return end->is_socket ? read_end(descriptor, end, buffer, size, flags, frame) : model_fail(ENOTSOCK);
  return (ssize_t)FOLLOWED_REAL(recv, descriptor, buffer, size, flags);
}

WRAPPED(ssize_t, send, (int descriptor, const void *buffer, size_t size, int flags),
        (descriptor, buffer, size, flags)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return end->is_socket ? write_end(descriptor, end, buffer, size, flags, frame) : model_fail(ENOTSOCK);
  return (ssize_t)FOLLOWED_REAL(send, descriptor, buffer, size, flags);
}

/* Piece by piece, and reading stops after the first: both are allowed. */
WRAPPED(ssize_t, readv, (int descriptor, const struct iovec *pieces, int count), (descriptor, pieces, count)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  for (int i = 0; end && i < count; i++)
    if (pieces[i].iov_len) return read_end(descriptor, end, pieces[i].iov_base, pieces[i].iov_len, 0, frame);
  if (end) return 0;
  if (files_has(descriptor)) return file_read_pieces(descriptor, pieces, count, -1, take_site());
  return (ssize_t)FOLLOWED_REAL(readv, descriptor, pieces, count);
}

WRAPPED(ssize_t, writev, (int descriptor, const struct iovec *pieces, int count), (descriptor, pieces, count)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (files_has(descriptor)) return file_write_pieces(descriptor, pieces, count, -1, take_site());
  if (!end) return (ssize_t)FOLLOWED_REAL(writev, descriptor, pieces, count);
  ssize_t done = 0;
  for (int i = 0; i < count; i++) {
    const ssize_t written = write_end(descriptor, end, pieces[i].iov_base, pieces[i].iov_len, 0, frame);
    if (written < 0) return done ? done : written;
    done += written;
    if ((size_t)written < pieces[i].iov_len) break;
  }
  return done;
}

/* ---- opening ---- */

static int make_pipe(int told[2], int flags) {
  int descriptors[2];
  files_touch();
  const long result = system_call(SYS_pipe2, descriptors, flags);
  if (result < 0) return model_fail((int)-result);
  model_store(told, descriptors, sizeof descriptors, call_site());
  struct pipe_state *pipe = flags & ~(O_NONBLOCK | O_CLOEXEC) ? NULL : pipe_new(descriptors[0]);
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

static bool is_stream_pair(int domain, int type) {
  return domain == AF_UNIX && (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM;
}

WRAPPED(int, socketpair, (int domain, int type, int protocol, int told[2]), (domain, type, protocol, told)) {
  int descriptors[2];
  files_touch();
  const int result = __real_socketpair(domain, type, protocol, descriptors);
  if (result == 0) model_store(told, descriptors, sizeof descriptors, call_site());
  if (result < 0 || !is_stream_pair(domain, type)) return result;
  struct pipe_state *to_first = pipe_new(descriptors[0]), *to_second = pipe_new(descriptors[1]);
  if (!to_first || !to_second || descriptors[1] >= (int)MAX_DESCRIPTORS) return 0;
  pipe_open_end(descriptors[0], to_first, to_second, type & SOCK_NONBLOCK);
  pipe_open_end(descriptors[1], to_second, to_first, type & SOCK_NONBLOCK);
  the_pipes->descriptors[descriptors[0]]->is_socket = the_pipes->descriptors[descriptors[1]]->is_socket = true;
  return 0;
}

/* ---- closing ---- */

static void stop_reading(struct description *end) {
  if (!end->input) return;
  end->input->readers--;
  end->input->object.version++;
  epoll_note_news(end->input, false);
  end->input = NULL;
}

static void stop_writing(struct description *end) {
  if (!end->output) return;
  races_release(&end->output->object);
  end->output->writers--;
  end->output->object.version++;
  epoll_note_news(end->output, true);
  end->output = NULL;
}

static void take_turn_to_close(const struct description *end, site_id site) {
  struct pipe_state *pipe = end->input ? end->input : end->output;
  if (!pipe) return;
  schedule_object(EVENT_PIPE_CLOSE, &pipe->object, site, false);
  record_object(EVENT_PIPE_CLOSE, &pipe->object, site, 0);
}

void pipe_close(int descriptor, site_id site) {
  struct description *end = pipe_description(descriptor);
  if (!end) return;
  if (end->references == 1) take_turn_to_close(end, site);
  if (pipe_description(descriptor) != end) return; /* another thread closed it meanwhile */
  the_pipes->descriptors[descriptor] = NULL;
  if (--end->references > 0) return;
  epoll_forget(end);
  end->epoll = NULL;
  stop_reading(end);
  stop_writing(end);
}

WRAPPED(int, shutdown, (int descriptor, int how), (descriptor, how)) {
  struct description *end = pipe_description(descriptor);
  if (!end) return __real_shutdown(descriptor, how);
  if (!end->is_socket) return model_fail(ENOTSOCK);
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return model_fail(EINVAL);
  take_turn_to_close(end, take_site());
  if (end->is_shared) return __real_shutdown(descriptor, how);
  if (how != SHUT_WR) stop_reading(end);
  if (how != SHUT_RD) stop_writing(end);
  return 0;
}

/* ---- flags ---- */

static int control(int descriptor, int command, long argument, int result) {
  struct description *end = pipe_description(descriptor);
  const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (copies && result >= 0) filelock_duplicate(descriptor, result);
  if (copies && result >= 0) files_duplicate(descriptor, result);
  if (!end || result < 0) return result;
  if (command == F_SETFL) end->nonblocking = argument & O_NONBLOCK;
  if (copies) pipe_duplicate(descriptor, result);
  return result;
}

#define WRAPPED_CONTROL(name)                                                                                          \
  int __real_##name(int descriptor, int command, ...);                                                                 \
  EXPORTED int __wrap_##name(int descriptor, int command, ...);                                                        \
  int __wrap_##name(int descriptor, int command, ...) {                                                                \
    va_list rest;                                                                                                      \
    va_start(rest, command);                                                                                           \
    const long argument = va_arg(rest, long); /* whatever is there, when the command takes none */                     \
    va_end(rest);                                                                                                      \
    if (controlled && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) files_touch();                               \
    if (controlled && command == F_OFD_SETLKW) finish_at_limit("fcntl with F_OFD_SETLKW");                             \
    const int result = __real_##name(descriptor, command, argument);                                                   \
    return controlled ? control(descriptor, command, argument, result) : result;                                       \
  }

WRAPPED_CONTROL(fcntl)
WRAPPED_CONTROL(fcntl64)
