// SPDX-License-Identifier: MIT
// What calls on sockets return, one thread only: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean runs=1 warnings=0
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))

static char block[70000];
static int pipe_signals;

static void on_pipe_signal(int number) {
  (void)number;
  pipe_signals++;
}

static short poll_one(int descriptor) {
  struct pollfd entry = {descriptor, POLLIN | POLLOUT | POLLRDHUP, 0};
  return poll(&entry, 1, 0) < 0 ? -1 : entry.revents;
}

static int bind_to(int descriptor, const struct sockaddr_in *name) {
  return bind(descriptor, (const struct sockaddr *)name, sizeof *name);
}

static int connect_to(int descriptor, const struct sockaddr_in *name) {
  return connect(descriptor, (const struct sockaddr *)name, sizeof *name);
}

static struct sockaddr_in loopback(int port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
}

static struct sockaddr_in name_of(int descriptor) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  assert(getsockname(descriptor, (struct sockaddr *)&name, &size) == 0 && size == sizeof name);
  return name;
}

static int error_of(int descriptor) {
  int error = -1;
  socklen_t size = sizeof error;
  assert(getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && size == sizeof error);
  return error;
}

/* A listener, and a connection to it: the client, then the server. */
static int listener_at(struct sockaddr_in *name, int backlog) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  *name = loopback(0);
  assert(listener >= 0 && bind_to(listener, name) == 0 && listen(listener, backlog) == 0);
  *name = name_of(listener);
  return listener;
}

static void connect_pair(int ends[2]) {
  struct sockaddr_in name;
  const int listener = listener_at(&name, 1);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect_to(ends[0], &name) == 0 && (ends[1] = accept(listener, NULL, NULL)) >= 0);
  close(listener);
}

static void names(void) {
  struct sockaddr_in name, peer;
  socklen_t size = sizeof peer;
  const int listener = listener_at(&name, 4), other = socket(AF_INET, SOCK_STREAM, 0);
  int value = -1;
  assert(name.sin_port != 0 && name.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  assert(FAILS(bind_to(other, &name), EADDRINUSE) && FAILS(bind_to(listener, &name), EINVAL));
  assert(FAILS(bind(other, (struct sockaddr *)&name, 3), EINVAL) && FAILS(bind_to(999, &name), EBADF));
  assert(getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &value, &(socklen_t){sizeof value}) == 0 && value == 1);
  assert(getsockopt(listener, SOL_SOCKET, SO_TYPE, &value, &(socklen_t){sizeof value}) == 0 && value == SOCK_STREAM);
  assert(setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0);
  assert(getsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &value, &(socklen_t){sizeof value}) == 0 && value == 1);
  assert(FAILS(getpeername(other, (struct sockaddr *)&peer, &size), ENOTCONN));
  assert(FAILS(accept(other, NULL, NULL), EINVAL) && FAILS(accept(0, NULL, NULL), ENOTSOCK));
  assert(connect_to(other, &name) == 0 && FAILS(connect_to(other, &name), EISCONN));
  assert(getpeername(other, (struct sockaddr *)&peer, &size) == 0 && peer.sin_port == name.sin_port);
  const int accepted = accept(listener, (struct sockaddr *)&peer, &size);
  assert(accepted >= 0 && size == sizeof peer && peer.sin_port == name_of(other).sin_port);
  assert(name_of(accepted).sin_port == name.sin_port && name_of(other).sin_port != 0);
  close(accepted), close(other), close(listener);
}

