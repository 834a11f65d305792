/* SPDX-License-Identifier: MIT
 *
 * Sockets between threads of the program (sockets.h): making, naming and connecting them. What goes through them is
 * model_pipe.c's and model_message.c's. Sockets of other kinds are the kernel's, and nothing that waits for one
 * continues.
 */
#include "ends.h"
#include "files.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "unfollowed.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>

#define MOST_WAITING 4096  /* SOMAXCONN */
#define MOST_DATAGRAMS 10u /* net.unix.max_dgram_qlen, unless somebody has changed it */

/* ---- opening ---- */

static bool is_modelled(int family, int type, int protocol) {
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (family == AF_UNIX) return kind == SOCK_STREAM || kind == SOCK_DGRAM || kind == SOCK_SEQPACKET;
  if (family != AF_INET && family != AF_INET6) return false;
  return (kind == SOCK_STREAM && (!protocol || protocol == IPPROTO_TCP)) ||
         (kind == SOCK_DGRAM && (!protocol || protocol == IPPROTO_UDP));
}

/* A socket at this number; of datagrams, with the queue of what comes to it. */
static struct socket_state *open_socket(int number, int family, int type) {
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (number >= (int)MAX_DESCRIPTORS) finish_at_limit("a socket with a descriptor above 1023");
  pipe_open_end(number, NULL, NULL, type & SOCK_NONBLOCK);
  struct description *end = pipe_description(number);
  struct socket_state *socket = socket_new(end, number, family, kind);
  if (kind != SOCK_DGRAM) return socket;
  end->input = pipe_new((uint64_t)number);
  if (!end->input) finish_at_limit("more than 128 pipes, connections and datagram sockets");
  end->input->capacity = SOCKET_BYTES;
  end->input->keeps_records = true;
  end->input->most_records = family == AF_UNIX ? MOST_DATAGRAMS : 0;
  end->input->readers = 1;
  return socket;
}

static int make_real(int family, int type, int protocol, site_id site) {
  return files_open_number(system_call(SYS_socket, family, type, protocol), type & SOCK_CLOEXEC, site);
}

WRAPPED(int, socket, (int domain, int type, int protocol), (domain, type, protocol)) {
  const site_id site = take_site();
  files_touch();
  files_take_descriptors(site);
  const int number = make_real(domain, type, protocol, site);
  if (number >= 0 && is_modelled(domain, type, protocol)) open_socket(number, domain, type);
  return number;
}

static void join_streams(const int numbers[2], bool keeps_records) {
  struct pipe_state *to[2];
  for (int i = 0; i < 2; i++) {
    to[i] = pipe_new((uint64_t)numbers[i]);
    if (!to[i]) finish_at_limit("more than 128 pipes and directions of connections");
    to[i]->capacity = SOCKET_BYTES;
    to[i]->keeps_records = keeps_records;
    to[i]->readers = to[i]->writers = 1;
  }
  for (int i = 0; i < 2; i++) {
    struct description *end = pipe_description(numbers[i]);
    end->input = to[i];
    end->output = to[1 - i];
  }
}

/* Each of a pair has the other as its peer, although neither has a name. */
static void make_pair(const int numbers[2], int type) {
  struct socket_state *sockets[2];
  for (int i = 0; i < 2; i++) {
    sockets[i] = open_socket(numbers[i], AF_UNIX, type);
    sockets[i]->phase = SOCKET_CONNECTED;
    sockets[i]->is_told = true;
    sockets[i]->is_pair = sockets[i]->type == SOCK_STREAM;
  }
  if (sockets[0]->type != SOCK_DGRAM) {
    join_streams(numbers, sockets[0]->type == SOCK_SEQPACKET);
    return;
  }
  for (int i = 0; i < 2; i++) sockets[i]->wanted = sockets[1 - i];
}

WRAPPED(int, socketpair, (int domain, int type, int protocol, int told[2]), (domain, type, protocol, told)) {
  const site_id site = take_site();
  int numbers[2];
  files_touch();
  files_take_descriptors(site);
  const long result = system_call(SYS_socketpair, domain, type, protocol, numbers);
  if (result < 0) return model_fail((int)-result);
  for (int i = 0; i < 2; i++) numbers[i] = files_open_number(numbers[i], type & SOCK_CLOEXEC, site);
  model_store(told, numbers, sizeof numbers, site);
  if (domain == AF_UNIX && is_modelled(domain, type, protocol)) make_pair(numbers, type);
  return 0;
}

