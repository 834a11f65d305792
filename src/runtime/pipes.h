/* SPDX-License-Identifier: MIT
 *
 * Descriptors by which threads of the program talk to each other: pipes, sockets (sockets.h), event counters, timers
 * that are descriptors. Their state is here, beside struct runtime, and not in the kernel; a real descriptor of the
 * same kind is kept open for its number.
 *
 *     descriptor --> description (what open makes and dup shares) --> one pipe to read from, one to write to
 */
#ifndef HEDDLE_RUNTIME_PIPES_H
#define HEDDLE_RUNTIME_PIPES_H

#include "epolls.h"
#include "runtime.h"
#include "sockets.h"

#include <sys/types.h>

#define PIPE_BYTES 65536u
#define SOCKET_BYTES 212992u     /* what a socket of Linux holds unless it is told otherwise */
#define ATOMIC_WRITE_BYTES 4096u /* PIPE_BUF */
#define MAX_PIPES 128u
#define MAX_DESCRIPTORS 1024u
#define MAX_COUNTER (UINT64_MAX - 1)

/* A queue of bytes, or an event counter. */
struct pipe_state {
  struct object object; /* its address is the number of the descriptor that was made to read from it */
  bool is_counter, counts_by_one;
  bool keeps_records; /* what was written together is read together: struct record before each (sockets.h) */
  bool is_broken;     /* TCP: somebody wrote after the reader was gone, and the next one is told */
  uint64_t counter;
  struct timer *timer; /* that counts here, NULL: none does */
  uint32_t capacity, first, used;
  uint32_t n_records, most_records; /* one more fits; 0: any number */
  uint16_t readers, writers;        /* descriptions that are open */
  int read_error;                   /* for who reads next when it is empty, 0 none */
  int write_error;
  char bytes[SOCKET_BYTES];
};

struct description {
  struct pipe_state *input, *output; /* NULL: it cannot read, write */
  struct epoll_state *epoll;         /* NULL: it is none */
  struct socket_state *socket;       /* NULL: it is none */
  uint16_t references;               /* descriptors; 0, without users: free */
  uint16_t users;                    /* threads inside a call that has it: then closing it comes after that */
  bool nonblocking;
  bool is_shared;               /* with a process that the program has started: what is in it is the kernel's */
  bool no_reading, no_writing;  /* shutdown */
  bool left_input, left_output; /* no longer one of their readers, writers */
};

struct pipes {
  uint32_t n_pipes, n_epolls, n_sockets, n_connections;
  struct pipe_state states[MAX_PIPES]; /* not used again within a run */
  struct epoll_state epolls[MAX_EPOLLS];
  struct socket_state sockets[MAX_SOCKETS]; /* nor are these, and the next */
  struct connection connections[MAX_SOCKETS];
  uint32_t n_descriptions; /* places used in this run */
  struct description descriptions[2 * MAX_PIPES + MAX_EPOLLS + 2 * MAX_SOCKETS];
  struct description *descriptors[MAX_DESCRIPTORS]; /* NULL: not one of these */
};

/* Beside struct runtime: only what is used is ever touched. */
#define the_pipes ((struct pipes *)(RUNTIME_ADDRESS + (62ull << 30)))

void pipes_initialise(void);
void pipes_begin_run(void);
/* The program starts a process, that is another program from the first or not: from here on what is in pipes, counters
 * and stream sockets of a pair is the kernel's. False: the process gets a socket or timer that is heddle's. */
