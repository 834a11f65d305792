/* SPDX-License-Identifier: MIT
 *
 * Sockets: what their names stand for, and who has which.
 *
 * Ports that the program does not choose are made by the number of the thread that asks, so that they do not depend on
 * what others do. Who connects to a port of this machine that no thread has bound may mean somebody outside: it is
 * refused only if some run of the program has bound the port. That is learned as shared memory is.
 */
#include "sockets.h"
#include "ends.h"
#include "files.h"
#include "pipes.h"
#include "sharing.h"
#include "twins.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define FIRST_EPHEMERAL 32768u
#define N_EPHEMERAL 28232u
#define EPHEMERAL_PER_THREAD 64u

struct socket_state *socket_new(struct description *end, int number, int family, int type) {
  if (the_pipes->n_sockets == MAX_SOCKETS) finish_at_limit("more than 256 sockets");
  struct socket_state *socket = &the_pipes->sockets[the_pipes->n_sockets++];
  memset(socket, 0, sizeof *socket);
  socket->object =
      (struct object){.address = (uint64_t)number, .run = rt->run, .class = SOCKET_OBJECT, .owner = NO_THREAD};
  socket->family = (uint16_t)family;
  socket->type = (uint16_t)type;
  socket->end = end;
  end->socket = socket;
  return socket;
}

/* ---- names ---- */

static uint64_t hash_bytes(const void *bytes, size_t count) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < count; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3ull;
  return hash ^ hash >> 29;
}

static int read_local(const struct socket_name *name, struct socket_place *place) {
  const size_t header = offsetof(struct sockaddr_un, sun_path);
  char path[FILE_PATH_BYTES], given[sizeof name->local.sun_path + 1] = {0};
  place->domain = AF_UNIX;
  if (name->size_bytes <= header) return EINVAL;
  const size_t count = name->size_bytes - header;
  if (count > sizeof name->local.sun_path) return EINVAL;
  if (name->local.sun_path[0] == 0) {
    place->key = hash_bytes(name->local.sun_path, count);
    return 0;
  }
  memcpy(given, name->local.sun_path, count);
  const long problem = files_read_path(given, path);
  place->key = hash_bytes(path, string_length(path));
  return problem < 0 ? (int)-problem : 0;
}

static bool is_all_zero(const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i]) return false;
  return true;
}

static void put_v4(struct socket_place *place, uint32_t address) {
  place->address[10] = place->address[11] = 0xff;
  memcpy(place->address + 12, &address, 4);
  place->is_any = address == 0;
}

static int read_v6(const struct socket_name *name, struct socket_place *place) {
  if (name->size_bytes < 24) return EINVAL; /* without the scope, as the kernel allows */
  place->port = __builtin_bswap16(name->v6.sin6_port);
  memcpy(place->address, &name->v6.sin6_addr, 16);
  place->is_any = is_all_zero(place->address, 16);
  place->is_v6 = true;
  const bool is_mapped = is_all_zero(place->address, 10) && place->address[10] == 0xff && place->address[11] == 0xff;
  if (is_mapped) place->is_v6 = false, place->is_any = is_all_zero(place->address + 12, 4);
  return 0;
}

int socket_read_place(const struct socket_state *socket, const struct socket_name *name, struct socket_place *place) {
  *place = (struct socket_place){.domain = AF_INET};
  if (name->size_bytes < sizeof(sa_family_t)) return EINVAL;
  const bool is_v4 = name->any.sa_family == AF_INET && name->size_bytes >= sizeof name->v4;
  if (socket->family == AF_UNIX) return name->any.sa_family == AF_UNIX ? read_local(name, place) : EINVAL;
  if (socket->family == AF_INET && name->size_bytes < sizeof name->v4) return EINVAL;
  if (name->any.sa_family != socket->family) return EAFNOSUPPORT;
  if (socket->family == AF_INET6) return read_v6(name, place);
  if (!is_v4) return EINVAL;
  place->port = __builtin_bswap16(name->v4.sin_port);
  put_v4(place, name->v4.sin_addr.s_addr);
  return 0;
}

static bool is_loopback(const struct socket_place *place) {
  static const uint8_t one[16] = {[15] = 1};
  return place->is_v6 ? memcmp(place->address, one, 16) == 0 : place->address[12] == 127;
}