static void streams(void) {
  int ends[2], count = -1;
  connect_pair(ends);
  assert(poll_one(ends[0]) == POLLOUT && FAILS(recv(ends[0], block, 10, MSG_DONTWAIT), EAGAIN));
  assert(send(ends[0], "hello", 5, 0) == 5 && poll_one(ends[1]) == (POLLIN | POLLOUT));
  assert(ioctl(ends[1], FIONREAD, &count) == 0 && count == 5);
  assert(recv(ends[1], block, 2, MSG_PEEK) == 2 && recv(ends[1], block, 3, MSG_WAITALL) == 3);
  assert(recvfrom(ends[1], block, 10, 0, NULL, NULL) == 2 && memcmp(block, "lo", 2) == 0);
  assert(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 && FAILS(read(ends[1], block, 1), EAGAIN));
  assert(shutdown(ends[0], SHUT_WR) == 0 && FAILS(shutdown(ends[0], 77), EINVAL));
  assert(poll_one(ends[1]) == (POLLIN | POLLOUT | POLLRDHUP) && read(ends[1], block, 1) == 0);
  assert(FAILS(send(ends[0], "x", 1, MSG_NOSIGNAL), EPIPE) && pipe_signals == 0);
  assert(FAILS(send(ends[0], "x", 1, 0), EPIPE) && pipe_signals == 1);
  assert(write(ends[1], "back", 4) == 4 && read(ends[0], block, 10) == 4);
  close(ends[1]);
  assert(read(ends[0], block, 10) == 0 && poll_one(ends[0]) == (POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
  close(ends[0]);
}

/* Who sends to a TCP socket that is gone is told with the next one. */
static void gone(void) {
  int ends[2];
  connect_pair(ends);
  close(ends[1]);
  assert(poll_one(ends[0]) == (POLLIN | POLLOUT | POLLRDHUP) && read(ends[0], block, 1) == 0);
  assert(send(ends[0], "x", 1, 0) == 1 && FAILS(send(ends[0], "x", 1, MSG_NOSIGNAL), EPIPE));
  close(ends[0]);
  connect_pair(ends);
  assert(send(ends[0], "lost", 4, 0) == 4);
  close(ends[1]);
  assert(poll_one(ends[0]) & POLLERR && FAILS(read(ends[0], block, 1), ECONNRESET) && read(ends[0], block, 1) == 0);
  close(ends[0]);
}

static void backgrounds(void) {
  struct sockaddr_in name;
  const int listener = listener_at(&name, 0);
  const int first = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), late = socket(AF_INET, SOCK_STREAM, 0);
  assert(poll_one(first) == (POLLOUT | POLLHUP) && poll_one(listener) == 0);
  assert(FAILS(connect_to(first, &name), EINPROGRESS) && poll_one(first) == POLLOUT && error_of(first) == 0);
  assert(connect_to(first, &name) == 0 && FAILS(connect_to(first, &name), EISCONN) && poll_one(listener) == POLLIN);
  assert(fcntl(listener, F_SETFL, O_NONBLOCK) == 0);
  const int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  assert(accepted >= 0 && FAILS(read(accepted, block, 1), EAGAIN) && FAILS(accept(listener, NULL, NULL), EAGAIN));
  close(listener);
  assert(FAILS(connect_to(late, &name), ECONNREFUSED));
  fcntl(late, F_SETFL, O_NONBLOCK);
  assert(FAILS(connect_to(late, &name), EINPROGRESS) && poll_one(late) & POLLERR && error_of(late) == ECONNREFUSED);
  assert(error_of(late) == 0);
  close(late), close(first), close(accepted);
}

static socklen_t local_name(struct sockaddr_un *name, const char *path, int is_abstract) {
  *name = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(name->sun_path + is_abstract, path, strlen(path));
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1);
}

static void local_streams(int is_abstract) {
  struct sockaddr_un name, told;
  const socklen_t size = local_name(&name, "socket_values.tmp", is_abstract);
  socklen_t told_size = sizeof told;
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int other = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), third = socket(AF_UNIX, SOCK_STREAM, 0);
  if (!is_abstract) unlink("socket_values.tmp");
  assert(FAILS(listen(listener, 1), EINVAL) && bind(listener, (struct sockaddr *)&name, size) == 0);
  assert(FAILS(bind(client, (struct sockaddr *)&name, size), EADDRINUSE));
  assert(FAILS(connect(client, (struct sockaddr *)&name, size), ECONNREFUSED));
  assert(listen(listener, 0) == 0 && connect(client, (struct sockaddr *)&name, size) == 0);
  assert(FAILS(connect(other, (struct sockaddr *)&name, size), EAGAIN));
  const int accepted = accept(listener, (struct sockaddr *)&told, &told_size);
  assert(accepted >= 0 && told_size == sizeof(sa_family_t));
  told_size = sizeof told;
  assert(getpeername(client, (struct sockaddr *)&told, &told_size) == 0 && told_size == size);
  assert(memcmp(&told, &name, size) == 0 && FAILS(read(third, block, 1), EINVAL));
  assert(FAILS(send(third, "x", 1, MSG_NOSIGNAL), ENOTCONN) && write(accepted, "abc", 3) == 3);
  close(accepted);
  assert(read(client, block, 10) == 3 && read(client, block, 10) == 0);
  assert(FAILS(send(client, "x", 1, MSG_NOSIGNAL), EPIPE));
  assert(connect(other, (struct sockaddr *)&name, size) == 0);
  close(listener);
  assert(FAILS(read(other, block, 1), ECONNRESET) &&
         FAILS(connect(third, (struct sockaddr *)&name, size), ECONNREFUSED));
  if (!is_abstract) assert(access("socket_values.tmp", F_OK) == 0 && unlink("socket_values.tmp") == 0);
  if (!is_abstract) assert(FAILS(connect(third, (struct sockaddr *)&name, size), ENOENT));
  close(client), close(other), close(third);
}