bool pipes_share(bool is_another);
/* It gives one to stdio: from here on pipes and counters are the kernel's. Sockets stay heddle's. */
void pipes_become_real(void);
struct description *pipe_description(int descriptor); /* NULL: not one of these */
int pipe_number(const struct description *end);       /* the lowest of its descriptors, -1: none */
void pipe_duplicate(int from, int to);                /* the program made `to` a copy of `from` */
void pipe_close(int descriptor, site_id site);
/* It is closed when the last descriptor is, but not while a thread uses it. */
void pipe_hold(struct description *end);
void pipe_release(struct description *end, site_id site);
/* NULL when there are too many, or the number is too large: then it stays the kernel's. */
struct pipe_state *pipe_new(uint64_t number);
/* The descriptor reads from one and writes to the other; NULL: it does not. */
void pipe_open_end(int descriptor, struct pipe_state *input, struct pipe_state *output, bool nonblocking);
uint32_t pipe_room(const struct pipe_state *pipe);
void pipe_copy_in(struct pipe_state *pipe, const void *from, uint32_t count);
void pipe_skip(struct pipe_state *pipe, uint32_t count);
/* Can a thread read from it? Write to it what it wants to: so many bytes, or a number to add? */
bool pipe_has_something(const struct pipe_state *pipe);
bool pipe_has_room(const struct pipe_state *pipe, uint64_t wanted);
void pipe_copy_out(const struct pipe_state *pipe, uint32_t from, void *to, uint32_t count);
short pipe_readiness(const struct description *end); /* for poll */
/* What poll says now: of one entry; for how many of them there is something to say. */
struct pollfd;
short pipe_answer(const struct pollfd *entry);
int pipe_count_ready(const struct pollfd *entries, uint64_t count);
/* What an operation waits for, and how long: of a socket, its description as well. */
struct turn {
  uint64_t wanted;
  const struct description *end; /* NULL: the pipe alone decides */
  bool waits;
  uint64_t timeout; /* nanoseconds, 0: none */
  site_id site;
  char *frame;
};
/* Returns when it is the thread's turn: the pipe is ready then, the time is over, or the descriptor does not wait.
 * False: a signal interrupted it. */
bool pipe_take_turn(uint8_t kind, struct object *object, const struct turn *turn);
/* `count`: how much went through; 0 when it was in vain. */
void pipe_record_change(uint8_t kind, struct pipe_state *pipe, site_id site, uint64_t count);
void pipe_announce_access(const void *buffer, size_t size, site_id site, bool writes);
struct iovec;
/* model_pipe.c: reading and writing a stream, or a counter. */
ssize_t pipe_read(struct description *end, void *buffer, size_t size, int flags, char *frame);
ssize_t pipe_write(struct description *end, const void *buffer, size_t size, int flags, char *frame);
ssize_t pipe_read_pieces(struct description *end, const struct iovec *pieces, size_t count, int flags, char *frame);
ssize_t pipe_write_pieces(struct description *end, const struct iovec *pieces, size_t count, int flags, char *frame);
/* Into what the thread holds, as accesses of the program's memory; how much. */
size_t pipe_hold_pieces(const struct iovec *pieces, size_t count, site_id site);
ssize_t pipe_fail_broken(ssize_t done, int flags, site_id site); /* EPIPE and SIGPIPE */
void pipe_stop_reading(struct description *end);
void pipe_stop_writing(struct description *end);
/* model_eventfd.c: reading and writing a counter. */
long eventfd_take(struct pipe_state *counter, void *buffer, bool waits, site_id site, char *frame);
long eventfd_add(const struct description *end, const void *buffer, size_t size, site_id site, char *frame);
/* model_timerfd.c: how often a timer has expired. */
long timerfd_take(struct pipe_state *counter, void *buffer, bool waits, site_id site, char *frame);
/* model_shared_pipe.c: of what is shared with a process. */
ssize_t shared_read(const struct description *end, void *buffer, size_t size, int flags, site_id site);
ssize_t shared_write(const struct description *end, const void *buffer, size_t size, int flags, site_id site);
int shared_bytes_to_read(const struct description *end, site_id site);
bool shared_is_ready(const struct thread *thread); /* before SHARED_READ, SHARED_WRITE: it can move */
/* For the scheduler: whether the operation the thread stands before can move. */
bool pipe_can_move(const struct thread *thread);

#endif