/* ---- names ---- */

int socket_take_name(const struct sockaddr *address, socklen_t size, struct socket_name *name, site_id site) {
  *name = (struct socket_name){0};
  if (size > sizeof(struct sockaddr_storage)) return EINVAL;
  model_reads(address, size, site);
  name->size_bytes = size < sizeof name->bytes ? size : sizeof name->bytes;
  memcpy(name->bytes, address, name->size_bytes);
  if (name->size_bytes > sizeof(struct sockaddr_un) && name->any.sa_family == AF_UNIX) return EINVAL;
  return 0;
}

/* As much as there is room for; the whole size is told. */
void socket_store_name(const struct socket_name *name, struct sockaddr *address, socklen_t *size, site_id site) {
  if (!address || !size) return;
  model_reads(size, sizeof *size, site);
  const socklen_t room = *size;
  model_store(address, name->bytes, name->size_bytes < room ? name->size_bytes : room, site);
  model_store(size, &name->size_bytes, sizeof *size, site);
}

/* It has none: only its family is told. */
static struct socket_name unnamed(const struct socket_state *socket) {
  struct socket_name name = {.size_bytes = sizeof(sa_family_t)};
  if (socket->family == AF_INET) name.size_bytes = sizeof name.v4;
  if (socket->family == AF_INET6) name.size_bytes = sizeof name.v6;
  name.any.sa_family = socket->family;
  return name;
}

/* What is no socket of heddle's: NULL, and the kernel knows better if errno is 0. */
static struct description *end_of(int descriptor) {
  struct description *end = pipe_description(descriptor);
  errno = 0;
  if (end && !end->socket) errno = ENOTSOCK;
  return end && end->socket ? end : NULL;
}

WRAPPED(int, getsockname, (int descriptor, struct sockaddr *address, socklen_t *size), (descriptor, address, size)) {
  const struct description *end = end_of(descriptor);
  if (!end) return errno ? -1 : (int)FOLLOWED_REAL(getsockname, descriptor, address, size);
  const site_id site = take_site();
  const struct socket_state *socket = end->socket;
  files_use_word(socket_word(socket), false, site);
  const struct socket_name none = unnamed(socket);
  socket_store_name(socket->name.size_bytes ? &socket->name : &none, address, size, site);
  return 0;
}

static bool has_peer(const struct socket_state *socket) {
  return socket->phase == SOCKET_CONNECTED || (socket->type == SOCK_DGRAM && socket->peer.size_bytes);
}

WRAPPED(int, getpeername, (int descriptor, struct sockaddr *address, socklen_t *size), (descriptor, address, size)) {
  const struct description *end = end_of(descriptor);
  if (!end) return errno ? -1 : (int)FOLLOWED_REAL(getpeername, descriptor, address, size);
  const site_id site = take_site();
  const struct socket_state *socket = end->socket;
  files_use_word(socket_word(socket), false, site);
  if (!has_peer(socket)) return model_fail(ENOTCONN);
  const struct socket_name none = unnamed(socket);
  socket_store_name(socket->peer.size_bytes ? &socket->peer : &none, address, size, site);
  return 0;
}

