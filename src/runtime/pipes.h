/* SPDX-License-Identifier: MIT
 *
 * Descriptors by which threads of the program talk to each other: pipes, pairs of stream sockets, event counters. Their
 * state is here, in struct runtime, and not in the kernel; a real descriptor of the same kind is kept open for its
 * number.
 *
 *     descriptor --> description (what open makes and dup shares) --> one pipe to read from, one to write to
 */
#ifndef HEDDLE_RUNTIME_PIPES_H
#define HEDDLE_RUNTIME_PIPES_H

#include "epolls.h"
#include "runtime.h"

#include <sys/types.h>

#define MAX_COUNTER (UINT64_MAX - 1)

#define PIPE_BYTES 65536u
#define ATOMIC_WRITE_BYTES 4096u /* PIPE_BUF */
#define MAX_PIPES 128u
#define MAX_DESCRIPTORS 1024u
#define MAX_COUNTER (UINT64_MAX - 1)

/* A queue of bytes, or an event counter. */
struct pipe_state {
  struct object object; /* its address is the number of the descriptor that was made to read from it */
  bool is_counter, counts_by_one;
  uint64_t counter;
  uint32_t first, used;
  uint16_t readers, writers; /* descriptions that are open */
  char bytes[PIPE_BYTES];
};

struct description {
  struct pipe_state *input, *output; /* NULL: it cannot read, write */
  struct epoll_state *epoll;         /* NULL: it is none */
  uint16_t references;               /* descriptors; 0: free */
  bool nonblocking, is_socket;
  bool is_shared; /* with a process that the program has started: what is in it is the kernel's */
};

struct pipes {
  uint32_t n_pipes, n_epolls;
  struct pipe_state states[MAX_PIPES]; /* not used again within a run */
  struct epoll_state epolls[MAX_EPOLLS];
  struct description descriptions[2 * MAX_PIPES + MAX_EPOLLS];
  struct description *descriptors[MAX_DESCRIPTORS]; /* NULL: not one of these */
};

/* Beside struct runtime: only what is used is ever touched. */
#define the_pipes ((struct pipes *)(RUNTIME_ADDRESS + (62ull << 30)))

void pipes_initialise(void);
void pipes_begin_run(void);
/* The program starts a process: from here on what is in them is the kernel's. */
void pipes_share(void);
/* It gives one to stdio: from here on all are the kernel's. */
void pipes_become_real(void);
struct description *pipe_description(int descriptor); /* NULL: not one of these */
void pipe_duplicate(int from, int to);                /* the program made `to` a copy of `from` */
void pipe_close(int descriptor, site_id site);
/* NULL when there are too many, or the number is too large: then it stays the kernel's. */
struct pipe_state *pipe_new(int number);
/* The descriptor reads from one and writes to the other; NULL: it does not. */
void pipe_open_end(int descriptor, struct pipe_state *input, struct pipe_state *output, bool nonblocking);
uint32_t pipe_room(const struct pipe_state *pipe);
/* Can a thread read from it? Write to it what it wants to: so many bytes, or a number to add? */
bool pipe_has_something(const struct pipe_state *pipe);
bool pipe_has_room(const struct pipe_state *pipe, uint64_t wanted);
void pipe_copy_out(const struct pipe_state *pipe, char *to, uint32_t count);
short pipe_readiness(const struct description *end); /* for poll */
/* What poll says now: of one entry; for how many of them there is something to say. */
struct pollfd;
short pipe_answer(const struct pollfd *entry);
int pipe_count_ready(const struct pollfd *entries, uint64_t count);
/* Returns when it is the thread's turn: the pipe is ready then, or the descriptor does not wait. False: a signal
 * interrupted it. */
bool pipe_take_turn(uint8_t kind, struct pipe_state *pipe, uint64_t wanted, bool waits, site_id site, char *frame);
/* `count`: how much went through; 0 when it was in vain. */
void pipe_record_change(uint8_t kind, struct pipe_state *pipe, site_id site, uint64_t count);
void pipe_announce_access(const void *buffer, size_t size, site_id site, bool writes);
/* model_eventfd.c: reading and writing a counter. */
long eventfd_take(struct pipe_state *counter, void *buffer, bool waits, site_id site, char *frame);
long eventfd_add(const struct description *end, const void *buffer, size_t size, site_id site, char *frame);
/* model_shared_pipe.c: of what is shared with a process. */
ssize_t shared_read(int descriptor, const struct description *end, void *buffer, size_t size, int flags, site_id site);
ssize_t shared_write(int descriptor, const struct description *end, const void *buffer, size_t size, int flags,
                     site_id site);
bool shared_is_ready(const struct thread *thread); /* before SHARED_READ, SHARED_WRITE: it can move */
/* For the scheduler: whether the operation the thread stands before can move. */
bool pipe_can_move(const struct thread *thread);

#endif
