/* SPDX-License-Identifier: MIT
 *
 * The state of pipes, connections of sockets and event counters: what is in them, and whether who stands before an
 * operation on them can continue. The kernel's own descriptor of the same kind is never touched, unless the program
 * starts a process: then pipes, counters and pairs of sockets become the kernel's.
 */
#include "pipes.h"
#include "model/kinds.h"

#include "ends.h"
#include "executor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>

void pipes_initialise(void) {
  const long at = system_call(SYS_mmap, the_pipes, sizeof *the_pipes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void pipes_begin_run(void) {
  if (!the_pipes->n_pipes && !the_pipes->n_epolls && !the_pipes->n_sockets) return;
  the_pipes->n_pipes = the_pipes->n_epolls = the_pipes->n_sockets = the_pipes->n_connections = 0;
  memset(the_pipes->descriptions, 0, the_pipes->n_descriptions * sizeof the_pipes->descriptions[0]);
  the_pipes->n_descriptions = 0;
  memset(the_pipes->descriptors, 0, sizeof the_pipes->descriptors);
}

struct description *pipe_description(int descriptor) {
  return descriptor >= 0 && descriptor < (int)MAX_DESCRIPTORS ? the_pipes->descriptors[descriptor] : NULL;
}

int pipe_number(const struct description *end) {
  for (int descriptor = 0; descriptor < (int)MAX_DESCRIPTORS; descriptor++)
    if (the_pipes->descriptors[descriptor] == end) return descriptor;
  return -1;
}

struct pipe_state *pipe_new(uint64_t number) {
  if (the_pipes->n_pipes == MAX_PIPES || (number & ~DESCRIPTOR_PEER) >= MAX_DESCRIPTORS) {
    rt->knowledge->overflow = 1;
    return NULL;
  }
  struct pipe_state *pipe = &the_pipes->states[the_pipes->n_pipes++];
  memset(pipe, 0, offsetof(struct pipe_state, bytes));
  pipe->object = (struct object){.address = number, .run = rt->run, .class = PIPE_OBJECT, .owner = NO_THREAD};
  pipe->capacity = PIPE_BYTES;
  return pipe;
}

static void attach(int descriptor, struct description *description) {
  the_pipes->descriptors[descriptor] = description;
  description->references++;
}

void pipe_open_end(int descriptor, struct pipe_state *input, struct pipe_state *output, bool nonblocking) {
  struct description *description = the_pipes->descriptions;
  while (description->references || description->users) description++;
  const uint32_t place = (uint32_t)(description - the_pipes->descriptions);
  if (place >= the_pipes->n_descriptions) the_pipes->n_descriptions = place + 1;
  *description = (struct description){.input = input, .output = output, .nonblocking = nonblocking};
  if (input) input->readers++;
  if (output) output->writers++;
  attach(descriptor, description);
}

uint32_t pipe_room(const struct pipe_state *pipe) {
  return pipe->capacity - pipe->used;
}

bool pipe_has_something(const struct pipe_state *pipe) {
  return pipe->is_counter ? pipe->counter > 0 : pipe->used > 0 || pipe->writers == 0;
}

/* `wanted` is what a thread wants to write: bytes, or the number to add. */
bool pipe_has_room(const struct pipe_state *pipe, uint64_t wanted) {
  if (pipe->most_records && pipe->n_records > pipe->most_records && pipe->readers) return false;
  return pipe->is_counter ? pipe->counter <= MAX_COUNTER - wanted : pipe_room(pipe) >= wanted || pipe->readers == 0;
}

void pipe_duplicate(int from, int to) {
  struct description *end = pipe_description(from);
  if (end && to >= 0 && to < (int)MAX_DESCRIPTORS && from != to) attach(to, end);
}

/* ---- what is in it ---- */

void pipe_copy_out(const struct pipe_state *pipe, uint32_t from, void *to, uint32_t count) {
  const uint32_t at = (pipe->first + from) % pipe->capacity, until_end = pipe->capacity - at;
  const uint32_t head = count < until_end ? count : until_end;
  memcpy(to, pipe->bytes + at, head);
  memcpy((char *)to + head, pipe->bytes, count - head);
}

void pipe_skip(struct pipe_state *pipe, uint32_t count) {
  pipe->first = (pipe->first + count) % pipe->capacity;
  pipe->used -= count;
}

void pipe_copy_in(struct pipe_state *pipe, const void *from, uint32_t count) {
  const uint32_t at = (pipe->first + pipe->used) % pipe->capacity, until_end = pipe->capacity - at;
  const uint32_t head = count < until_end ? count : until_end;
  memcpy(pipe->bytes + at, from, head);
  memcpy(pipe->bytes, (const char *)from + head, count - head);
  pipe->used += count;
}

/* ---- waiting ---- */

short pipe_readiness(const struct description *end) {
  short ready = 0;
  if (end->socket) return socket_readiness(end);
  if (end->epoll && epoll_count_ready(end->epoll)) ready |= POLLIN | POLLRDNORM;
  if (end->input && pipe_has_something(end->input)) ready |= POLLIN | POLLRDNORM;
  if (end->input && !end->input->is_counter && end->input->writers == 0) ready |= POLLHUP;
  if (end->output && pipe_has_room(end->output, end->output->is_counter ? 1 : ATOMIC_WRITE_BYTES))
    ready |= POLLOUT | POLLWRNORM;
  if (end->output && !end->output->is_counter && end->output->readers == 0) ready |= POLLERR;
  return ready;
}

short pipe_answer(const struct pollfd *entry) {
  if (entry->fd < 0) return 0;
  const struct description *end = pipe_description(entry->fd);
  if (end && !end->is_shared) return pipe_readiness(end) & (entry->events | POLLHUP | POLLERR);
  struct pollfd copy = *entry;
  return system_call(SYS_poll, &copy, 1, 0) > 0 ? copy.revents : 0;
}

int pipe_count_ready(const struct pollfd *entries, uint64_t count) {
  int ready = 0;
  for (uint64_t i = 0; i < count; i++) ready += pipe_answer(&entries[i]) != 0;
  return ready;
}

/* Of a socket, its description decides. */
bool pipe_can_move(const struct thread *thread) {
  const struct pipe_state *pipe = (const struct pipe_state *)thread->operation.object;
  const struct description *end = thread->polled;
  if (thread->operation.kind == EVENT_EPOLL_WAIT) return epoll_count_ready(thread->polled) > 0;
  switch (kind_need(thread->operation.kind)) {
  case NEEDS_READINESS: return children_allow(thread);
  case NEEDS_DATA:
    if (pipe->object.class == SOCKET_OBJECT) return socket_can_move(thread);
    return end ? socket_can_read(end) : pipe_has_something(pipe);
  case NEEDS_SPACE:
    if (pipe->object.class == SOCKET_OBJECT) return socket_can_move(thread);
    return end ? socket_can_write(end, thread->awaited) : pipe_has_room(pipe, thread->awaited);
  default: return true;
  }
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
  pipe_copy_out(pipe, 0, bytes, pipe->used);
  if (pipe->used) system_call(SYS_write, descriptor, bytes, pipe->used);
}

/* Both ends are open, and what is in it fits into the kernel's. */
static bool is_joined(const struct pipe_state *pipe) {
  return pipe && pipe->readers == 1 && pipe->writers == 1 && pipe->used <= PIPE_BYTES;
}

static const struct description *peer_of(const struct description *end) {
  for (uint32_t i = 0; i < the_pipes->n_descriptions; i++)
    if (the_pipes->descriptions[i].input == end->output) return &the_pipes->descriptions[i];
  return NULL;
}

/* Nobody waits for it, who would not see that it has become the kernel's. */
static bool is_idle(const struct description *end) {
  return end && end->users == 0 && !epoll_is_member(end);
}

static bool is_idle_pair(const struct description *end) {
  return end->socket->is_pair && is_joined(end->input) && is_joined(end->output) && is_idle(end) &&
         is_idle(peer_of(end));
}

/* The kernel's descriptor is of the same kind, and joined with the same others: no timer, no socket with a name. */

static bool can_be_shared(const struct description *end) {
  if (end->epoll || (end->input && end->input->timer)) return false;
  return !end->socket || is_idle_pair(end);
}

static bool is_pipe_or_counter(const struct description *end) {
  return !end->epoll && !end->socket && !(end->input && end->input->timer);
}

static void pour_out_all(bool (*concerns)(const struct description *)) {
  for (uint32_t i = 0; i < the_pipes->n_pipes; i++)
    for (int descriptor = 0; descriptor < (int)MAX_DESCRIPTORS; descriptor++) {
      const struct description *end = pipe_description(descriptor);
      if (!end || end->is_shared || end->output != &the_pipes->states[i] || !concerns(end)) continue;
      pour_out(end->output, descriptor);
      break;
    }
}

void pipes_become_real(void) {
  pour_out_all(is_pipe_or_counter);
  for (int descriptor = 0; descriptor < (int)MAX_DESCRIPTORS; descriptor++)
    if (pipe_description(descriptor) && !pipe_description(descriptor)->socket)
      the_pipes->descriptors[descriptor] = NULL;
}

static bool is_inherited(int descriptor, bool is_another) {
  return !is_another || !(system_call(SYS_fcntl, descriptor, F_GETFD) & FD_CLOEXEC);
}

/* Those stay heddle's while they are used. */
static bool is_of_sockets(const struct pipe_state *pipe) {
  for (uint32_t i = 0; i < the_pipes->n_descriptions; i++) {
    const struct description *end = &the_pipes->descriptions[i];
    if (end->socket && (end->input == pipe || end->output == pipe)) return true;
  }
  return false;
}

/* A thread that stands before it would not see that it has become the kernel's. */
static bool is_awaited(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    const char *object = (const char *)thread->operation.object;
    if (thread == self() || thread->state != AT_OPERATION) continue;
    if (thread->operation.kind == EVENT_EPOLL_WAIT) return true;
    if (object >= (const char *)the_pipes->states && object < (const char *)&the_pipes->states[the_pipes->n_pipes] &&
        !is_of_sockets((const struct pipe_state *)thread->operation.object))
      return true;
  }
  return false;
}

static bool is_written_by_nobody(const struct pipe_state *pipe) {
  for (uint32_t i = 0; i < the_pipes->n_descriptions; i++)
    if (the_pipes->descriptions[i].references && the_pipes->descriptions[i].output == pipe) return false;
  return true;
}

/* Nobody can put into the kernel's what is left in a pipe whose writing end is closed. */
static bool has_rest(void) {
  for (uint32_t i = 0; i < the_pipes->n_descriptions; i++) {
    const struct description *end = &the_pipes->descriptions[i];
    if (!end->references || end->is_shared || end->socket || !end->input || end->input->is_counter) continue;
    if (end->input->used && is_written_by_nobody(end->input)) return true;
  }
  return false;
}

bool pipes_share(bool is_another) {
  bool has_all = true;
  if (!the_pipes->n_descriptions) return true;
  if (is_awaited()) finish_at_limit("starting a process while a thread stands before a pipe");
  if (has_rest()) finish_at_limit("starting a process while a pipe that nobody can write to is not empty");
  pour_out_all(can_be_shared);
  for (uint32_t i = 0; i < the_pipes->n_descriptions; i++)
    the_pipes->descriptions[i].is_shared |=
        the_pipes->descriptions[i].references && can_be_shared(&the_pipes->descriptions[i]);
  for (int descriptor = 0; descriptor < (int)MAX_DESCRIPTORS; descriptor++) {
    const struct description *end = pipe_description(descriptor);
    if (end && !end->is_shared && !end->epoll && is_inherited(descriptor, is_another)) has_all = false;
  }
  return has_all;
}
