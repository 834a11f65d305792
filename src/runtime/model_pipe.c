/* SPDX-License-Identifier: MIT
 *
 * Pipes and pairs of stream sockets between threads of the program (pipes.h): reading, writing, closing and polling
 * them are visible operations that wait without blocking the kernel thread. The kernel's own descriptor of the same
 * kind is never touched, unless the program forks: then all of them become the kernel's.
 */
#include "inputs.h"
#include "model/kinds.h"
#include "models.h"
#include "pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

static int fail(int number) {
  errno = number;
  return -1;
}

/* ---- state ---- */

void pipes_initialise(void) {
  const long at = system_call(SYS_mmap, the_pipes, sizeof *the_pipes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void pipes_begin_run(void) {
  if (!the_pipes->n_pipes) return;
  the_pipes->n_pipes = 0;
  memset(the_pipes->descriptions, 0, sizeof the_pipes->descriptions);
  memset(the_pipes->descriptors, 0, sizeof the_pipes->descriptors);
}

struct description *pipe_description(int descriptor) {
  return descriptor >= 0 && descriptor < (int)MAX_DESCRIPTORS ? the_pipes->descriptors[descriptor] : NULL;
}

/* NULL when there are too many, or the number is too large: then it stays the kernel's. */
struct pipe_state *pipe_new(int number) {
  if (the_pipes->n_pipes == MAX_PIPES || number >= (int)MAX_DESCRIPTORS) {
    rt->knowledge->overflow = 1;
    return NULL;
  }
  struct pipe_state *pipe = &the_pipes->states[the_pipes->n_pipes++];
  pipe->object = (struct object){.address = (uint64_t)number, .run = rt->run, .class = PIPE_OBJECT, .owner = NO_THREAD};
  pipe->is_counter = pipe->counts_by_one = false;
  pipe->counter = 0;
  pipe->first = pipe->used = 0;
  pipe->readers = pipe->writers = 0;
  return pipe;
}

static void attach(int descriptor, struct description *description) {
  the_pipes->descriptors[descriptor] = description;
  description->references++;
}

void pipe_open_end(int descriptor, struct pipe_state *input, struct pipe_state *output, bool nonblocking) {
  struct description *description = the_pipes->descriptions;
  while (description->references) description++;
  *description = (struct description){.input = input, .output = output, .nonblocking = nonblocking};
  if (input) input->readers++;
  if (output) output->writers++;
  attach(descriptor, description);
}

static uint32_t room_in(const struct pipe_state *pipe) {
  return PIPE_BYTES - pipe->used;
}

static bool has_something(const struct pipe_state *pipe) {
  return pipe->is_counter ? pipe->counter > 0 : pipe->used > 0 || pipe->writers == 0;
}

/* `wanted` is what a thread wants to write: bytes, or the number to add. */
bool pipe_has_room(const struct pipe_state *pipe, uint64_t wanted) {
  return pipe->is_counter ? pipe->counter <= MAX_COUNTER - wanted : room_in(pipe) >= wanted || pipe->readers == 0;
}

/* ---- waiting ---- */

static short readiness(const struct description *end) {
  short ready = 0;
  if (end->input && has_something(end->input)) ready |= POLLIN | POLLRDNORM;
  if (end->input && !end->input->is_counter && end->input->writers == 0) ready |= POLLHUP;
  if (end->output && pipe_has_room(end->output, end->output->is_counter ? 1 : ATOMIC_WRITE_BYTES))
    ready |= POLLOUT | POLLWRNORM;
  if (end->output && !end->output->is_counter && end->output->readers == 0) ready |= POLLERR;
  return ready;
}

static short answer_for(const struct pollfd *entry) {
  if (entry->fd < 0) return 0;
  const struct description *end = pipe_description(entry->fd);
  if (end) return readiness(end) & (entry->events | POLLHUP | POLLERR);
  struct pollfd copy = *entry;
  return system_call(SYS_poll, &copy, 1, 0) > 0 ? copy.revents : 0;
}

static int count_ready(const struct pollfd *entries, nfds_t count) {
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) ready += answer_for(&entries[i]) != 0;
  return ready;
}

bool pipe_can_move(const struct thread *thread) {
  const struct pipe_state *pipe = (const struct pipe_state *)thread->operation.object;
  switch (kind_need(thread->operation.kind)) {
  case NEEDS_DATA: return has_something(pipe);
  case NEEDS_SPACE: return pipe_has_room(pipe, thread->awaited);
  case NEEDS_READINESS: return count_ready(thread->polled, thread->awaited) > 0;
  default: return true;
  }
}

/* Returns when it is the thread's turn: the pipe is ready then, or the descriptor does not wait. */
void pipe_take_turn(uint8_t kind, struct pipe_state *pipe, uint64_t wanted, bool waits, site_id site, char *frame) {
  self()->awaited = wanted;
  if (waits) {
    schedule_cancellable(kind, &pipe->object, site);
    return;
  }
  schedule_attempt(kind, &pipe->object, site, frame);
  if (cancel_is_due(self())) cancel_act(site);
}

void pipe_record_change(uint8_t kind, struct pipe_state *pipe, site_id site, uint64_t count) {
  if (count) {
    spin_end(self());
    pipe->object.version++;
  }
  record_object(kind, &pipe->object, site, count);
}

void pipe_announce_access(const void *buffer, size_t size, site_id site, bool writes) {
  if (__heddle_in_run) __heddle_slow_range(buffer, size, (const struct site *)(uint64_t)site, writes);
}

/* ---- reading ---- */

static void copy_out(const struct pipe_state *pipe, char *to, uint32_t count) {
  const uint32_t until_end = PIPE_BYTES - pipe->first;
  const uint32_t head = count < until_end ? count : until_end;
  memcpy(to, pipe->bytes + pipe->first, head);
  memcpy(to + head, pipe->bytes, count - head);
}

static ssize_t read_bytes(struct pipe_state *pipe, void *buffer, size_t size, bool peek, site_id site) {
  const uint32_t count = size < pipe->used ? (uint32_t)size : pipe->used;
  char bytes[count + 1];
  copy_out(pipe, bytes, count);
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

static ssize_t read_end(const struct description *end, void *buffer, size_t size, int flags, char *frame) {
  const site_id site = take_site();
  struct pipe_state *pipe = end->input;
  if (!pipe) return fail(EBADF);
  if (pipe->is_counter && size < sizeof(uint64_t)) return fail(EINVAL);
  if (size == 0) return 0;
  const bool waits = !end->nonblocking && !(flags & MSG_DONTWAIT);
  if (pipe->is_counter) return eventfd_take(pipe, buffer, waits, site, frame);
  pipe_take_turn(EVENT_PIPE_READ, pipe, 0, waits, site, frame);
  if (!has_something(pipe)) {
    pipe_record_change(EVENT_PIPE_READ, pipe, site, 0);
    return fail(EAGAIN);
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
  return fail(EPIPE);
}

/* Up to PIPE_BUF bytes go at once or not at all; more may go in pieces, between which others may write. */
static ssize_t write_bytes(const struct description *end, const char *buffer, size_t size, int flags, site_id site,
                           char *frame) {
  struct pipe_state *pipe = end->output;
  const bool waits = !end->nonblocking && !(flags & MSG_DONTWAIT);
  const uint32_t least = size <= ATOMIC_WRITE_BYTES ? (uint32_t)size : 1;
  size_t done = 0;
  do {
    pipe_take_turn(EVENT_PIPE_WRITE, pipe, least, waits, site, frame);
    const uint32_t room = room_in(pipe) < least || pipe->readers == 0 ? 0 : room_in(pipe);
    const uint32_t count = size - done < room ? (uint32_t)(size - done) : room;
    races_release(&pipe->object);
    term_memory_pin((uint64_t)buffer + done, count, PIN_MODEL, site);
    copy_in(pipe, buffer + done, count);
    pipe_record_change(EVENT_PIPE_WRITE, pipe, site, count);
    if (pipe->readers == 0) return broken((ssize_t)done, flags, site);
    if (count == 0) return done ? (ssize_t)done : fail(EAGAIN);
    done += count;
  } while (done < size && waits);
  return (ssize_t)done;
}

static ssize_t write_end(const struct description *end, const void *buffer, size_t size, int flags, char *frame) {
  const site_id site = take_site();
  if (!end->output) return fail(EBADF);
  if (size) pipe_announce_access(buffer, size, site, false);
  if (end->output->is_counter) return eventfd_add(end, buffer, size, site, frame);
  return size ? write_bytes(end, buffer, size, flags, site, frame) : 0;
}

/* ---- the functions ---- */

WRAPPED(ssize_t, read, (int descriptor, void *buffer, size_t size), (descriptor, buffer, size)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return read_end(end, buffer, size, 0, frame);
  if (descriptor == 0 && standard_input_is_symbolic()) return standard_input_read(buffer, size);
  return (ssize_t)FOLLOWED_REAL(read, descriptor, buffer, size);
}

WRAPPED(ssize_t, write, (int descriptor, const void *buffer, size_t size), (descriptor, buffer, size)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  return end ? write_end(end, buffer, size, 0, frame) : (ssize_t)FOLLOWED_REAL(write, descriptor, buffer, size);
}

WRAPPED(ssize_t, recv, (int descriptor, void *buffer, size_t size, int flags), (descriptor, buffer, size, flags)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return end->is_socket ? read_end(end, buffer, size, flags, frame) : fail(ENOTSOCK);
  return (ssize_t)FOLLOWED_REAL(recv, descriptor, buffer, size, flags);
}

WRAPPED(ssize_t, send, (int descriptor, const void *buffer, size_t size, int flags),
        (descriptor, buffer, size, flags)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (end) return end->is_socket ? write_end(end, buffer, size, flags, frame) : fail(ENOTSOCK);
  return (ssize_t)FOLLOWED_REAL(send, descriptor, buffer, size, flags);
}

/* Piece by piece, and reading stops after the first: both are allowed. */
WRAPPED(ssize_t, readv, (int descriptor, const struct iovec *pieces, int count), (descriptor, pieces, count)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  for (int i = 0; end && i < count; i++)
    if (pieces[i].iov_len) return read_end(end, pieces[i].iov_base, pieces[i].iov_len, 0, frame);
  if (end) return 0;
  return (ssize_t)FOLLOWED_REAL(readv, descriptor, pieces, count);
}

WRAPPED(ssize_t, writev, (int descriptor, const struct iovec *pieces, int count), (descriptor, pieces, count)) {
  char *frame = SPIN_FRAME();
  const struct description *end = pipe_description(descriptor);
  if (!end) return (ssize_t)FOLLOWED_REAL(writev, descriptor, pieces, count);
  ssize_t done = 0;
  for (int i = 0; i < count; i++) {
    const ssize_t written = write_end(end, pieces[i].iov_base, pieces[i].iov_len, 0, frame);
    if (written < 0) return done ? done : written;
    done += written;
    if ((size_t)written < pieces[i].iov_len) break;
  }
  return done;
}

/* ---- opening ---- */

static int make_pipe(int told[2], int flags) {
  int descriptors[2];
  rt->files_touched = true;
  const long result = system_call(SYS_pipe2, descriptors, flags);
  if (result < 0) return fail((int)-result);
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
  rt->files_touched = true;
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

void pipe_duplicate(int from, int to) {
  struct description *end = pipe_description(from);
  if (end && to >= 0 && to < (int)MAX_DESCRIPTORS && from != to) attach(to, end);
}

/* ---- closing ---- */

static void stop_reading(struct description *end) {
  if (!end->input) return;
  end->input->readers--;
  end->input->object.version++;
  end->input = NULL;
}

static void stop_writing(struct description *end) {
  if (!end->output) return;
  races_release(&end->output->object);
  end->output->writers--;
  end->output->object.version++;
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
  stop_reading(end);
  stop_writing(end);
}

WRAPPED(int, shutdown, (int descriptor, int how), (descriptor, how)) {
  struct description *end = pipe_description(descriptor);
  if (!end) return __real_shutdown(descriptor, how);
  if (!end->is_socket) return fail(ENOTSOCK);
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return fail(EINVAL);
  take_turn_to_close(end, take_site());
  if (how != SHUT_WR) stop_reading(end);
  if (how != SHUT_RD) stop_writing(end);
  return 0;
}

/* ---- flags ---- */

static int control(int descriptor, int command, long argument, int result) {
  struct description *end = pipe_description(descriptor);
  if (!end || result < 0) return result;
  if (command == F_SETFL) end->nonblocking = argument & O_NONBLOCK;
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) pipe_duplicate(descriptor, result);
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
    if (controlled && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) rt->files_touched = true;                    \
    const int result = __real_##name(descriptor, command, argument);                                                   \
    return controlled ? control(descriptor, command, argument, result) : result;                                       \
  }

WRAPPED_CONTROL(fcntl)
WRAPPED_CONTROL(fcntl64)

/* ---- polling ---- */

static struct pipe_state *pipe_of(const struct pollfd *entry) {
  const struct description *end = pipe_description(entry->fd);
  if (!end) return NULL;
  return end->input ? end->input : end->output;
}

static struct pipe_state *first_pipe(const struct pollfd *entries, nfds_t count) {
  for (nfds_t i = 0; i < count; i++)
    if (pipe_of(&entries[i])) return pipe_of(&entries[i]);
  return NULL;
}

static int fill_answers(struct pollfd *entries, nfds_t count) {
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    entries[i].revents = answer_for(&entries[i]);
    ready += entries[i].revents != 0;
  }
  return ready;
}

/* A loop of polls that never wait spins on all of the pipes. */
static void watch_all(const struct pollfd *entries, nfds_t count, site_id site, char *frame,
                      void (*look)(struct thread *, struct visit)) {
  for (nfds_t i = 0; i < count; i++) {
    struct description *end = pipe_description(entries[i].fd);
    struct pipe_state *const both[] = {end ? end->input : NULL, end ? end->output : NULL};
    for (int k = 0; k < 2; k++)
      if (both[k]) look(self(), visit_of_object(&both[k]->object, site, frame));
  }
}

static void take_turn_to_poll(struct pollfd *entries, nfds_t count, int64_t timeout, site_id site, char *frame) {
  struct pipe_state *pipe = first_pipe(entries, count);
  self()->polled = entries;
  self()->awaited = count;
  if (timeout == 0)
    watch_all(entries, count, site, frame, spin_before_read);
  else
    spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_PIPE_POLL,
                                        .address = pipe->object.address,
                                        .object = &pipe->object,
                                        .site = site,
                                        .can_block = timeout != 0,
                                        .cancels = timeout != 0,
                                        .can_give_up = timeout > 0});
  if (timeout == 0 && !count_ready(entries, count))
    watch_all(entries, count, site, frame, spin_after_read);
  else
    spin_end(self());
  if (cancel_is_due(self())) cancel_act(site);
}

