/* SPDX-License-Identifier: MIT
 *
 * epoll of pipes, sockets, event counters and timers (epolls.h). Changing a set and waiting for it are visible
 * operations that depend on everything. The kernel has the same set: it says what is wrong with a change. If more is
 * ready than fits, what is told first is a choice.
 */
#include "choose.h"
#include "ends.h"
#include "epolls.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>

/* ---- opening ---- */

static int open_set(int descriptor) {
  if (descriptor < 0) return descriptor;
  if (the_pipes->n_epolls == MAX_EPOLLS || descriptor >= (int)MAX_DESCRIPTORS)
    finish_at_limit("more than 16 epoll sets, or 1024 descriptors");
  struct epoll_state *epoll = &the_pipes->epolls[the_pipes->n_epolls++];
  epoll->object =
      (struct object){.address = (uint64_t)descriptor, .run = rt->run, .class = PIPE_OBJECT, .owner = NO_THREAD};
  epoll->n_entries = 0;
  pipe_open_end(descriptor, NULL, NULL, false);
  pipe_description(descriptor)->epoll = epoll;
  return descriptor;
}

WRAPPED(int, epoll_create, (int size), (size)) {
  files_touch();
  return open_set(__real_epoll_create(size));
}

WRAPPED(int, epoll_create1, (int flags), (flags)) {
  files_touch();
  return open_set(__real_epoll_create1(flags));
}

/* ---- changing ---- */

static void change_entry(struct epoll_entry *entry, const struct epoll_event *event) {
  entry->events = event->events;
  entry->data = event->data.u64;
  entry->is_news = true;
  entry->is_off = false;
}

static void add_entry(struct epoll_state *epoll, int descriptor, const struct epoll_event *event) {
  struct description *description = pipe_description(descriptor);
  if (!description || description->epoll)
    finish_at_limit("an epoll set with a descriptor that is no pipe, socket, event counter or timer");
  if (epoll->n_entries == MAX_EPOLL_ENTRIES) finish_at_limit("more than 128 descriptors in an epoll set");
  struct epoll_entry *entry = &epoll->entries[epoll->n_entries++];
  *entry = (struct epoll_entry){.descriptor = descriptor, .description = description};
  change_entry(entry, event);
}

static void change_set(struct epoll_state *epoll, int operation, int descriptor, const struct epoll_event *event) {
  struct epoll_entry *entry = epoll_find(epoll, descriptor, pipe_description(descriptor));
  if (operation == EPOLL_CTL_ADD) add_entry(epoll, descriptor, event);
  if (operation == EPOLL_CTL_MOD && entry) change_entry(entry, event);
  if (operation == EPOLL_CTL_DEL && entry) {
    *entry = epoll->entries[epoll->n_entries - 1];
    epoll->n_entries--;
  }
}

WRAPPED(int, epoll_ctl, (int set, int operation, int descriptor, struct epoll_event *event),
        (set, operation, descriptor, event)) {
  const site_id site = take_site();
  const struct description *description = pipe_description(set);
  struct epoll_event own = {0};
  if (!description || !description->epoll) return (int)FOLLOWED_REAL(epoll_ctl, set, operation, descriptor, event);
  if (event && operation != EPOLL_CTL_DEL) {
    model_reads(event, sizeof *event, site);
    own = *event;
  }
  struct epoll_state *epoll = description->epoll;
  schedule_object(EVENT_EPOLL_CONTROL, &epoll->object, site, false);
  record_object(EVENT_EPOLL_CONTROL, &epoll->object, site, (uint64_t)descriptor);
  const long result = system_call(SYS_epoll_ctl, set, operation, descriptor, &own);
  if (result < 0) return model_fail((int)-result);
  epoll->object.version++;
  change_set(epoll, operation, descriptor, &own);
  return 0;
}

/* ---- waiting ---- */

int __real_epoll_wait(int set, struct epoll_event *events, int most, int timeout);

/* A loop of calls that never wait spins on the set and all that is in it. */
static void look_at_all(struct epoll_state *epoll, site_id site, char *frame,
                        void (*look)(struct thread *, struct visit)) {
  look(self(), visit_of_object(&epoll->object, site, frame));
  for (uint32_t i = 0; i < epoll->n_entries; i++) {
    const struct description *end = epoll->entries[i].description;
    if (end->input) look(self(), visit_of_object(&end->input->object, site, frame));
    if (end->output) look(self(), visit_of_object(&end->output->object, site, frame));
    if (end->socket) look(self(), visit_of_object(&end->socket->object, site, frame));
  }
}

