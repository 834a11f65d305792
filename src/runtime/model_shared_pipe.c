/* SPDX-License-Identifier: MIT
 *
 * Pipes, pairs of sockets and event counters that the program shares with a process it has started: the kernel has what
 * is in them. Reading and writing are visible operations that depend on all others, since what a thread writes may make
 * a child do anything. They wait without blocking the kernel thread, and see what is there when all children have ended
 * or wait themselves (children.h).
 */
#include "children.h"
#include "ends.h"
#include "models.h"
#include "pipes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static bool is_ready(int descriptor, short events) {
  struct pollfd entry = {.fd = descriptor, .events = events};
  return system_call(SYS_poll, &entry, 1, 0) > 0;
}

static short events_of(uint8_t kind) {
  return kind == EVENT_SHARED_READ ? POLLIN : POLLOUT;
}

bool shared_is_ready(const struct thread *thread) {
  if (thread->operation.kind == EVENT_PIPE_POLL) return pipe_count_ready(thread->polled, thread->awaited) > 0;
  return is_ready((int)thread->awaited, events_of(thread->operation.kind));
}

/* False: a signal interrupted it. */
static bool take_turn(uint8_t kind, int descriptor, bool waits, site_id site) {
  struct thread *thread = self();
  spin_end(thread);
  thread->awaited = (uint64_t)descriptor;
  thread->was_interrupted = false;
  schedule_operation((struct operation){.kind = kind,
                                        .address = (uint64_t)descriptor,
                                        .object = &rt->children.object,
                                        .site = site,
                                        .can_block = waits,
                                        .interruption = IS_RESTARTED,
                                        .cancels = waits});
  if (cancel_is_due(thread)) cancel_act(site);
  if (thread->was_interrupted) return false;
  if (!waits) children_settle();
  trace_record(kind, (uint64_t)descriptor, 0, site);
  return true;
}

static void check(const struct description *end, int flags) {
  if (flags & MSG_WAITALL) finish_at_limit("MSG_WAITALL of a socket that the program shares with a process");
  if (end->socket && (end->socket->receive_timeout || end->socket->send_timeout))
    finish_at_limit("a time-out of a socket that the program shares with a process");
}

ssize_t shared_read(const struct description *end, void *buffer, size_t size, int flags, site_id site) {
  const int descriptor = pipe_number(end);
  const bool waits = !end->nonblocking && !(flags & MSG_DONTWAIT);
  const size_t most = size < PIPE_BYTES ? size : PIPE_BYTES;
  char bytes[most + 1];
  check(end, flags);
  if (!take_turn(EVENT_SHARED_READ, descriptor, waits, site)) return model_fail(EINTR);
  if (!is_ready(descriptor, POLLIN)) return model_fail(EAGAIN);
  const long count = end->socket ? system_call(SYS_recvfrom, descriptor, bytes, most, flags | MSG_DONTWAIT, 0, 0)
                                 : system_call(SYS_read, descriptor, bytes, most);
  if (count < 0) return model_fail((int)-count);
  if (count > 0) pipe_announce_access(buffer, (size_t)count, site, true);
  memcpy(buffer, bytes, (size_t)count);
  return count;
}

int shared_bytes_to_read(const struct description *end, site_id site) {
  int count = 0;
  take_turn(EVENT_SHARED_READ, pipe_number(end), false, site);
  system_call(SYS_ioctl, pipe_number(end), FIONREAD, &count);
  return count;
}

static bool has_gone(int descriptor) {
  struct pollfd entry = {.fd = descriptor, .events = POLLOUT};
  return system_call(SYS_poll, &entry, 1, 0) > 0 && entry.revents & POLLERR;
}

/* As much as there is room for, while children take it away. Up to PIPE_BUF bytes go at once. */
static long write_what_fits(int descriptor, const struct description *end, const char *bytes, size_t size) {
  size_t done = 0;
  while (done < size && is_ready(descriptor, POLLOUT) && !has_gone(descriptor)) {
    const size_t piece = size - done < ATOMIC_WRITE_BYTES ? size - done : ATOMIC_WRITE_BYTES;
    const long count = end->socket
                           ? system_call(SYS_sendto, descriptor, bytes + done, piece, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0)
                           : system_call(SYS_write, descriptor, bytes + done, piece);
    if (count <= 0) return done ? (long)done : count;
    done += (size_t)count;
    if (done < size) children_settle();
  }
  return (long)done;
}

static ssize_t broken(size_t done, int flags, site_id site) {
  if (done) return (ssize_t)done;
  if (!(flags & MSG_NOSIGNAL)) process_deliver(SIGPIPE, site);
  return model_fail(EPIPE);
}

ssize_t shared_write(const struct description *end, const void *buffer, size_t size, int flags, site_id site) {
  const int descriptor = pipe_number(end);
  const bool waits = !end->nonblocking && !(flags & MSG_DONTWAIT);
  size_t done = 0;
  check(end, flags);
  do {
    if (!take_turn(EVENT_SHARED_WRITE, descriptor, waits, site)) return done ? (ssize_t)done : model_fail(EINTR);
    if (has_gone(descriptor)) return broken(done, flags, site);
    const long count = write_what_fits(descriptor, end, (const char *)buffer + done, size - done);
    if (count == 0) return done ? (ssize_t)done : model_fail(EAGAIN);
    if (count < 0) return done ? (ssize_t)done : model_fail((int)-count);
    done += (size_t)count;
  } while (done < size && waits);
  return (ssize_t)done;
}