/* time-out in nanoseconds, negative: none */
static int poll_until(struct pollfd *entries, nfds_t count, int64_t timeout, site_id site, char *frame) {
  const struct pipe_state *pipe = first_pipe(entries, count);
  const struct deadline deadline = deadline_after(timeout > 0 ? (uint64_t)timeout : 0);
  if (!pipe) {
    cancel_point(site, frame);
    snapshot_make_writable(entries, count * sizeof *entries);
    const long result = system_call(SYS_poll, entries, count, timeout < 0 ? -1 : 0);
    if (result == 0 && timeout > 0) deadline_passed(&deadline);
    return result < 0 ? fail((int)-result) : (int)result;
  }
  take_turn_to_poll(entries, count, timeout, site, frame);
  const int ready = fill_answers(entries, count);
  record_object(EVENT_PIPE_POLL, &pipe->object, site, (uint64_t)ready);
  if (ready == 0 && timeout > 0) deadline_passed(&deadline);
  if (ready > 0) deadline_kept(&deadline, 0);
  return ready;
}

#define POLLED_ON_STACK 64

/* The program's entries are read, and their answers written, as accesses of their own. */
static int poll_entries(struct pollfd *entries, nfds_t count, int64_t timeout, char *frame) {
  const site_id site = take_site();
  if (count > POLLED_ON_STACK) return poll_until(entries, count, timeout, site, frame);
  struct pollfd own[POLLED_ON_STACK];
  model_reads(entries, count * sizeof *entries, site);
  memcpy(own, entries, count * sizeof *entries);
  const int result = poll_until(own, count, timeout, site, frame);
  for (nfds_t i = 0; i < count && result >= 0; i++)
    model_store(&entries[i].revents, &own[i].revents, sizeof own[i].revents, site);
  return result;
}

