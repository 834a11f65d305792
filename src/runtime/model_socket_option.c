/* SPDX-License-Identifier: MIT
 *
 * Options of sockets. The kernel's own socket keeps them all, and says what is wrong with one; those that change what
 * sockets.h does are kept there as well.
 */
#include "files.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static struct description *socket_of(int descriptor) {
  struct description *end = pipe_description(descriptor);
  errno = 0;
  if (end && !end->socket) errno = ENOTSOCK;
  return end && end->socket ? end : NULL;
}

/* ---- setting ---- */

static int number_of(const void *value, socklen_t size) {
  int number = 0;
  if (size >= sizeof number) memcpy(&number, value, sizeof number);
  return number;
}

static uint64_t nanoseconds_of(const void *value) {
  struct timeval time;
  memcpy(&time, value, sizeof time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

static bool closes_hard(const void *value) {
  struct linger wish;
  memcpy(&wish, value, sizeof wish);
  return wish.l_onoff && wish.l_linger == 0;
}

static void keep(struct socket_state *socket, int option, const void *value, socklen_t size) {
  switch (option) {
  case SO_REUSEADDR: socket->may_reuse = number_of(value, size); break;
  case SO_REUSEPORT: socket->may_share = number_of(value, size); break;
  case SO_RCVTIMEO: socket->receive_timeout = nanoseconds_of(value); break;
  case SO_SNDTIMEO: socket->send_timeout = nanoseconds_of(value); break;
  case SO_LINGER: socket->closes_hard = closes_hard(value); break;
  default: break;
  }
}

static bool matters(int level, int option) {
  if (level == IPPROTO_IPV6) return option == IPV6_V6ONLY;
  if (level != SOL_SOCKET) return false;
  return option == SO_REUSEADDR || option == SO_REUSEPORT || option == SO_RCVTIMEO || option == SO_SNDTIMEO ||
         option == SO_LINGER;
}

WRAPPED(int, setsockopt, (int descriptor, int level, int option, const void *value, socklen_t size),
        (descriptor, level, option, value, size)) {
  const struct description *end = socket_of(descriptor);
  if (!end && errno) return -1;
  if (end && matters(level, option)) files_use_word(socket_word(end->socket), true, call_site());
  const int result = (int)FOLLOWED_REAL(setsockopt, descriptor, level, option, value, size);
  if (result < 0 || !end || !matters(level, option)) return result;
  if (level == IPPROTO_IPV6)
    end->socket->is_six_only = number_of(value, size);
  else
    keep(end->socket, option, value, size);
  return result;
}

/* ---- asking ---- */

/* What went wrong; it is told once. */
static int take_error(struct description *end, site_id site) {
  struct socket_state *socket = end->socket;
  schedule_object(EVENT_DESCRIPTOR_LOOK, &socket->object, site, false);
  record_object(EVENT_DESCRIPTOR_LOOK, &socket->object, site, 0);
  sockets_complete_connecting();
  int error = socket->error;
  socket->error = 0;
  if (end->input && !error) error = end->input->read_error;
  if (end->input) end->input->read_error = 0;
  if (end->output && error) end->output->write_error = 0;
  return error;
}

static int tell(const void *answer, socklen_t size_bytes, void *value, socklen_t *size, site_id site) {
  model_reads(size, sizeof *size, site);
  const socklen_t told = *size < size_bytes ? *size : size_bytes;
  model_store(value, answer, told, site);
  model_store(size, &told, sizeof told, site);
  return 0;
}

static int tell_owner(void *value, socklen_t *size, site_id site) {
  const struct ucred owner = {(pid_t)system_call(SYS_getpid, 0), (uid_t)system_call(SYS_geteuid, 0),
                              (gid_t)system_call(SYS_getegid, 0)};
  return tell(&owner, sizeof owner, value, size, site);
}

WRAPPED(int, getsockopt, (int descriptor, int level, int option, void *value, socklen_t *size),
        (descriptor, level, option, value, size)) {
  struct description *end = socket_of(descriptor);
  if (!end && errno) return -1;
  if (!end || level != SOL_SOCKET) return (int)FOLLOWED_REAL(getsockopt, descriptor, level, option, value, size);
  const site_id site = call_site();
  if (option == SO_ERROR) {
    const int error = take_error(end, take_site());
    return tell(&error, sizeof error, value, size, site);
  }
  files_use_word(socket_word(end->socket), false, site);
  const int listens = end->socket->phase == SOCKET_LISTENS;
  if (option == SO_ACCEPTCONN) return tell(&listens, sizeof listens, value, size, site);
  if (option == SO_PEERCRED && end->socket->phase == SOCKET_CONNECTED) return tell_owner(value, size, site);
  return (int)FOLLOWED_REAL(getsockopt, descriptor, level, option, value, size);
}