/* A path that is somebody else's already. */
static bool path_exists(const struct socket_name *name) {
  char path[sizeof name->local.sun_path + 1] = {0};
  struct stat status;
  int result = -1;
  memcpy(path, name->local.sun_path, name->size_bytes - offsetof(struct sockaddr_un, sun_path));
  if (files_stat(AT_FDCWD, path, false, &status, &result, 0)) return result == 0;
  return system_call(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int name_local(struct socket_state *socket, const struct socket_name *name, struct socket_place *place) {
  if (name->size_bytes == sizeof(sa_family_t)) finish_at_limit("bind to an abstract name that the kernel chooses");
  const int problem = socket_read_place(socket, name, place);
  if (problem) return problem;
  return name->local.sun_path[0] && path_exists(name) ? EADDRINUSE : 0;
}

static int place_of_name(struct socket_state *socket, const struct socket_name *name, struct socket_place *place) {
  if (socket->family == AF_UNIX && name->any.sa_family == AF_UNIX) return name_local(socket, name, place);
  const int problem = socket_read_place(socket, name, place);
  if (!problem && !socket_is_inside(place)) finish_at_limit("bind to an address other than the loopback");
  return problem;
}

static int bind_socket(struct socket_state *socket, const struct socket_name *name, site_id site) {
  struct socket_place place;
  const int problem = place_of_name(socket, name, &place);
  if (problem) return problem;
  files_use_word(socket_word(socket), true, site);
  if (place.domain == AF_UNIX || place.port) files_use_word(socket_address_word(socket, &place), true, site);
  if (socket->place.domain || socket->phase != SOCKET_FRESH) return EINVAL;
  if (place.domain == AF_UNIX || place.port) {
    const int conflict = socket_check_conflict(socket, &place);
    if (conflict) return conflict;
  }
  socket->place = place;
  socket->name = *name;
  socket->is_public = true;
  if (place.domain != AF_UNIX) socket_bind_ephemeral(socket, NULL);
  socket_make_place_known(socket, &socket->place);
  return 0;
}

WRAPPED(int, bind, (int descriptor, const struct sockaddr *address, socklen_t size), (descriptor, address, size)) {
  struct description *end = end_of(descriptor);
  if (!end) return errno ? -1 : (int)FOLLOWED_REAL(bind, descriptor, address, size);
  const site_id site = take_site();
  struct socket_name name;
  const int unreadable = socket_take_name(address, size, &name, site);
  const int problem = unreadable ? unreadable : bind_socket(end->socket, &name, site);
  return problem ? model_fail(problem) : 0;
}

WRAPPED(int, listen, (int descriptor, int backlog), (descriptor, backlog)) {
  struct description *end = end_of(descriptor);
  if (!end) return errno ? -1 : __real_listen(descriptor, backlog);
  const site_id site = take_site();
  struct socket_state *socket = end->socket;
  if (socket->type == SOCK_DGRAM) return model_fail(EOPNOTSUPP);
  files_use_word(socket_word(socket), true, site);
  if (!socket->place.domain && socket->family == AF_UNIX) return model_fail(EINVAL);
  if (socket->phase == SOCKET_CONNECTED || socket->phase == SOCKET_CONNECTING) return model_fail(EINVAL);
  if (!socket->place.domain) socket_bind_ephemeral(socket, NULL);
  files_use_word(socket_address_word(socket, &socket->place), true, site);
  const bool is_first = socket->phase != SOCKET_LISTENS;
  if (is_first && socket->family != AF_UNIX && socket_find_listener(socket, &socket->place))
    return model_fail(EADDRINUSE);
  socket->backlog = backlog < 0 || backlog > MOST_WAITING ? MOST_WAITING : (uint32_t)backlog;
  socket->phase = SOCKET_LISTENS;
  socket_make_place_known(socket, &socket->place);
  return 0;
}

/* ---- connecting ---- */

/* It waits until the listener has room, or is one no longer. False: a signal interrupted it. */
static bool take_turn_to_connect(struct description *end, struct socket_state *listener, bool waits, site_id site,
                                 char *frame) {
  const struct turn turn = {.waits = waits, .timeout = end->socket->send_timeout, .site = site, .frame = frame};
  const bool goes_on = pipe_take_turn(EVENT_SOCKET_CONNECT, &listener->object, &turn);
  if (goes_on) spin_end(self());
  return goes_on;
}

static void record_connect(const struct socket_state *listener, site_id site, int result) {
  record_object(EVENT_SOCKET_CONNECT, &listener->object, site, (uint64_t)result);
}

/* The others may bind it first: that is a step. */
void socket_check_known(struct socket_state *socket, const struct socket_place *place, const char *message) {
  const site_id site = self()->at_site;
  if (socket_place_is_known(socket, place)) return;
  schedule_object(EVENT_DESCRIPTOR_LOOK, &socket->object, site, false);
  record_object(EVENT_DESCRIPTOR_LOOK, &socket->object, site, 0);
  if (!socket_place_is_known(socket, place)) finish_at_limit_at(site, message);
}

static int refuse(struct socket_state *socket, const struct socket_place *place) {
  if (place->domain != AF_UNIX)
    socket_check_known(socket, place, "connect to a port of this machine that no thread of the program has bound");
  if (!socket_is_tcp(socket) || !socket->end->nonblocking) return ECONNREFUSED;
  socket->error = ECONNREFUSED;
  epoll_note_news_of(socket->end);
  return EINPROGRESS;
}

/* Of a path, somebody outside may be there. */
static int refuse_path(const struct socket_name *name) {
  char path[sizeof name->local.sun_path + 1] = {0};
  struct stat status;
  memcpy(path, name->local.sun_path, name->size_bytes - offsetof(struct sockaddr_un, sun_path));
  if (socket_has_path(path, 0)) return ECONNREFUSED;
  if (!path_exists(name)) return ENOENT;
  if (system_call(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0 && S_ISSOCK(status.st_mode))
    finish_at_limit("connect to a socket of another program");
  return ECONNREFUSED;
}

int socket_refuse(struct socket_state *socket, const struct socket_place *place, const struct socket_name *name) {
  if (place->domain == AF_UNIX && name->local.sun_path[0]) return refuse_path(name);
  if (place->domain == AF_UNIX)
    socket_check_known(socket, place, "connect to an abstract name that no thread of the program has bound");
  return refuse(socket, place);
}

static void begin_connecting(struct socket_state *socket, struct socket_state *listener) {
  uint64_t turn = 0;
  for (uint32_t i = 0; i < the_pipes->n_sockets; i++)
    if (the_pipes->sockets[i].turn > turn) turn = the_pipes->sockets[i].turn;
  socket->phase = SOCKET_CONNECTING;
  socket->wanted = listener;
  socket->turn = turn + 1;
}

/* The step in which it is decided. */
static int connect_now(struct description *end, struct socket_state *listener, site_id site, char *frame) {
  struct socket_state *socket = end->socket;
  const bool is_tcp = socket_is_tcp(socket);
  const bool goes_on = take_turn_to_connect(end, listener, !end->nonblocking, site, frame);
  if (!goes_on && is_tcp) begin_connecting(socket, listener);
  if (!goes_on) return EINTR;
  if (listener->phase != SOCKET_LISTENS) {
    record_connect(listener, site, ECONNREFUSED);
    return refuse(socket, &socket->peer_place);
  }
  sockets_complete_connecting(); /* who was first */
  if (socket_has_room(listener)) {
    socket_connect_to(socket, listener);
    socket->is_told = !(is_tcp && end->nonblocking);
    record_connect(listener, site, 0);
    return socket->is_told ? 0 : EINPROGRESS;
  }
  record_connect(listener, site, EAGAIN);
  if (is_tcp) begin_connecting(socket, listener);
  return is_tcp ? EINPROGRESS : EAGAIN;
}

/* Once more, after it was begun. */
static int connect_again(struct description *end, site_id site, char *frame) {
  struct socket_state *socket = end->socket;
  const struct turn turn = {.waits = !end->nonblocking, .site = site, .frame = frame};
  if (socket->phase == SOCKET_LISTENS) return socket->family == AF_UNIX ? EINVAL : EISCONN;
  if (socket->phase == SOCKET_CONNECTING) {
    struct socket_state *listener = socket->wanted;
    if (!pipe_take_turn(EVENT_SOCKET_CONNECT, &listener->object, &turn)) return EINTR;
    sockets_complete_connecting();
    record_connect(listener, site, 0);
    if (socket->phase == SOCKET_CONNECTING) return EALREADY;
  }
  if (socket->phase == SOCKET_CONNECTED && socket->is_told) return EISCONN;
  const int error = socket->error;
  socket->is_told = true;
  socket->error = 0;
  return error;
}

static int connect_stream(struct description *end, const struct socket_name *name, site_id site, char *frame) {
  struct socket_state *socket = end->socket;
  struct socket_place place;
  files_use_word(socket_word(socket), true, site);
  if (socket->phase != SOCKET_FRESH || socket->error) return connect_again(end, site, frame);
  const int problem = socket_read_place(socket, name, &place);
  if (problem) return problem;
  if (!socket_is_inside(&place)) finish_at_limit("connect to an address other than the loopback");
  socket_aim(&place);
  if (place.domain != AF_UNIX && socket_bind_ephemeral(socket, &place)) return EADDRNOTAVAIL;
  files_use_word(socket_address_word(socket, &place), false, site);
  socket->peer = *name;
  socket->peer_place = place;
  struct socket_state *listener = socket_find_listener(socket, &place);
  return listener ? connect_now(end, listener, site, frame) : socket_refuse(socket, &place, name);
}

/* Of datagrams: whom they are for, and who may send some. */
static int connect_datagrams(struct socket_state *socket, const struct socket_name *name, site_id site) {
  struct socket_place place;
  files_use_word(socket_word(socket), true, site);
  if (name->any.sa_family == AF_UNSPEC) {
    socket->peer.size_bytes = 0;
    socket->wanted = NULL;
    return 0;
  }
  const int problem = socket_read_place(socket, name, &place);
  if (problem) return problem;
  if (!socket_is_inside(&place)) finish_at_limit("connect to an address other than the loopback");
  socket_aim(&place);
  if (place.domain != AF_UNIX && socket_bind_ephemeral(socket, &place)) return EADDRNOTAVAIL;
  files_use_word(socket_address_word(socket, &place), false, site);
  struct socket_state *receiver = socket_find_receiver(socket, &place);
  if (!receiver && place.domain == AF_UNIX) return socket_refuse(socket, &place, name);
  socket->peer = *name;
  socket->peer_place = place;
  return 0;
}

static int connect_end(struct description *end, const struct socket_name *name, site_id site, char *frame) {
  if (end->socket->type == SOCK_DGRAM) return connect_datagrams(end->socket, name, site);
  if (name->size_bytes >= sizeof(sa_family_t) && name->any.sa_family == AF_UNSPEC)
    finish_at_limit("connect that breaks off a connection");
  pipe_hold(end);
  const int result = connect_stream(end, name, site, frame);
  pipe_release(end, site);
  return result;
}

WRAPPED(int, connect, (int descriptor, const struct sockaddr *address, socklen_t size), (descriptor, address, size)) {
  char *frame = SPIN_FRAME();
  struct description *end = end_of(descriptor);
  if (!end && !errno) unfollowed_wait(descriptor, POLLOUT, "connect");
  if (!end) return errno ? -1 : (int)FOLLOWED_REAL(connect, descriptor, address, size);
  const site_id site = take_site();
  struct socket_name name;
  const int unreadable = socket_take_name(address, size, &name, site);
  const int problem = unreadable ? unreadable : connect_end(end, &name, site, frame);
  return problem ? model_fail(problem) : 0;
}

/* Who uses what is being connected waits for that. */
static bool await_connection(struct description *end, int flags, site_id site, char *frame) {
  struct socket_state *socket = end->socket, *listener = socket->wanted;
  const struct turn turn = {.waits = !end->nonblocking && !(flags & MSG_DONTWAIT), .site = site, .frame = frame};
  if (!pipe_take_turn(EVENT_SOCKET_CONNECT, &listener->object, &turn)) return model_fail(EINTR) == 0;
  sockets_complete_connecting();
  record_connect(listener, site, 0);
  return socket->phase == SOCKET_CONNECTING ? model_fail(EAGAIN) == 0 : true;
}

bool socket_begin_to_use(struct description *end, int flags, bool writes, site_id site, char *frame) {
  struct socket_state *socket = end->socket;
  if (flags & MSG_OOB) finish_at_limit("data out of band");
  files_use_word(socket_word(socket), false, site);
  if (socket->phase == SOCKET_CONNECTING && !await_connection(end, flags, site, frame)) return false;
  const int error = socket->error;
  socket->error = 0;
  if (error) return model_fail(error) == 0;
  if (socket->phase == SOCKET_CONNECTED) return true;
  if (writes && socket_is_tcp(socket)) return pipe_fail_broken(0, flags, site) == 0;
  return model_fail(socket->family == AF_UNIX && !writes && socket_is_stream(socket) ? EINVAL : ENOTCONN) == 0;
}

/* ---- accepting ---- */

static int accept_now(struct description *end, struct sockaddr *address, socklen_t *size, int flags, site_id site,
                      char *frame) {
  struct socket_state *listener = end->socket;
  const struct turn turn = {
      .waits = !end->nonblocking, .timeout = listener->receive_timeout, .site = site, .frame = frame};
  if (!pipe_take_turn(EVENT_SOCKET_ACCEPT, &listener->object, &turn)) return model_fail(EINTR);
  record_object(EVENT_SOCKET_ACCEPT, &listener->object, site, listener->first != NULL);
  if (listener->phase != SOCKET_LISTENS) return model_fail(EINVAL);
  if (!listener->first) return model_fail(EAGAIN);
  spin_end(self());
  races_acquire(&listener->object);
  const int number = make_real(listener->family, listener->type | (flags & SOCK_NONBLOCK), 0, site);
  if (number < 0) return -1;
  if (number >= (int)MAX_DESCRIPTORS) finish_at_limit("a socket with a descriptor above 1023");
  files_note_descriptor(number);
  struct description *accepted = socket_accept(listener, number);
  accepted->nonblocking = flags & SOCK_NONBLOCK;
  const struct socket_name none = unnamed(listener);
  socket_store_name(accepted->socket->peer.size_bytes ? &accepted->socket->peer : &none, address, size, site);
  return number;
}

static int accept_end(struct description *end, struct sockaddr *address, socklen_t *size, int flags, char *frame) {
  const site_id site = take_site();
  if (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) return model_fail(EINVAL);
  if (end->socket->type == SOCK_DGRAM) return model_fail(EOPNOTSUPP);
  files_use_word(socket_word(end->socket), false, site);
  if (end->socket->phase != SOCKET_LISTENS) return model_fail(EINVAL);
  files_touch();
  pipe_hold(end);
  const int result = accept_now(end, address, size, flags, site, frame);
  pipe_release(end, site);
  return result;
}

WRAPPED(int, accept, (int descriptor, struct sockaddr *address, socklen_t *size), (descriptor, address, size)) {
  char *frame = SPIN_FRAME();
  struct description *end = end_of(descriptor);
  if (!end && !errno) unfollowed_wait(descriptor, POLLIN, "accept");
  if (!end) return errno ? -1 : (int)FOLLOWED_REAL(accept, descriptor, address, size);
  return accept_end(end, address, size, 0, frame);
}

WRAPPED(int, accept4, (int descriptor, struct sockaddr *address, socklen_t *size, int flags),
        (descriptor, address, size, flags)) {
  char *frame = SPIN_FRAME();
  struct description *end = end_of(descriptor);
  if (!end && !errno) unfollowed_wait(descriptor, POLLIN, "accept4");
  if (!end) return errno ? -1 : (int)FOLLOWED_REAL(accept4, descriptor, address, size, flags);
  return accept_end(end, address, size, flags, frame);
}

/* ---- shutting down ---- */

static void take_turn_to_shut(struct socket_state *socket, site_id site) {
  schedule_object(EVENT_SOCKET_SHUTDOWN, &socket->object, site, false);
  record_object(EVENT_SOCKET_SHUTDOWN, &socket->object, site, 0);
}

/* TCP does not tell the other end that nobody reads any more. */
static void stop(struct description *end, bool reading, bool writing) {
  if (reading) end->no_reading = true;
  if (reading && end->socket->family == AF_UNIX) pipe_stop_reading(end);
  if (writing) end->no_writing = true;
  if (writing) pipe_stop_writing(end);
  end->socket->object.version++;
  if (end->input) end->input->object.version++;
  epoll_note_news_of(end);
}

WRAPPED(int, shutdown, (int descriptor, int how), (descriptor, how)) {
  struct description *end = end_of(descriptor);
  if (!end) return errno ? -1 : __real_shutdown(descriptor, how);
  const site_id site = take_site();
  struct socket_state *socket = end->socket;
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return model_fail(EINVAL);
  take_turn_to_shut(socket, site);
  if (end->is_shared) return __real_shutdown(descriptor, how);
  if (socket->phase == SOCKET_LISTENS) {
    files_note_word(socket_address_word(socket, &socket->place), true);
    if (how != SHUT_WR) socket_stop_listening(socket);
    return 0;
  }
  if (!has_peer(socket)) return model_fail(ENOTCONN);
  stop(end, how != SHUT_WR, how != SHUT_RD);
  return 0;
}
