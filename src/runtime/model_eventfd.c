/* SPDX-License-Identifier: MIT
 *
 * eventfd: a counter that threads add to and take from. Reading takes all of it, or 1 with EFD_SEMAPHORE, and waits
 * while it is zero; writing waits while the sum would be too large. It is a descriptor as a pipe is (pipes.h), so that
 * closing, copying and polling it are model_pipe.c's.
 *
 * The value of its events is the counter after them.
 */
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "terms.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* What did something ends a spin; what was in vain is part of one. */
static void record(uint8_t kind, struct pipe_state *counter, site_id site, bool changed) {
  if (changed) {
    spin_end(self());
    counter->object.version++;
    epoll_note_news(counter, kind == EVENT_COUNTER_WRITE);
  }
  record_object(kind, &counter->object, site, counter->counter);
}

long eventfd_take(struct pipe_state *counter, void *buffer, bool waits, site_id site, char *frame) {
  const struct turn turn = {.waits = waits, .site = site, .frame = frame};
  if (!pipe_take_turn(EVENT_COUNTER_READ, &counter->object, &turn)) return model_fail(EINTR);
  if (counter->counter == 0) {
    record(EVENT_COUNTER_EMPTY, counter, site, false);
    return model_fail(EAGAIN);
  }
  const uint64_t value = counter->counts_by_one ? 1 : counter->counter;
  counter->counter -= value;
  record(EVENT_COUNTER_READ, counter, site, true);
  races_acquire(&counter->object);
  pipe_announce_access(buffer, sizeof value, site, true);
  memcpy(buffer, &value, sizeof value);
  return sizeof value;
}

long eventfd_add(const struct description *end, const void *buffer, size_t size, site_id site, char *frame) {
  struct pipe_state *counter = end->output;
  uint64_t value;
  if (size < sizeof value) return model_fail(EINVAL);
  term_memory_pin((uint64_t)buffer, sizeof value, PIN_MODEL, site);
  memcpy(&value, buffer, sizeof value);
  if (value > MAX_COUNTER) return model_fail(EINVAL);
  const struct turn turn = {.wanted = value, .waits = !end->nonblocking, .site = site, .frame = frame};
  if (!pipe_take_turn(EVENT_COUNTER_WRITE, &counter->object, &turn)) return model_fail(EINTR);
  const bool fits = pipe_has_room(counter, value);
  races_release(&counter->object);
  if (fits) counter->counter += value;
  record(fits ? EVENT_COUNTER_WRITE : EVENT_COUNTER_FULL, counter, site, fits && value);
  return fits ? (long)sizeof value : model_fail(EAGAIN);
}

WRAPPED(int, eventfd, (unsigned value, int flags), (value, flags)) {
  files_touch();
  const int descriptor = __real_eventfd(0, flags); /* what it counts is here, until a process shares it */
  struct pipe_state *counter = descriptor < 0 ? NULL : pipe_new((uint64_t)descriptor);
  if (!counter) return descriptor;
  counter->is_counter = true;
  counter->counts_by_one = flags & EFD_SEMAPHORE;
  counter->counter = value;
  pipe_open_end(descriptor, counter, counter, flags & EFD_NONBLOCK);
  return descriptor;
}

ssize_t __wrap_read(int descriptor, void *buffer, size_t size);
ssize_t __wrap_write(int descriptor, const void *buffer, size_t size);

WRAPPED(int, eventfd_read, (int descriptor, eventfd_t *value), (descriptor, value)) {
  return __wrap_read(descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}

WRAPPED(int, eventfd_write, (int descriptor, eventfd_t value), (descriptor, value)) {
  return __wrap_write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}
