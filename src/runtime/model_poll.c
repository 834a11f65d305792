/* SPDX-License-Identifier: MIT
 *
 * poll, select and their like. If one of the descriptors is one of pipes.h, this is a visible operation that waits
 * without blocking the kernel thread.
 */
#include "ends.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"

#include <errno.h>
#include <poll.h>
#include <sys/select.h>

static struct pipe_state *pipe_of(const struct pollfd *entry) {
  const struct description *end = pipe_description(entry->fd);
  if (!end) return NULL;
  return end->input ? end->input : end->output;
}

/* Something whose state is heddle's. */
static struct object *object_of(const struct pollfd *entry) {
  const struct description *end = pipe_description(entry->fd);
  if (end && end->epoll) return &end->epoll->object;
  if (end && end->socket) return &end->socket->object;
  return pipe_of(entry) ? &pipe_of(entry)->object : NULL;
}

static struct object *first_object(const struct pollfd *entries, nfds_t count) {
  for (nfds_t i = 0; i < count; i++)
    if (object_of(&entries[i])) return object_of(&entries[i]);
  return NULL;
}

static int fill_answers(struct pollfd *entries, nfds_t count) {
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    entries[i].revents = pipe_answer(&entries[i]);
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
    if (end && end->socket) look(self(), visit_of_object(&end->socket->object, site, frame));
  }
}

static void take_turn_to_poll(struct pollfd *entries, nfds_t count, int64_t timeout, site_id site, char *frame) {
  struct object *object = first_object(entries, count);
  self()->polled = entries;
  self()->awaited = count;
  self()->was_interrupted = false;
  if (timeout == 0)
    watch_all(entries, count, site, frame, spin_before_read);
  else
    spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_PIPE_POLL,
                                        .address = object->address,
                                        .object = object,
                                        .site = site,
                                        .can_block = timeout != 0,
                                        .cancels = timeout != 0,
                                        .interruption = IS_INTERRUPTED,
                                        .can_give_up = timeout > 0});
  if (timeout == 0 && !pipe_count_ready(entries, count))
    watch_all(entries, count, site, frame, spin_after_read);
  else
    spin_end(self());
  if (cancel_is_due(self())) cancel_act(site);
}

/* time-out in nanoseconds, negative: none */
static int poll_until(struct pollfd *entries, nfds_t count, int64_t timeout, site_id site, char *frame) {
  const struct object *object = first_object(entries, count);
  const struct deadline deadline = deadline_after(timeout > 0 ? (uint64_t)timeout : 0);
  if (!object) {
    cancel_point(site, frame);
    snapshot_make_writable(entries, count * sizeof *entries);
    const long result = system_call(SYS_poll, entries, count, 0);
    if (result == 0 && timeout < 0) finish_at_limit("poll or select would wait for what heddle does not model");
    if (result == 0 && timeout > 0) deadline_passed(&deadline);
    return result < 0 ? model_fail((int)-result) : (int)result;
  }
  timers_elapse(site);
  take_turn_to_poll(entries, count, timeout, site, frame);
  if (self()->was_interrupted) return model_fail(EINTR);
  sockets_complete_connecting();
  const int ready = fill_answers(entries, count);
  record_object(EVENT_PIPE_POLL, object, site, (uint64_t)ready);
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
    if (entries[i].revents & POLLNVAL) return model_fail(EBADF);
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