static void take_turn_to_wait(struct epoll_state *epoll, int timeout, site_id site, char *frame) {
  self()->polled = epoll;
  self()->was_interrupted = false;
  if (timeout == 0)
    look_at_all(epoll, site, frame, spin_before_read);
  else
    spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_EPOLL_WAIT,
                                        .address = epoll->object.address,
                                        .object = &epoll->object,
                                        .site = site,
                                        .can_block = timeout != 0,
                                        .cancels = timeout != 0,
                                        .interruption = IS_INTERRUPTED,
                                        .can_give_up = timeout > 0});
  if (timeout == 0 && !epoll_count_ready(epoll))
    look_at_all(epoll, site, frame, spin_after_read);
  else
    spin_end(self());
  if (cancel_is_due(self())) cancel_act(site);
}

/* Up to `most` events, beginning with what is ready after `skip` others. */
static int tell(struct epoll_state *epoll, uint32_t skip, struct epoll_event *events, int most) {
  int told = 0;
  for (uint32_t i = 0; i < 2 * epoll->n_entries && told < most; i++) {
    struct epoll_entry *entry = &epoll->entries[i % epoll->n_entries];
    const uint32_t answer = epoll_answer(entry);
    if (!answer || (skip > 0 && skip-- > 0)) continue;
    events[told++] = (struct epoll_event){.events = answer, .data.u64 = entry->data};
    entry->is_news = false;
    entry->is_off = entry->events & EPOLLONESHOT;
  }
  return told;
}

/* Each of them once. */
static int tell_ready(struct epoll_state *epoll, struct epoll_event *events, int most, site_id site) {
  const uint32_t ready = epoll_count_ready(epoll);
  const uint16_t ways = ready > (uint32_t)most ? (uint16_t)ready : 1;
  const uint16_t skip = choose_alternative(ways);
  struct event *event = record_object(EVENT_EPOLL_WAIT, &epoll->object, site, ready);
  event->alternative = skip;
  event->alternatives = ways;
  return tell(epoll, skip, events, ready < (uint32_t)most ? (int)ready : most);
}

static int wait_until(int set, struct epoll_event *events, int most, int timeout, char *frame) {
  const site_id site = take_site();
  const struct description *description = pipe_description(set);
  if (!description || !description->epoll) return (int)FOLLOWED_REAL(epoll_wait, set, events, most, 0);
  if (most <= 0) return model_fail(EINVAL);
  struct epoll_state *epoll = description->epoll;
  if (epoll_has_shared(epoll)) finish_at_limit("an epoll set with a pipe that the program shares with a process");
  const struct deadline deadline = deadline_after(timeout > 0 ? (uint64_t)timeout * 1000000u : 0);
  timers_elapse(site);
  take_turn_to_wait(epoll, timeout, site, frame);
  if (self()->was_interrupted) return model_fail(EINTR);
  sockets_complete_connecting();
  struct epoll_event own[MAX_EPOLL_ENTRIES];
  const int told = tell_ready(epoll, own, most < (int)MAX_EPOLL_ENTRIES ? most : (int)MAX_EPOLL_ENTRIES, site);
  if (told == 0 && timeout > 0) deadline_passed(&deadline);
  if (told > 0) deadline_kept(&deadline, 0);
  if (told > 0) model_store(events, own, (uint64_t)told * sizeof own[0], site);
  return told;
}

WRAPPED(int, epoll_wait, (int set, struct epoll_event *events, int most, int timeout), (set, events, most, timeout)) {
  char *frame = SPIN_FRAME();
  return wait_until(set, events, most, timeout, frame);
}

/* The time-out in milliseconds, and never 0 where it is more. */
WRAPPED(int, epoll_pwait2,
        (int set, struct epoll_event *events, int most, const struct timespec *timeout, const sigset_t *mask),
        (set, events, most, timeout, mask)) {
  char *frame = SPIN_FRAME();
  if (mask) finish_at_limit("epoll_pwait2 with a signal mask");
  if (timeout) model_reads(timeout, sizeof *timeout, call_site());
  const int64_t milliseconds = timeout ? timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000 : -1;
  return wait_until(set, events, most, milliseconds < INT32_MAX ? (int)milliseconds : INT32_MAX, frame);
}

WRAPPED(int, epoll_pwait, (int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask),
        (set, events, most, timeout, mask)) {
  char *frame = SPIN_FRAME();
  if (mask) finish_at_limit("epoll_pwait with a signal mask");
  return wait_until(set, events, most, timeout, frame);
}