bool socket_is_inside(const struct socket_place *place) {
  return place->domain == AF_UNIX || place->is_any || is_loopback(place);
}

static uint64_t hash_of_place(const struct socket_state *socket, const struct socket_place *place) {
  const bool is_local = place->domain == AF_UNIX;
  const uint64_t parts[3] = {place->domain, is_local ? 0 : socket->type, is_local ? place->key : place->port};
  return hash_bytes(parts, sizeof parts) % N_ADDRESS_WORDS;
}

uint64_t socket_address_word(const struct socket_state *socket, const struct socket_place *place) {
  return ADDRESS_WORDS + hash_of_place(socket, place) * sizeof(uint64_t);
}

uint64_t socket_word(const struct socket_state *socket) {
  return SOCKET_WORDS + (socket->object.address % MAX_DESCRIPTORS) * sizeof(uint64_t);
}

static bool is_learned(uint64_t word) {
  const struct granule *granule = sharing_record_at(word);
  return granule && granule->shared;
}

/* Who was stopped there in another run would not be now. */
static void learn(uint64_t word) {
  if (is_learned(word)) return;
  sharing_make_shared(word, sizeof(uint64_t));
  rt->has_marked = true;
}

bool socket_place_is_known(const struct socket_state *socket, const struct socket_place *place) {
  return is_learned(BOUND_WORDS + hash_of_place(socket, place) * sizeof(uint64_t));
}

void socket_make_place_known(const struct socket_state *socket, const struct socket_place *place) {
  learn(BOUND_WORDS + hash_of_place(socket, place) * sizeof(uint64_t));
}

bool socket_is_reached(const struct socket_state *socket) {
  return is_learned(REACHED_WORDS + hash_of_place(socket, &socket->place) * sizeof(uint64_t));
}

void socket_make_reached(const struct socket_state *socket) {
  if (socket->is_public) learn(REACHED_WORDS + hash_of_place(socket, &socket->place) * sizeof(uint64_t));
}

/* ---- who has a name ---- */

/* Does who is bound to the first get what is sent to the second? */
static bool covers(const struct socket_state *owner, const struct socket_place *asked) {
  const struct socket_place *own = &owner->place;
  if (own->domain != asked->domain) return false;
  if (own->domain == AF_UNIX) return own->key == asked->key && !owner->is_path_gone;
  if (own->port != asked->port) return false;
  if (own->is_any) return own->is_v6 ? asked->is_v6 || !owner->is_six_only : !asked->is_v6;
  return memcmp(own->address, asked->address, 16) == 0;
}

static bool is_open(const struct socket_state *socket) {
  return socket->end && socket->place.domain;
}

/* Rather one of that address than one of all. */
static struct socket_state *find(const struct socket_state *from, const struct socket_place *place, bool listens) {
  struct socket_state *found = NULL;
  for (uint32_t i = 0; i < the_pipes->n_sockets; i++) {
    struct socket_state *socket = &the_pipes->sockets[i];
    if (!is_open(socket) || socket->type != from->type || !covers(socket, place)) continue;
    if ((socket->phase == SOCKET_LISTENS) != listens) continue;
    if (!found || found->place.is_any) found = socket;
  }
  return found;
}

struct socket_state *socket_find_listener(const struct socket_state *from, const struct socket_place *place) {
  return find(from, place, true);
}

struct socket_state *socket_find_receiver(const struct socket_state *from, const struct socket_place *place) {
  return find(from, place, false);
}

static bool overlap(const struct socket_state *a, const struct socket_state *b, const struct socket_place *place) {
  const struct socket_state other = {.place = *place, .is_six_only = b->is_six_only};
  return covers(a, place) || covers(&other, &a->place);
}

static bool is_path(const struct socket_state *socket) {
  return socket->place.domain == AF_UNIX && socket->name.local.sun_path[0];
}

/* A path stays when the socket is closed, and is one of all types. */
static bool holds_name(const struct socket_state *other, const struct socket_state *socket) {
  if (is_path(other)) return true;
  return is_open(other) && other->type == socket->type;
}