WRAPPED(int, poll, (struct pollfd * entries, nfds_t count, int timeout), (entries, count, timeout)) {
  char *frame = SPIN_FRAME();
  return poll_entries(entries, count, timeout < 0 ? -1 : timeout * 1000000ll, frame);
}

WRAPPED(int, ppoll, (struct pollfd * entries, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
        (entries, count, timeout, mask)) {
  char *frame = SPIN_FRAME();
  return poll_entries(entries, count, timeout ? timeout->tv_sec * 1000000000ll + timeout->tv_nsec : -1, frame);
}

static nfds_t sets_to_entries(int count, fd_set *const sets[3], struct pollfd *entries) {
  static const short events[3] = {POLLIN, POLLOUT, POLLPRI};
  nfds_t n = 0;
  for (int descriptor = 0; descriptor < count && descriptor < FD_SETSIZE; descriptor++) {
    struct pollfd entry = {.fd = descriptor};
    for (int i = 0; i < 3; i++)
      if (sets[i] && FD_ISSET(descriptor, sets[i])) entry.events |= events[i];
    if (entry.events) entries[n++] = entry;
  }
  return n;
}

static int entries_to_sets(const struct pollfd *entries, nfds_t count, fd_set *const sets[3]) {
  static const short events[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
  int bits = 0;
  for (int i = 0; i < 3; i++)
    if (sets[i]) FD_ZERO(sets[i]);
  for (nfds_t k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      if (sets[i] && entries[k].revents & events[i] && (entries[k].events & events[i])) {
        FD_SET(entries[k].fd, sets[i]);
        bits++;
      }
  return bits;
}

/* The kernel looks at whole words. */
static uint64_t bytes_of_set(int count) {
  const uint64_t bytes = ((uint64_t)(count < 0 ? 0 : count) + 63) / 64 * 8;
  return bytes < sizeof(fd_set) ? bytes : sizeof(fd_set);
}

static int select_until(int count, fd_set *const sets[3], int64_t timeout, char *frame) {
  struct pollfd entries[FD_SETSIZE];
  const site_id site = take_site();
  for (int i = 0; i < 3; i++)
    if (sets[i]) model_reads(sets[i], bytes_of_set(count), site);
  const nfds_t n = sets_to_entries(count, sets, entries);
  const int result = poll_until(entries, n, timeout, site, frame);
  if (result < 0) return result;
  for (nfds_t i = 0; i < n; i++)
    if (entries[i].revents & POLLNVAL) return fail(EBADF);
  fd_set answers[3];
  fd_set *const own[3] = {sets[0] ? &answers[0] : NULL, sets[1] ? &answers[1] : NULL, sets[2] ? &answers[2] : NULL};
  const int bits = entries_to_sets(entries, n, own);
  for (int i = 0; i < 3; i++) model_store(sets[i], &answers[i], bytes_of_set(count), site);
  return bits;
}

WRAPPED(int, select, (int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout),
        (count, reads, writes, others, timeout)) {
  char *frame = SPIN_FRAME();
  fd_set *const sets[3] = {reads, writes, others};
  return select_until(count, sets, timeout ? timeout->tv_sec * 1000000000ll + timeout->tv_usec * 1000ll : -1, frame);
}

WRAPPED(int, pselect,
        (int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *timeout,
         const sigset_t *mask),
        (count, reads, writes, others, timeout, mask)) {
  char *frame = SPIN_FRAME();
  fd_set *const sets[3] = {reads, writes, others};
  return select_until(count, sets, timeout ? timeout->tv_sec * 1000000000ll + timeout->tv_nsec : -1, frame);
}

/* ---- leaving the model ---- */

/* What is in a pipe goes into the kernel's, in pieces that its buffer holds for certain. */
static void pour_out(const struct pipe_state *pipe, int descriptor) {
  if (pipe->is_counter) {
    uint64_t counter = pipe->counter;
    if (counter) system_call(SYS_write, descriptor, &counter, sizeof counter);
    return;
  }
  char bytes[pipe->used + 1];
  copy_out(pipe, bytes, pipe->used);
  if (pipe->used) system_call(SYS_write, descriptor, bytes, pipe->used);
}

void pipes_become_real(void) {
  for (uint32_t i = 0; i < the_pipes->n_pipes; i++)
    for (int descriptor = 0; descriptor < (int)MAX_DESCRIPTORS; descriptor++) {
      const struct description *end = pipe_description(descriptor);
      if (!end || end->output != &the_pipes->states[i]) continue;
      pour_out(end->output, descriptor);
      break;
    }
  memset(the_pipes->descriptors, 0, sizeof the_pipes->descriptors);
}