static void datagrams(void) {
  const int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in name = loopback(0), from;
  socklen_t size = sizeof from;
  assert(bind_to(a, &name) == 0 && FAILS(listen(a, 1), EOPNOTSUPP) && FAILS(accept(a, NULL, NULL), EOPNOTSUPP));
  name = name_of(a);
  assert(FAILS(send(b, "x", 1, 0), EDESTADDRREQ) && FAILS(recv(a, block, 1, MSG_DONTWAIT), EAGAIN));
  assert(sendto(b, "hello", 5, 0, (struct sockaddr *)&name, sizeof name) == 5 && poll_one(a) == (POLLIN | POLLOUT));
  assert(sendto(b, "", 0, 0, (struct sockaddr *)&name, sizeof name) == 0);
  assert(recvfrom(a, block, 2, MSG_TRUNC, (struct sockaddr *)&from, &size) == 5);
  assert(from.sin_port == name_of(b).sin_port && from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  assert(recv(a, block, 10, 0) == 0 && poll_one(a) == POLLOUT);
  assert(connect_to(b, &name) == 0 && send(b, "again", 5, 0) == 5 && read(a, block, 3) == 3);
  assert(FAILS(send(b, block, 65508, 0), EMSGSIZE) && FAILS(recv(a, block, 1, MSG_DONTWAIT), EAGAIN));
  close(a);
  assert(send(b, "x", 1, 0) == 1 && FAILS(send(b, "x", 1, 0), ECONNREFUSED));
  close(b);
}

static void pairs(int type) {
  int ends[2];
  struct iovec pieces[2] = {{block, 2}, {block + 10, 8}};
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
  assert(socketpair(AF_UNIX, type, 0, ends) == 0 && write(ends[0], "abcdef", 6) == 6 && write(ends[0], "g", 1) == 1);
  assert(recvmsg(ends[1], &message, MSG_PEEK) == (type == SOCK_STREAM ? 7 : 6));
  assert(memcmp(block, "ab", 2) == 0 && memcmp(block + 10, "cdef", 4) == 0 && message.msg_flags == 0);
  pieces[1].iov_len = 1;
  assert(recvmsg(ends[1], &message, 0) == 3 && message.msg_flags == (type == SOCK_STREAM ? 0 : MSG_TRUNC));
  if (type != SOCK_STREAM)
    assert(read(ends[1], block, 10) == 1 && FAILS(recv(ends[1], block, 1, MSG_DONTWAIT), EAGAIN));
  assert(sendmsg(ends[1], &message, 0) == 3 && read(ends[0], block + 20, 10) == 3);
  struct mmsghdr many[2] = {{.msg_hdr = message}, {.msg_hdr = message}};
  if (type != SOCK_STREAM) {
    assert(sendmmsg(ends[0], many, 2, 0) == 2 && many[1].msg_len == 3);
    assert(recvmmsg(ends[1], many, 2, MSG_WAITFORONE, NULL) == 2 && many[0].msg_len == 3);
  }
  close(ends[1]);
  if (type != SOCK_DGRAM) assert(FAILS(send(ends[0], "x", 1, MSG_NOSIGNAL), EPIPE));
  if (type == SOCK_DGRAM) assert(FAILS(send(ends[0], "x", 1, MSG_NOSIGNAL), ECONNREFUSED));
  close(ends[0]);
}

static void time_outs(void) {
  int ends[2];
  const struct timeval little = {0, 1000};
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &little, sizeof little) == 0);
  assert(FAILS(read(ends[0], block, 1), EAGAIN));
  close(ends[0]), close(ends[1]);
}

int main(void) {
  signal(SIGPIPE, on_pipe_signal);
  names();
  streams();
  gone();
  backgrounds();
  local_streams(0);
  local_streams(1);
  datagrams();
  pairs(SOCK_STREAM);
  pairs(SOCK_SEQPACKET);
  pairs(SOCK_DGRAM);
  time_outs();
  return 0;
}