/* Two that both may reuse the address can have it, unless one of them listens. */
int socket_check_conflict(const struct socket_state *socket, const struct socket_place *place) {
  for (uint32_t i = 0; i < the_pipes->n_sockets; i++) {
    const struct socket_state *other = &the_pipes->sockets[i];
    if (other == socket || !holds_name(other, socket) || !overlap(other, socket, place)) continue;
    if (place->domain == AF_UNIX) return EADDRINUSE;
    if (other->may_share && socket->may_share) finish_at_limit("two sockets of one port, by SO_REUSEPORT");
    if (!other->may_reuse || !socket->may_reuse || other->phase == SOCKET_LISTENS) return EADDRINUSE;
    if (socket->type == SOCK_DGRAM) finish_at_limit("two datagram sockets of one port");
  }
  return 0;
}

static void put_name(struct socket_state *socket, const struct socket_place *place) {
  struct socket_name *name = &socket->name;
  memset(name, 0, sizeof *name);
  if (socket->family == AF_INET) {
    name->size_bytes = sizeof name->v4;
    name->v4.sin_family = AF_INET;
    name->v4.sin_port = __builtin_bswap16(place->port);
    memcpy(&name->v4.sin_addr, place->address + 12, 4);
    return;
  }
  name->size_bytes = sizeof name->v6;
  name->v6.sin6_family = AF_INET6;
  name->v6.sin6_port = __builtin_bswap16(place->port);
  memcpy(&name->v6.sin6_addr, place->address, 16);
}

static void put_any(struct socket_place *place, bool is_v6) {
  memset(place->address, 0, sizeof place->address);
  place->is_any = true;
  place->is_v6 = is_v6;
  if (!is_v6) put_v4(place, 0);
}

static void put_loopback(struct socket_place *place, bool is_v6) {
  memset(place->address, 0, sizeof place->address);
  place->is_any = false;
  place->is_v6 = is_v6;
  if (is_v6)
    place->address[15] = 1;
  else
    put_v4(place, __builtin_bswap32(INADDR_LOOPBACK));
}

void socket_aim(struct socket_place *place) {
  if (place->is_any) put_loopback(place, place->is_v6);
}

static bool is_in_use(const struct socket_state *socket, uint16_t port) {
  for (uint32_t i = 0; i < the_pipes->n_sockets; i++) {
    const struct socket_state *other = &the_pipes->sockets[i];
    if (other != socket && is_open(other) && other->place.domain == AF_INET && other->type == socket->type &&
        other->place.port == port)
      return true;
  }
  return false;
}

/* With an address, and perhaps a port: who connects or sends towards another has the loopback's then. */
int socket_bind_ephemeral(struct socket_state *socket, const struct socket_place *towards) {
  struct socket_place place = socket->place;
  place.domain = AF_INET;
  if (!socket->place.domain) put_any(&place, socket->family == AF_INET6);
  if (towards && (!socket->place.domain || place.is_any)) put_loopback(&place, towards->is_v6);
  twins_tell_apart(self(), "ports are made by the thread's number");
  for (uint32_t i = 0; !place.port; i++) {
    const uint32_t at = self()->id * EPHEMERAL_PER_THREAD + i;
    const uint16_t port = (uint16_t)(FIRST_EPHEMERAL + at % N_EPHEMERAL);
    if (i == N_EPHEMERAL) return EADDRINUSE;
    if (!is_in_use(socket, port)) place.port = port;
  }
  socket->place = place;
  put_name(socket, &place);
  return 0;
}

/* ---- paths ---- */

static struct socket_state *socket_of_path(const char *path) {
  char canonical[FILE_PATH_BYTES];
  if (!the_pipes->n_sockets || files_read_path(path, canonical) < 0) return NULL;
  const uint64_t key = hash_bytes(canonical, string_length(canonical));
  for (uint32_t i = 0; i < the_pipes->n_sockets; i++) {
    struct socket_state *socket = &the_pipes->sockets[i];
    if (is_path(socket) && socket->place.key == key && !socket->is_path_gone) return socket;
  }
  return NULL;
}

bool socket_has_path(const char *path, site_id site) {
  const struct socket_state *socket = socket_of_path(path);
  if (socket) files_use_word(socket_address_word(socket, &socket->place), false, site);
  return socket && !socket->is_path_gone;
}

bool socket_unlink(const char *path, site_id site) {
  struct socket_state *socket = socket_of_path(path);
  if (!socket) return false;
  files_use_word(socket_address_word(socket, &socket->place), true, site);
  socket->is_path_gone = true;
  return true;
}
