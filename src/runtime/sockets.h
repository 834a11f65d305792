/* SPDX-License-Identifier: MIT
 *
 * Sockets between threads of the program: of UNIX and of TCP and UDP over loopback. A socket is a description of
 * pipes.h, whose pipes are the two directions of its connection, or the queue of datagrams for it. The kernel's socket
 * of the same number has the options, and is never bound or connected. No connection and no datagram comes from
 * outside.
 *
 *     socket --bind--> name --listen--> LISTENS      <--accept-- connection <--connect-- another socket, CONNECTED then
 *
 * What operations depend on, besides the pipes:
 *
 *     address     a word (files.h) that binding, listening and closing change, and that who connects or sends reads
 *     socket      a word that connecting and binding change, and that who uses the socket reads
 *     listener    its object: connecting and accepting
 */
#ifndef HEDDLE_RUNTIME_SOCKETS_H
#define HEDDLE_RUNTIME_SOCKETS_H

#include "runtime.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#define MAX_SOCKETS 256u

struct description;
struct pipe_state;

struct socket_name {
  socklen_t size_bytes; /* 0: it has none */
  union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    char bytes[112];
  };
};

/* What a name stands for, in a form that can be compared. */
struct socket_place {
  uint16_t domain;     /* AF_INET for both kinds of internet addresses, AF_UNIX; 0: none */
  uint16_t port;       /* of the internet, in the order of the machine */
  uint8_t address[16]; /* as of IPv6 */
  bool is_any, is_v6;
  uint64_t key; /* UNIX: of the path or the abstract name */
};

enum socket_phase { SOCKET_FRESH, SOCKET_LISTENS, SOCKET_CONNECTING, SOCKET_CONNECTED };

/* Two pipes; before it is accepted, in the queue of a listener. */
struct connection {
  struct pipe_state *to_client, *to_server;
  struct socket_name client, server;
  struct connection *next;
};

struct socket_state {
  struct object object; /* its address is the number of its first descriptor */
  uint16_t family, type;
  uint8_t phase;
  bool is_told;      /* of a connection that was made in the background: connect has said so */
  bool is_six_only;  /* IPV6_V6ONLY */
  bool may_reuse;    /* SO_REUSEADDR */
  bool may_share;    /* SO_REUSEPORT */
  bool closes_hard;  /* SO_LINGER without time */
  bool is_public;    /* bound by its owner, so that others can know its name */
  bool is_pair;      /* of socketpair, and a stream: the kernel's own is joined as this is */
  bool is_path_gone; /* the path it was bound to has been removed */
  struct description *end;
  struct socket_name name, peer;
  struct socket_place place, peer_place;
  int error; /* SO_ERROR */
  uint64_t receive_timeout, send_timeout;
  uint32_t backlog, n_waiting;
  struct connection *first, *last; /* that wait to be accepted */
  struct socket_state *wanted;     /* CONNECTING: the listener */
  uint64_t turn;                   /* lower: earlier */
};

/* Before each piece of a queue that keeps records. */
struct record {
  uint32_t size_bytes;
  struct socket_name from;
};

struct socket_state *socket_new(struct description *end, int number, int family, int type);
static inline bool socket_is_stream(const struct socket_state *socket) {
  return socket->type == SOCK_STREAM;
}
static inline bool socket_is_connected_kind(const struct socket_state *socket) {
  return socket->type != SOCK_DGRAM;
}
static inline bool socket_is_tcp(const struct socket_state *socket) {
  return socket->family != AF_UNIX && socket->type == SOCK_STREAM;
}

/* ---- names (sockets.c) ---- */

/* What the name stands for; 0, or the errno. */
int socket_read_place(const struct socket_state *socket, const struct socket_name *name, struct socket_place *place);
/* Of this machine, and of nobody else: the loopback, UNIX. */
bool socket_is_inside(const struct socket_place *place);
void socket_aim(struct socket_place *place); /* who connects to all addresses connects to the loopback */
uint64_t socket_address_word(const struct socket_state *socket, const struct socket_place *place);
uint64_t socket_word(const struct socket_state *socket);
/* Some run has bound it. */
bool socket_place_is_known(const struct socket_state *socket, const struct socket_place *place);
void socket_make_place_known(const struct socket_state *socket, const struct socket_place *place);
/* Some run has connected to it, or sent to it. */
bool socket_is_reached(const struct socket_state *socket);
void socket_make_reached(const struct socket_state *socket);
struct socket_state *socket_find_listener(const struct socket_state *from, const struct socket_place *place);
struct socket_state *socket_find_receiver(const struct socket_state *from, const struct socket_place *place);
/* 0, or EADDRINUSE. */
int socket_check_conflict(const struct socket_state *socket, const struct socket_place *place);
int socket_bind_ephemeral(struct socket_state *socket, const struct socket_place *towards);
/* True: the path was one of a socket, which it no longer is. */
bool socket_unlink(const char *path, site_id site);
bool socket_has_path(const char *path, site_id site);

/* ---- connections (connections.c) ---- */

bool socket_has_room(const struct socket_state *listener); /* for one more that waits to be accepted */
void socket_connect_to(struct socket_state *client, struct socket_state *listener);
struct description *socket_accept(struct socket_state *listener, int number);
/* Those that connect in the background, as far as there is room now. */
void sockets_complete_connecting(void);
/* For poll. */
short socket_readiness(const struct description *end);
bool socket_can_read(const struct description *end);
bool socket_can_write(const struct description *end, uint64_t wanted);
bool socket_can_move(const struct thread *thread); /* before accept or connect */
void socket_close(struct socket_state *socket);
/* Nobody can move: who waits for somebody outside the program, NULL nobody. */
const struct thread *socket_find_awaiting(void);
void socket_stop_listening(struct socket_state *socket);

/* model_socket.c: before a stream is read or written. False: it is not connected, errno says so. */
bool socket_begin_to_use(struct description *end, int flags, bool writes, site_id site, char *frame);
/* Nobody has the name: ends the run, unless some run of the program has bound it. */
void socket_check_known(struct socket_state *socket, const struct socket_place *place, const char *message);
/* Why nobody of this name is there: the errno. Ends the run if somebody outside the program may be. */
int socket_refuse(struct socket_state *socket, const struct socket_place *place, const struct socket_name *name);
/* The name of a call's argument; 0, or the errno. */
int socket_take_name(const struct sockaddr *address, socklen_t size, struct socket_name *name, site_id site);
void socket_store_name(const struct socket_name *name, struct sockaddr *address, socklen_t *size, site_id site);

/* ---- messages (model_message.c) ---- */

ssize_t message_receive(struct description *end, void *buffer, size_t size, int flags, struct socket_name *from,
                        bool *was_cut, char *frame);
ssize_t message_send(struct description *end, const void *buffer, size_t size, int flags, const struct socket_name *to,
                     char *frame);

#endif
